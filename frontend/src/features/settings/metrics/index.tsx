import { useQuery } from "@tanstack/react-query";
import { ChartColumn } from "lucide-react";
import { useMemo, useState, type ReactNode } from "react";
import type { Day } from "@/api/model";
import { queries } from "@/api/queries";
import { Card } from "@/components/ui/Card";
import { Fold } from "@/components/ui/Fold";
import { Segments } from "@/components/ui/Segments";
import { Bone } from "@/components/ui/Skeleton";
import { Empty, ErrorState } from "@/components/ui/States";
import { settings } from "@words/settings";
import { Part } from "../Part";
import { Chart, type Line } from "./Chart";
import css from "./Metrics.module.css";
import { aloneShare, everyDay, OUTCOMES, stacked, sums, type Outcome } from "./series";

const w = settings.metrics;
const RANGES = ["14", "30", "90"] as const;
const COLOURS: Record<Outcome, string> = {
  succeeded: "--good",
  failed: "--wrong",
  undone: "--accent",
  rejected: "--waiting",
  cancelled: "--line-control",
};

/** What was done day by day, drawn. */
export function MetricsPart(): ReactNode {
  const [range, setRange] = useState<(typeof RANGES)[number]>("30");
  const { data, error, refetch } = useQuery(queries.days(Number(range)));
  const days = useMemo(() => data && everyDay(data, Number(range), localToday()), [data, range]);
  return (
    <>
      <div className={css.head}>
        <p>{w.words}</p>
        <Segments label={w.range} value={range} onChange={setRange} options={RANGES.map((key) => ({ key, words: w.ranges[Number(key)] ?? key }))} />
      </div>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!days && !error && <Bone height={320} />}
      {days && <Drawn days={days} />}
    </>
  );
}

/** The day that it is where this browser is, as the service writes days. */
function localToday(): string {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

function Drawn({ days }: { days: Day[] }): ReactNode {
  const found = sums(days);
  const { data: metrics } = useQuery(queries.metrics());
  const dates = useMemo(() => days.map(({ date }) => date), [days]);
  const bars = useMemo(() => {
    const tops = stacked(days);
    // The highest first, so that those below it are drawn over it.
    return OUTCOMES.map((name, at): Line => ({ label: w.rows[name], colour: COLOURS[name], values: tops[at] ?? [] })).reverse();
  }, [days]);
  const alone = useMemo((): Line[] => [{ label: w.aloneRow, colour: "--accent", values: aloneShare(days) }], [days]);
  if (found.actions === 0) {
    return (
      <Card>
        <Empty icon={<ChartColumn aria-hidden />} title={w.none}>
          {w.noneWords}
        </Empty>
      </Card>
    );
  }
  const trust = metrics?.trust_score;
  const tiles: [string, string][] = [
    [w.tiles.actions, String(found.actions)],
    [w.tiles.well, `${found.well ?? 0}%`],
    [w.tiles.alone, `${found.alone ?? 0}%`],
    [w.tiles.undone, String(found.undone)],
    ...(trust === undefined ? [] : [[w.tiles.trust, w.ofHundred(Math.round(trust * 100))] as [string, string]]),
  ];
  return (
    <>
      <dl className={css.tiles}>
        {tiles.map(([name, value]) => (
          <Card key={name} className={css.tile}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Card>
        ))}
      </dl>
      <Part title={w.perDay} words={w.perDayHint}>
        <Chart kind="bars" label={w.chart(w.perDay, w.total(found.actions, days.length))} dates={dates} lines={bars} />
        <Legend days={days} />
      </Part>
      <Part title={w.alone} words={w.aloneHint}>
        <Chart kind="area" most={100} unit="%" label={w.chart(w.alone, `${found.alone ?? 0}%`)} dates={dates} lines={alone} />
      </Part>
      <Fold words={w.table}>
        <Table days={days} />
      </Fold>
    </>
  );
}

function Legend({ days }: { days: Day[] }): ReactNode {
  const shown = OUTCOMES.filter((name) => days.some((day) => day[name] > 0));
  return (
    <ul className={css.legend}>
      {shown.map((name) => (
        <li key={name}>
          <span style={{ background: `var(${COLOURS[name]})` }} aria-hidden /> {w.rows[name]}
        </li>
      ))}
    </ul>
  );
}

function Table({ days }: { days: Day[] }): ReactNode {
  const rows = days.filter((day) => OUTCOMES.some((name) => day[name] > 0)).toReversed();
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard has to reach it
    <div className={css.tableBox} tabIndex={0} role="region" aria-label={w.table}>
      <table className={css.table}>
        <thead>
          <tr>
            <th scope="col">{w.day}</th>
            {OUTCOMES.map((name) => (
              <th key={name} scope="col">
                {w.rows[name]}
              </th>
            ))}
            <th scope="col">{w.aloneRow}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((day) => (
            <tr key={day.date}>
              <th scope="row">{day.date}</th>
              {OUTCOMES.map((name) => (
                <td key={name}>{day[name]}</td>
              ))}
              <td>{day.alone}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
