import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense, type ReactNode } from "react";
import type { TimelineEntry } from "@/api/model";
import { useProjectNames } from "@/api/projectNames";
import { queries } from "@/api/queries";
import { TaskDiff } from "@/components/step/TaskDiff";
import { Fold } from "@/components/ui/Fold";
import { Skeleton } from "@/components/ui/Skeleton";
import { Status } from "@/components/ui/Status";
import { Time } from "@/components/ui/Time";
import { Words } from "@/components/ui/Words";
import { arriving } from "@/lib/arriving";
import { duration } from "@/lib/format";
import { timeline as w } from "@words/timeline";
import { leverOf, titleOf, type Find } from "./line";
import { TakeBack } from "./TakeBack";
import css from "./Moment.module.css";

const StepDetails = lazy(() => arriving(() => import("@/components/step/StepDetails")));

/** One moment of the line: what was done, and what going back to before it would change. */
export function Moment({ entry, find }: { entry: TimelineEntry; find: Find }): ReactNode {
  const nameOf = useProjectNames();
  const lever = leverOf(entry);
  const allowed = entry.by ? w.allowed[entry.by] : undefined;
  return (
    <div className={css.moment}>
      <header className={css.head}>
        <Status status={entry.undone ? "undone" : entry.status} />
        <h2>
          <Words text={titleOf(entry, find)} />
        </h2>
        <p className={css.meta}>
          {entry.project && (
            <Link to="/app/projects/$project" params={{ project: entry.project }} aria-label={w.openProject(nameOf(entry.project))}>
              <bdi>{nameOf(entry.project)}</bdi>
            </Link>
          )}
          <Time at={entry.at} />
          {entry.seconds !== null && <span>{w.took(duration(entry.seconds))}</span>}
          {allowed && <span>{allowed}</span>}
        </p>
        {entry.message && entry.undoes.length === 0 && (
          <p className={css.message}>
            <Words text={entry.message} />
          </p>
        )}
      </header>
      {lever ? <TakeBack key={lever} entry={entry} lever={lever} find={find} /> : <p className={css.soft}>{entry.files > 0 ? w.gone : w.noFiles}</p>}
      <Fold words={w.details}>
        <Everything entry={entry} />
      </Fold>
    </div>
  );
}

/** All that is known about the step; of one so old that only the logs have it, at least its files. */
function Everything({ entry }: { entry: TimelineEntry }): ReactNode {
  const { data, error } = useQuery(queries.task(entry.id));
  if (error) return <TaskDiff id={entry.id} />;
  if (!data) return <Skeleton lines={3} />;
  return (
    <Suspense fallback={<Skeleton lines={3} />}>
      <div className={css.everything}>
        <StepDetails task={data.task} />
      </div>
    </Suspense>
  );
}
