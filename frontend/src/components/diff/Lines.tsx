import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef, type ReactNode } from "react";
import { cx } from "@/lib/cx";
import { printed } from "@/lib/text";
import css from "./Diff.module.css";

const HEIGHT = 20;
const LONGEST = 2000;

type Kind = "added" | "removed" | "place" | "file" | undefined;

function kindOf(line: string): Kind {
  if (line.startsWith("+++") || line.startsWith("---") || line.startsWith("diff --git")) return "file";
  if (line.startsWith("@@")) return "place";
  if (line.startsWith("+")) return "added";
  return line.startsWith("-") ? "removed" : undefined;
}

interface LinesProps {
  text: string;
  label: string;
  /** Coloured as a patch. */
  patch?: boolean;
  /** As high as there is room. */
  tall?: boolean;
  /** Stays at the end while lines are added there. */
  follow?: boolean;
}

/** Many lines of text, of which only those in view are made. */
export function Lines({ text, label, patch = false, tall = false, follow = false }: LinesProps): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const lines = useMemo(() => text.split(/\r?\n/), [text]);
  // eslint-disable-next-line react-hooks/incompatible-library -- the virtualizer changes by itself as one scrolls
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => place.current,
    estimateSize: () => HEIGHT,
    overscan: 20,
    ...(follow ? { anchorTo: "end", followOnAppend: true } : {}),
  });
  useEffect(() => {
    if (follow && place.current) place.current.scrollTop = place.current.scrollHeight;
  }, [follow]);
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard has to reach it
    <div ref={place} className={cx(css.lines, tall && css.high)} tabIndex={0} role="region" aria-label={label}>
      <div className={css.canvas} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const line = lines[index] ?? "";
          const kind = patch ? kindOf(line) : undefined;
          return (
            <div key={index} className={cx(css.line, kind && css[kind])} style={{ transform: `translateY(${start}px)` }}>
              {printed(line.slice(0, LONGEST)) || " "}
            </div>
          );
        })}
      </div>
    </div>
  );
}
