/** Where each kind of action stands on the ladder, by its record and by the owner's word. */
import { calledOf, type ActionShape } from "@/api/catalogue";
import type { components } from "@/api/schema";

export type TrustRecord = components["schemas"]["TrustRecord"];
export type Overrides = components["schemas"]["Trust"]["overrides"];
export type Verdict = components["schemas"]["OverrideSet"]["verdict"];
export type Outcome = TrustRecord["recent"][number];
export type Rung = "never" | "asks" | "sometimes" | "alone";

export interface OwnWord {
  verdict: Verdict;
  lifted: boolean;
  /** It was said for every project, not for this one. */
  everywhere: boolean;
}

/** What the owner has set for a kind of action in a project; what is said for the project goes before the rest. */
export function ownWord(overrides: Overrides, intent: string, project: string): OwnWord | null {
  const here = overrides[`${intent}@${project}`];
  if (here && project) return { ...here, everywhere: false };
  const everywhere = overrides[`${intent}@*`];
  return everywhere ? { ...everywhere, everywhere: true } : null;
}

export function rungOf(record: TrustRecord, own: OwnWord | null): Rung {
  if (own?.verdict === "refuse") return "never";
  if (own?.verdict === "ask") return "asks";
  // A word of the owner does not lift what always asks, unless it says so.
  if (own?.verdict === "auto") return record.verdict === "auto" || record.code !== "floor" || own.lifted ? "alone" : "asks";
  return record.state;
}

export interface Kind {
  intent: string;
  title: string;
  records: TrustRecord[];
}

const tried = (kind: Kind): number => kind.records.reduce((sum, record) => sum + record.good + record.bad, 0);

/** The kinds that have a record, the most used first. */
export function kindsOf(records: readonly TrustRecord[], actions: readonly ActionShape[]): Kind[] {
  const titles = new Map(actions.map((action) => [action.name, calledOf(action)]));
  const kinds = new Map<string, Kind>();
  for (const record of records) {
    const kind = kinds.get(record.intent) ?? { intent: record.intent, title: titles.get(record.intent) ?? record.intent, records: [] };
    kind.records.push(record);
    kinds.set(record.intent, kind);
  }
  return [...kinds.values()].sort((a, b) => tried(b) - tried(a) || a.title.localeCompare(b.title));
}

/** What has no record yet: the kinds that will ask at first, and those that only look. */
export function untried(records: readonly TrustRecord[], actions: readonly ActionShape[]): { asks: ActionShape[]; looks: ActionShape[] } {
  const known = new Set(records.map((record) => record.intent));
  const others = actions.filter((action) => !known.has(action.name));
  const looks = (action: ActionShape): boolean => action.effects.every((effect) => effect === "read");
  return { asks: others.filter((action) => !looks(action)), looks: others.filter(looks) };
}

export function tally(outcomes: readonly Outcome[]): Record<Outcome, number> {
  const counts = { good: 0, failed: 0, rejected: 0, undone: 0 };
  for (const outcome of outcomes) counts[outcome] += 1;
  return counts;
}
