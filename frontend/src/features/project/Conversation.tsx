import { useInfiniteQuery } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { MessagesSquare } from "lucide-react";
import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import { useEvents } from "@/api/live";
import type { AgentEvent, Task } from "@/api/model";
import { queries } from "@/api/queries";
import { Skeleton } from "@/components/ui/Skeleton";
import { Empty, ErrorState } from "@/components/ui/States";
import { announce } from "@/lib/announce";
import { project as w } from "@words/project";
import { statuses } from "@words/statuses";
import css from "./Project.module.css";
import { RowView } from "./RowView";
import { rows, type Row } from "./rows";

const GUESS: Record<Row["kind"], number> = { said: 76, plan: 58, card: 420, step: 64, outcome: 110, left: 46 };
/** So close to the oldest row, older ones are fetched. */
const NEAR = 10;

/** Everything that was asked and done in a project; however long it is, only what is in view is made. */
export function Conversation({ project }: { project: string }): ReactNode {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = useInfiniteQuery(queries.tasks({ project }));
  const tasks = useMemo(() => data?.pages.flat() ?? [], [data]);
  useProgressAloud(tasks);
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) {
    return (
      <div className={css.padded}>
        <Skeleton lines={5} />
      </div>
    );
  }
  if (tasks.length === 0) {
    return (
      <div className={css.centre}>
        <Empty icon={<MessagesSquare aria-hidden />} title={w.emptyTitle}>
          {w.emptyWords}
        </Empty>
      </div>
    );
  }
  return <List tasks={tasks} onOldest={() => hasNextPage && !isFetchingNextPage && !isFetchNextPageError && void fetchNextPage()} />;
}

function List({ tasks, onOldest }: { tasks: Task[]; onOldest: () => void }): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const shown = useMemo(() => rows(tasks), [tasks]);
  // eslint-disable-next-line react-hooks/incompatible-library -- the virtualizer changes by itself as one scrolls
  const virtual = useVirtualizer({
    count: shown.length,
    getScrollElement: () => place.current,
    estimateSize: (at) => GUESS[shown[at]?.kind ?? "step"],
    getItemKey: (at) => shown[at]?.key ?? at,
    anchorTo: "end",
    followOnAppend: true,
    scrollEndThreshold: 80,
    overscan: 8,
    paddingEnd: 16,
  });

  const begun = useRef(false);
  useEffect(() => {
    if (begun.current || shown.length === 0) return;
    begun.current = true;
    virtual.scrollToIndex(shown.length - 1, { align: "end" });
  }, [virtual, shown.length]);

  const items = virtual.getVirtualItems();
  const first = items[0]?.index ?? 0;
  useEffect(() => {
    if (first < NEAR) onOldest();
  }, [first, onOldest]);

  const toggle = useCallback((id: string, open: boolean): void => {
    setOpened((before) => {
      const next = new Set(before);
      if (open) next.add(id);
      else next.delete(id);
      return next;
    });
  }, []);

  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard has to reach it
    <div ref={place} className={css.list} tabIndex={0} role="region" aria-label={w.soFar}>
      <div className={css.canvas} style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, start, key }) => {
          const row = shown[index];
          return row ? (
            <div key={key} ref={virtual.measureElement} data-index={index} className={css.row} style={{ transform: `translateY(${start}px)` }}>
              <RowView row={row} open={row.kind === "step" && opened.has(row.task.id)} onToggle={toggle} />
            </div>
          ) : null;
        })}
      </div>
    </div>
  );
}

/** Screen readers hear politely which step begins and how it ended. */
function useProgressAloud(tasks: Task[]): void {
  const titles = useMemo(() => new Map(tasks.map((task) => [task.id, task.title])), [tasks]);
  const hear = useCallback(
    (events: AgentEvent[]) => {
      for (const { type, task_id, data } of events) {
        const title = titles.get(task_id ?? "");
        if (!title) continue;
        if (type === "step_started") announce(w.announce.started(title));
        if (type === "step_finished") announce(w.announce.finished(title, statuses[data.status as Task["status"]]));
      }
    },
    [titles],
  );
  useEvents(hear);
}
