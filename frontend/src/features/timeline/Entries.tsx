import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, type KeyboardEvent, type ReactNode } from "react";
import { useProjectNames } from "@/api/projectNames";
import { Bone } from "@/components/ui/Skeleton";
import { useKey } from "@/lib/keys";
import { shell } from "@words/shell";
import { timeline as w } from "@words/timeline";
import { EntryRow } from "./EntryRow";
import { titleOf, type Find, type Row } from "./line";
import { DayRow, PlanRow } from "./Heads";
import css from "./Timeline.module.css";

const HEIGHTS = { day: 44, plan: 34, entry: 40 };
/** So many rows before the end, the next page is fetched. */
const AHEAD = 40;

interface EntriesProps {
  rows: Row[];
  chosen: string | null;
  pinned: string | null;
  goes: Set<string>;
  find: Find;
  withProject: boolean;
  more: boolean;
  onMore: () => void;
  onGlance: (id: string | null, now?: boolean) => void;
  onPin: (id: string | undefined) => void;
}

/** The rows in view, of however many there are. */
export function Entries({ rows, chosen, pinned, goes, find, withProject, more, onMore, onGlance, onPin }: EntriesProps): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const nameOf = useProjectNames();
  // eslint-disable-next-line react-hooks/incompatible-library -- the virtualizer changes by itself as one scrolls
  const virtual = useVirtualizer({
    count: rows.length + 1,
    getScrollElement: () => place.current,
    estimateSize: (index) => HEIGHTS[rows[index]?.kind ?? "day"],
    getItemKey: (index) => rows[index]?.key ?? "end",
    overscan: 12,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (more && last >= rows.length - AHEAD) onMore();
  }, [more, last, rows.length, onMore]);

  /** Moves the focus to the entry before or after the one that has it. */
  const move = (by: 1 | -1): void => {
    const focused = place.current?.querySelector<HTMLElement>("[data-entry]:focus")?.dataset.entry;
    const from = rows.findIndex((row) => row.key === (focused ?? chosen));
    let index = from === -1 ? (items[0]?.index ?? 0) - 1 : from;
    do index += by;
    while (rows[index] && rows[index]?.kind !== "entry");
    const next = rows[index];
    if (next?.kind !== "entry") return;
    virtual.scrollToIndex(index, { align: "auto" });
    const focus = (tries: number): void => {
      const row = place.current?.querySelector<HTMLElement>(`[data-entry="${CSS.escape(next.key)}"]`);
      if (row) row.focus({ preventScroll: true });
      else if (tries > 0) requestAnimationFrame(() => focus(tries - 1));
    };
    focus(10);
  };
  useKey("j", shell.help.next, () => move(1));
  useKey("k", shell.help.previous, () => move(-1));

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    move(event.key === "ArrowDown" ? 1 : -1);
  };

  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrows move between the buttons inside
    <section ref={place} className={css.scroll} aria-label={w.label} onKeyDown={onKeyDown}>
      <div className={css.canvas} style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, key, start }) => {
          const row = rows[index];
          return (
            <div key={key} ref={virtual.measureElement} data-index={index} className={css.row} style={{ transform: `translateY(${start}px)` }}>
              {!row && <End more={more} />}
              {row?.kind === "day" && <DayRow at={row.at} />}
              {row?.kind === "plan" && <PlanRow title={row.title} />}
              {row?.kind === "entry" && (
                <EntryRow
                  entry={row.entry}
                  title={titleOf(row.entry, find)}
                  step={row.step}
                  chosen={row.key === chosen}
                  pinned={row.key === pinned}
                  goes={goes.has(row.key)}
                  project={withProject ? nameOf(row.entry.project ?? "") : null}
                  onGlance={onGlance}
                  onPin={onPin}
                />
              )}
            </div>
          );
        })}
      </div>
    </section>
  );
}

function End({ more }: { more: boolean }): ReactNode {
  return (
    <p className={css.end} role="status">
      {more ? <Bone width={180} /> : w.start}
      {more && <span className="sr-only">{w.more}</span>}
    </p>
  );
}
