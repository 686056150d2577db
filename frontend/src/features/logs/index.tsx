import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { ScrollText } from "lucide-react";
import type { ReactNode } from "react";
import type { LogEntry } from "@/api/model";
import { useProjectNames } from "@/api/projectNames";
import { queries, type LogFilter } from "@/api/queries";
import { Page, ScreenTitle } from "@/components/layout/Page";
import { Badge } from "@/components/ui/Badge";
import { Button } from "@/components/ui/Button";
import { Card } from "@/components/ui/Card";
import { Bone } from "@/components/ui/Skeleton";
import { Empty, ErrorState } from "@/components/ui/States";
import { StatusIcon } from "@/components/ui/Status";
import { Words } from "@/components/ui/Words";
import { clockTime, dayName } from "@/lib/format";
import { logs as w } from "@words/logs";
import { Copies } from "./Copies";
import { Filters } from "./Filters";
import css from "./Logs.module.css";
import { byDay } from "./reading";

const route = getRouteApi("/app/logs");

/** What was asked, decided and done: to search, to open, to take away. */
export function LogsScreen(): ReactNode {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page>
      <ScreenTitle title={w.title} />
      <div className={css.screen}>
        <Filters filter={filter} onChange={(next) => void navigate({ search: next, replace: true })} />
        <List filter={filter} />
        <Copies />
      </div>
    </Page>
  );
}

function List({ filter }: { filter: LogFilter }): ReactNode {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    ...queries.logs(filter),
    placeholderData: (before) => before,
  });
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Bone height={280} />;
  const days = byDay(data.pages.flatMap((page) => page.logs));
  if (days.length === 0) {
    const fits = Object.keys(filter).length > 0;
    return (
      <Empty icon={<ScrollText aria-hidden />} title={fits ? w.noneFit : w.none}>
        {fits ? w.noneFitWords : w.noneWords}
      </Empty>
    );
  }
  return (
    <div className={css.days}>
      {days.map(({ date, entries }) => (
        <section key={date} className={css.dayGroup} aria-label={dayName(`${date}T12:00`)}>
          <h2>{dayName(`${date}T12:00`)}</h2>
          <Card padded={false}>
            <ul>
              {entries.map((entry) => (
                <Row key={entry.name} entry={entry} />
              ))}
            </ul>
          </Card>
        </section>
      ))}
      {hasNextPage && (
        <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {w.more}
        </Button>
      )}
    </div>
  );
}

/** A title that is the project's own name says enough. */
function namesIt(title: string, project: string): boolean {
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
  return plain(title) === plain(project);
}

function Row({ entry }: { entry: LogEntry }): ReactNode {
  const { date, name, status, title, project, created, confirmationNeeded } = entry;
  const nameOf = useProjectNames();
  return (
    <li className={css.row}>
      <Link to="/app/logs/$date/$name" params={{ date, name }} className={css.link} data-item>
        {status && <StatusIcon status={status} />}
        <span className={css.title}>
          <Words text={title ?? w.untitled} />
          {project && !namesIt(title ?? "", project) && (
            <span className={css.project}>
              <bdi>{nameOf(project)}</bdi>
            </span>
          )}
        </span>
        {confirmationNeeded && <Badge tone="waiting">{w.asked}</Badge>}
        <span className={css.when}>{created && clockTime(created)}</span>
      </Link>
    </li>
  );
}
