/** Moving through what is on a screen by key: everything that is marked `data-item`, in the order of the page. */
import { shell } from "@words/shell";
import { useBaseKey } from "./keys";

function move(by: 1 | -1): void {
  const items = [...document.querySelectorAll<HTMLElement>("#content [data-item]")];
  const at = items.findIndex((item) => item.contains(document.activeElement));
  const next = at === -1 ? (by === 1 ? 0 : items.length - 1) : at + by;
  const item = items[Math.min(Math.max(next, 0), items.length - 1)];
  item?.focus();
  item?.scrollIntoView({ block: "nearest" });
}

export function useItemKeys(): void {
  useBaseKey("j", shell.help.next, () => move(1));
  useBaseKey("k", shell.help.previous, () => move(-1));
}
