import { memo, type ReactNode } from "react";
import type { TimelineEntry } from "@/api/model";
import { StatusIcon } from "@/components/ui/Status";
import { Time } from "@/components/ui/Time";
import { Words } from "@/components/ui/Words";
import { cx } from "@/lib/cx";
import { statuses } from "@words/statuses";
import { timeline as w } from "@words/timeline";
import { diffSize } from "./line";
import css from "./Timeline.module.css";

interface EntryRowProps {
  entry: TimelineEntry;
  title: string;
  step: boolean;
  chosen: boolean;
  pinned: boolean;
  /** It would be taken back together with the chosen one. */
  goes: boolean;
  /** Its project's name; null where all are of one. */
  project: string | null;
  onGlance: (id: string | null, now?: boolean) => void;
  onPin: (id: string | undefined) => void;
}

/** One action: a dot on the line, what it was, how it went, how much it changed. */
export const EntryRow = memo(function EntryRow({ entry, title, step, chosen, pinned, goes, project, onGlance, onPin }: EntryRowProps): ReactNode {
  const status = entry.undone ? "undone" : entry.status;
  return (
    <div className={cx(css.entry, step && css.step, goes && css.goes, chosen && css.chosen)}>
      <button
        type="button"
        className={css.button}
        data-entry={entry.id}
        aria-pressed={pinned}
        onClick={() => onPin(pinned ? undefined : entry.id)}
        onFocus={() => onGlance(entry.id, true)}
        onMouseEnter={() => onGlance(entry.id)}
        onMouseLeave={() => onGlance(null)}
      >
        <span className={css.dot}>
          <StatusIcon status={status} />
        </span>
        <span className={css.what}>
          <span className={cx(css.title, entry.undone && css.struck)}>
            <Words text={title} />
          </span>
          {status !== "succeeded" && <span className={cx(css.outcome, status === "failed" && css.failed)}>{statuses[status]}</span>}
        </span>
        <span className={css.facts}>
          {project !== null && (
            <span className={css.project}>
              <bdi>{project}</bdi>
            </span>
          )}
          <Size entry={entry} />
          <span className={css.time}>
            <Time at={entry.at} />
          </span>
        </span>
      </button>
      {chosen && goes && (
        <p className={css.cut} aria-hidden>
          <span>{w.backHere}</span>
        </p>
      )}
    </div>
  );
});

const SQUARES = 5;

/** How much it changed: lines, and five squares to see it by. */
function Size({ entry }: { entry: TimelineEntry }): ReactNode {
  const size = diffSize(entry);
  if (!size) return <span className={css.size}>{entry.files > 0 && w.files(entry.files)}</span>;
  const [green, red] = size.squares;
  return (
    <span className={css.size}>
      <span aria-hidden>
        {size.added > 0 && <span className={css.added}>+{size.added}</span>} {size.removed > 0 && <span className={css.removed}>−{size.removed}</span>}
      </span>
      <span className={css.squares} aria-hidden>
        {Array.from({ length: SQUARES }, (_, at) => (
          <i key={at} className={cx(at < green && css.isAdded, at >= green && at < green + red && css.isRemoved)} />
        ))}
      </span>
      <span className="sr-only">{w.lines(size.added, size.removed)}</span>
    </span>
  );
}
