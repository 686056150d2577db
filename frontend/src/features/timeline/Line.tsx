import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { History, MousePointerClick } from "lucide-react";
import { useMemo, type ReactNode } from "react";
import type { TimelineEntry } from "@/api/model";
import { queries } from "@/api/queries";
import { Button, buttonClass } from "@/components/ui/Button";
import { Dialog } from "@/components/ui/Dialog";
import { Skeleton } from "@/components/ui/Skeleton";
import { Empty, ErrorState } from "@/components/ui/States";
import { dayName } from "@/lib/format";
import { useKey } from "@/lib/keys";
import { useMedia } from "@/lib/media";
import { shell } from "@words/shell";
import { timeline as w } from "@words/timeline";
import { useLine, type LineFilter } from "./data";
import { Entries } from "./Entries";
import { goesWith, remembered, rowsOf } from "./line";
import { Moment } from "./Moment";
import css from "./Timeline.module.css";
import { useGlance } from "./useGlance";

/** Stands for the newest change that can be taken back. */
const LAST = "last";

interface LineProps {
  filter: LineFilter;
  onAll: () => void;
}

/** The line itself, and beside it (on a phone: above it) the moment that one points at. */
export function Line({ filter, onAll }: LineProps): ReactNode {
  const line = useLine(filter);
  const wide = useMedia("(width >= 1000px)");
  const { at } = useSearch({ from: "/app/timeline" });
  const navigate = useNavigate({ from: "/app/timeline" });
  const pin = (next: string | undefined): void => void navigate({ search: (now) => ({ ...now, at: next }), replace: true });
  const { glanced, glance } = useGlance();

  const entries = useMemo(() => line.data?.pages.flatMap((page) => page.entries) ?? [], [line.data]);
  const rows = useMemo(() => rowsOf(entries, remembered(dayName)), [entries]);
  const find = useMemo(() => {
    const known = new Map(entries.map((entry) => [entry.id, entry]));
    return (id: string): TimelineEntry | undefined => known.get(id);
  }, [entries]);
  const pinned = at === LAST ? entries.find((entry) => entry.can_undo)?.id : at;
  const shown = find(pinned ?? "") ?? (wide ? find(glanced ?? "") : undefined);
  const goes = useGoing(entries, shown);
  useKey("u", shell.help.undo, () => pin(LAST), shown === undefined);
  useKey("Escape", w.keys.close, () => pin(undefined), at !== undefined);

  if (line.error && entries.length === 0) return <ErrorState error={line.error} onRetry={() => void line.refetch()} />;
  if (!line.data) return <Loading />;
  if (entries.length === 0) return <Nothing all={filter.project === null && !filter.changes} onAll={onAll} />;
  return (
    <div className={css.body}>
      <Entries
        rows={rows}
        chosen={shown?.id ?? null}
        pinned={pinned ?? null}
        goes={goes}
        find={find}
        withProject={filter.project === null}
        more={line.hasNextPage}
        onMore={() => void (line.isFetchingNextPage || line.isFetchNextPageError || line.fetchNextPage())}
        onGlance={glance}
        onPin={pin}
      />
      {wide ? (
        <aside className={css.pane} aria-label={w.pane}>
          {shown ? <Moment key={shown.id} entry={shown} find={find} /> : <Hint />}
        </aside>
      ) : (
        <Dialog open={shown !== undefined} onOpenChange={() => pin(undefined)} title={w.moment}>
          {shown && <Moment entry={shown} find={find} />}
        </Dialog>
      )}
    </div>
  );
}

/** What would be taken back: as the service says, and until it has said so, what is likely. */
function useGoing(entries: readonly TimelineEntry[], shown: TimelineEntry | undefined): Set<string> {
  const { data } = useQuery({ ...queries.undo(shown?.id ?? ""), enabled: shown?.can_undo ?? false });
  return useMemo(() => {
    if (!shown) return new Set();
    return data ? new Set(data.changes.map((change) => change.id)) : goesWith(entries, shown);
  }, [entries, shown, data]);
}

function Hint(): ReactNode {
  return (
    <Empty icon={<MousePointerClick aria-hidden />} title={w.pick.title}>
      {w.pick.words}
    </Empty>
  );
}

function Loading(): ReactNode {
  return (
    <div className={css.loading}>
      <Skeleton lines={12} height={18} />
    </div>
  );
}

function Nothing({ all, onAll }: { all: boolean; onAll: () => void }): ReactNode {
  const words = all ? w.empty : w.emptyHere;
  const action = all ? (
    <Link to="/" className={buttonClass({ kind: "primary" })}>
      {w.empty.action}
    </Link>
  ) : (
    <Button onClick={onAll}>{w.emptyHere.action}</Button>
  );
  return (
    <Empty icon={<History aria-hidden />} title={words.title} action={action}>
      {words.words}
    </Empty>
  );
}
