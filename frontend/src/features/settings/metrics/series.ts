/** Days as the charts want them. */
import type { Day } from "@/api/model";

export const OUTCOMES = ["succeeded", "failed", "undone", "rejected", "cancelled"] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Every one of the last days, also those on which nothing happened, oldest first. */
export function everyDay(days: readonly Day[], count: number, today: string): Day[] {
  const known = new Map(days.map((day) => [day.date, day]));
  const last = Date.parse(`${today}T00:00:00Z`);
  return Array.from({ length: count }, (_, at) => {
    const date = new Date(last - (count - 1 - at) * 86_400_000).toISOString().slice(0, 10);
    return known.get(date) ?? { date, succeeded: 0, failed: 0, undone: 0, rejected: 0, cancelled: 0, alone: 0, seconds: 0, cost: 0 };
  });
}

export const total = (day: Day): number => OUTCOMES.reduce((sum, name) => sum + day[name], 0);

/** Of each outcome, the top of its part of the bar: the parts below it are in it. */
export function stacked(days: readonly Day[]): number[][] {
  const sums = days.map(() => 0);
  return OUTCOMES.map((name) => days.map((day, at) => (sums[at] = (sums[at] ?? 0) + day[name])));
}

/** Percent of a day's actions that ran without asking; null where there were none. */
export function aloneShare(days: readonly Day[]): (number | null)[] {
  return days.map((day) => (total(day) === 0 ? null : Math.min(100, Math.round((day.alone / total(day)) * 100))));
}

export interface Sums {
  actions: number;
  undone: number;
  /** Percent; null while nothing was done. */
  well: number | null;
  alone: number | null;
}

export function sums(days: readonly Day[]): Sums {
  const actions = days.reduce((sum, day) => sum + total(day), 0);
  const share = (name: "succeeded" | "alone"): number | null =>
    actions === 0 ? null : Math.min(100, Math.round((days.reduce((sum, day) => sum + day[name], 0) / actions) * 100));
  return { actions, undone: days.reduce((sum, day) => sum + day.undone, 0), well: share("succeeded"), alone: share("alone") };
}
