/** A log as it is kept, read so that its story can be told. Older versions say less, so everything may be missing. */
import type { Decision, Details, LogEntry, Result, Status, Task } from "@/api/model";

export interface Approval {
  id: string;
  approved: boolean;
  at: string;
  by?: string;
  reason?: string;
}

export interface Log {
  id?: string;
  title?: string;
  status?: Status;
  input?: Details & { goal?: string; project?: string | null; understood?: string; assumptions?: string[] };
  decision?: Decision | null;
  approvals?: Approval[];
  result?: Result | null;
  cost?: number;
  created?: string;
  started?: string | null;
  finished?: string | null;
  seconds?: number | null;
  steps?: Partial<Task>[];
}

const EMPTY = {
  params: {},
  project: null,
  parent_id: null,
  children: [],
  decision: null,
  card: null,
  approval: null,
  result: null,
  cost: 0,
  commit: null,
  started: null,
  finished: null,
  seconds: null,
  undoes: [],
  redoes: [],
  undone_by: null,
  retried: null,
  tainted: false,
};

/** Its steps as tasks, so that they are shown as everywhere else. */
export function stepsOf(log: Log): Task[] {
  return (log.steps ?? []).flatMap((step) => {
    const { id, intent, status } = step;
    if (!id || !intent || !status) return [];
    return [{ ...EMPTY, title: intent, created: log.created ?? "", ...step, id, intent, status }];
  });
}

/** Seconds from the start to the end; null while it is not known. */
export function lasted({ seconds, started, finished }: Log): number | null {
  if (typeof seconds === "number") return seconds;
  if (!started || !finished) return null;
  const between = (Date.parse(finished) - Date.parse(started)) / 1000;
  return Number.isFinite(between) && between >= 0 ? between : null;
}

/** The word about the log as a whole, not about its steps. */
export const verdictOn = (log: Log): Approval | undefined => log.approvals?.find(({ id }) => id === log.id);

/** Logs under the day that they were written on, in the order given. */
export function byDay(entries: readonly LogEntry[]): { date: string; entries: LogEntry[] }[] {
  const days: { date: string; entries: LogEntry[] }[] = [];
  for (const entry of entries) {
    const last = days.at(-1);
    if (last?.date === entry.date) last.entries.push(entry);
    else days.push({ date: entry.date, entries: [entry] });
  }
  return days;
}

const LOG = /(?:^|\/)(\d{4}-\d{2}-\d{2})\/(?!context-)([A-Za-z0-9-]{1,100}\.json)$/;

/** Where a copy can be looked at: on the web, or as the log of the same name that is here. */
export function copyPlace(copy: { name: string; link: string }): { url: string } | { date: string; name: string } | null {
  if (copy.link.startsWith("https://")) return { url: copy.link };
  const [, date, name] = LOG.exec(copy.name) ?? LOG.exec(copy.link) ?? [];
  return date && name ? { date, name } : null;
}
