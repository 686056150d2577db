import { useNavigate } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { Dialog } from "@/components/ui/Dialog";
import { Kbd } from "@/components/ui/Kbd";
import { shortcuts, useBaseKey } from "@/lib/keys";
import { useSignal } from "@/lib/signal";
import { shell } from "@words/shell";
import css from "./Shell.module.css";

const w = shell.help;
/** The keys that are the same on every screen, in the order in which they are told. */
const ALWAYS: [string, string][] = [
  ["/", w.box],
  ["j", w.next],
  ["k", w.previous],
  ["a", w.approve],
  ["r", w.reject],
  ["u", w.undo],
  ["?", w.help],
];

/** Keys that work on every screen: to the box, and to the last change with what undoing it would mean. */
function useKeysEverywhere(): void {
  const navigate = useNavigate();
  useBaseKey("/", w.box, () => {
    void navigate({ to: "/" }).then(() => requestAnimationFrame(() => document.querySelector<HTMLElement>("#content textarea")?.focus()));
  });
  useBaseKey("u", w.undo, () => void navigate({ to: "/app/timeline", search: { at: "last" } }));
}

/** All keys, those of this screen among them. */
export function Help(): ReactNode {
  const [open, setOpen] = useState(false);
  const known = useSignal(shortcuts);
  useBaseKey("?", w.help, () => setOpen(true));
  useKeysEverywhere();
  const shown = new Map([...ALWAYS, ...known.map(({ key, words }): [string, string] => [key, words])]);
  return (
    <Dialog open={open} onOpenChange={setOpen} title={w.title} words={w.words}>
      <dl className={css.keys}>
        {[...shown].map(([key, words]) => (
          <div key={key}>
            <dt>
              <Kbd>{key}</Kbd>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
