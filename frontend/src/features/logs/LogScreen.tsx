import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { ArrowLeft, Download } from "lucide-react";
import type { ReactNode } from "react";
import { save } from "@/api/download";
import { fromRecord } from "@/api/model";
import { queries } from "@/api/queries";
import { Page, ScreenTitle } from "@/components/layout/Page";
import { Output } from "@/components/step/Output";
import { StepItem } from "@/components/step/StepItem";
import { Technical } from "@/components/Technical";
import { Button, buttonClass } from "@/components/ui/Button";
import { Card } from "@/components/ui/Card";
import { Skeleton } from "@/components/ui/Skeleton";
import { ErrorState } from "@/components/ui/States";
import { Status } from "@/components/ui/Status";
import { Words } from "@/components/ui/Words";
import { cx } from "@/lib/cx";
import { duration, exactTime, money } from "@/lib/format";
import { plain } from "@/lib/text";
import { logs as w } from "@words/logs";
import css from "./Logs.module.css";
import { lasted, stepsOf, verdictOn, type Log } from "./reading";

const route = getRouteApi("/app/logs/$date/$name");

/** One log as a story; as it is kept, one fold below. */
export function LogScreen(): ReactNode {
  const { date, name } = route.useParams();
  const { data, error, refetch } = useQuery(queries.log(date, name));
  const log = data as Log | undefined;
  return (
    <Page>
      <ScreenTitle title={log?.title ?? w.title} />
      <div className={css.tools}>
        <Link to="/app/logs" className={buttonClass({ kind: "ghost", size: "small" })}>
          <ArrowLeft aria-hidden /> {w.back}
        </Link>
        {log && (
          <Button
            size="small"
            icon={<Download aria-hidden />}
            onClick={() => save(`${date}-${name}`, new Blob([JSON.stringify(log, null, 2)], { type: "application/json" }))}
          >
            {w.download}
          </Button>
        )}
      </div>
      {error && !log && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!log && !error && <Skeleton lines={8} />}
      {log && <Story log={log} />}
    </Page>
  );
}

function Story({ log }: { log: Log }): ReactNode {
  const steps = stepsOf(log);
  const { input = {}, result } = log;
  return (
    <article className={css.story}>
      <Head log={log} />
      {input.goal && (
        <Part title={w.said}>
          <p className={css.said}>{plain(input.goal)}</p>
        </Part>
      )}
      {input.understood && (
        <Part title={w.understood}>
          <p>
            <Words text={input.understood} />
          </p>
        </Part>
      )}
      {input.assumptions && input.assumptions.length > 0 && (
        <Part title={w.assumed}>
          <ul className={css.dots}>
            {input.assumptions.map((one) => (
              <li key={one}>
                <Words text={one} />
              </li>
            ))}
          </ul>
        </Part>
      )}
      {result && (
        <Part title={w.result}>
          <p className={cx(!result.success && css.wrong)}>
            <Words text={result.message ?? ""} />
          </p>
          {result.error?.hint && (
            <p className={css.soft}>
              <Words text={result.error.hint} />
            </p>
          )}
          {steps.length === 0 && <Output data={result.data ?? {}} />}
        </Part>
      )}
      {steps.length > 0 && (
        <Part title={w.steps}>
          <Card padded={false} className={css.steps}>
            {steps.map((step) => (
              <StepItem key={step.id} task={step} />
            ))}
          </Card>
        </Part>
      )}
      <Decided log={log} />
      <Technical value={log} words={w.whole} />
    </article>
  );
}

function Head({ log }: { log: Log }): ReactNode {
  const seconds = lasted(log);
  const facts: [string, string][] = [
    [w.when, log.created ? exactTime(log.created) : ""],
    [w.took, seconds === null ? "" : duration(seconds)],
    [w.cost, log.cost === undefined ? "" : money(log.cost)],
  ];
  return (
    <div className={css.about}>
      {log.status && <Status status={log.status} />}
      <dl className={css.facts}>
        {facts.map(([name, value]) =>
          value ? (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ) : null,
        )}
      </dl>
      {log.input?.project && (
        <Link to="/app/projects/$project" params={{ project: log.input.project }} className={css.toProject}>
          {w.openProject}
        </Link>
      )}
    </div>
  );
}

function Decided({ log }: { log: Log }): ReactNode {
  const verdict = verdictOn(log);
  const silent = verdict?.approved && verdict.by === "trust" && !fromRecord(log.decision);
  const words = !silent && verdict && (verdict.approved ? w.approvedBy[verdict.by ?? ""] : w.rejected(verdict.reason ?? ""));
  const reasons = log.decision?.reasons ?? [];
  if (!words && reasons.length === 0) return null;
  return (
    <Part title={w.decided}>
      {words && <p>{words}</p>}
      {reasons.map((reason) => (
        <p key={reason} className={css.soft}>
          <Words text={reason} />
        </p>
      ))}
    </Part>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <section className={css.part}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
