import { useEffect, useRef, useSyncExternalStore, type ReactNode } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { useSignal } from "@/lib/signal";
import { theme } from "@/lib/theme";
import css from "./Metrics.module.css";

export interface Line {
  label: string;
  /** A variable of the styles, such as `--good`. */
  colour: string;
  values: (number | null)[];
}

interface ChartProps {
  label: string;
  dates: string[];
  lines: Line[];
  kind: "bars" | "area";
  /** The top of the scale, where it is known. */
  most?: number;
  unit?: string;
}

const HEIGHT = 200;
const DARK = "(prefers-color-scheme: dark)";

function watchSystem(changed: () => void): () => void {
  const query = window.matchMedia(DARK);
  query.addEventListener("change", changed);
  return () => query.removeEventListener("change", changed);
}

/** A drawing of numbers by day. Whoever cannot see it has the table below it. */
export function Chart({ label, dates, lines, kind, most, unit = "" }: ChartProps): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const look = useSignal(theme);
  const dark = useSyncExternalStore(watchSystem, () => window.matchMedia(DARK).matches);

  useEffect(() => {
    const parent = place.current;
    if (!parent) return undefined;
    const paint = colours(parent);
    const chart = new uPlot(options({ lines, kind, paint, width: parent.clientWidth, unit, ...(most === undefined ? {} : { most }) }), data(dates, lines), parent);
    const watcher = new ResizeObserver(() => chart.setSize({ width: parent.clientWidth, height: HEIGHT }));
    watcher.observe(parent);
    return () => {
      watcher.disconnect();
      chart.destroy();
    };
  }, [dates, lines, kind, most, unit, look, dark]);

  return <div ref={place} className={css.chart} role="img" aria-label={label} />;
}

const data = (dates: string[], lines: Line[]): uPlot.AlignedData => [
  dates.map((date) => Date.parse(`${date}T12:00:00`) / 1000),
  ...lines.map(({ values }) => values),
];

/** A canvas knows no variables: what each is now is asked of the browser. */
function colours(parent: HTMLElement): (variable: string) => string {
  return (variable) => {
    const probe = document.createElement("span");
    probe.style.color = `var(${variable})`;
    parent.append(probe);
    const found = getComputedStyle(probe).color;
    probe.remove();
    return found;
  };
}

interface Drawing {
  lines: Line[];
  kind: ChartProps["kind"];
  paint: (variable: string) => string;
  width: number;
  most?: number;
  unit: string;
}

function options({ lines, kind, paint, width, most, unit }: Drawing): uPlot.Options {
  const font = `12px ${getComputedStyle(document.body).fontFamily}`;
  const axis = { font, stroke: paint("--text-faint"), ticks: { show: false }, border: { show: false } };
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    padding: [8, 20, 0, 0],
    scales: { x: { time: true, range: sides }, y: { range: (_chart, _low, high) => [0, most ?? top(high)] } },
    axes: [
      { ...axis, grid: { show: false }, space: 70, size: 30, values: "{MMM} {D}" },
      {
        ...axis,
        size: 44,
        space: 36,
        grid: { stroke: paint("--line"), width: 1 },
        incrs: unit ? [25, 50, 100] : STEPS,
        values: (_chart, ticks) => ticks.map((tick) => `${tick}${unit}`),
      },
    ],
    series: [{}, ...lines.map((line) => series(line, kind, paint(line.colour)))],
  };
}

function series({ label }: Line, kind: ChartProps["kind"], colour: string): uPlot.Series {
  if (kind === "bars") {
    const paths = uPlot.paths.bars?.({ size: [0.7, 36], radius: 0.15 });
    return { label, fill: colour, stroke: colour, width: 0, points: { show: false }, ...(paths ? { paths } : {}) };
  }
  const fill = colour.replace(/^rgb\((.+)\)$/, "rgb($1 / 14%)").replaceAll(",", " ");
  return { label, stroke: colour, fill, width: 2, spanGaps: true, points: { show: true, size: 6, fill: colour } };
}

/** Half a day of room at both sides, so that no bar is cut. */
const sides = (_chart: uPlot, low: number, high: number): [number, number] => [low - 43_200, high + 43_200];
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];

/** The first round number above everything, so that a line of the grid is drawn there. */
function top(high: number): number {
  const step = STEPS.find((one) => one * 4 >= high) ?? Math.ceil(high / 4);
  return Math.max(4, Math.ceil(high / step) * step);
}
