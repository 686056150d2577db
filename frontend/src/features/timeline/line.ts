/** The line of actions as rows to draw, kept true without reading all of it again. */
import type { TimelineEntry as Entry, UndoPreview } from "@/api/model";
import { timeline as w } from "@words/timeline";

export interface LinePage {
  entries: Entry[];
  next: number | null;
}

/**
 * The pages with what is new at their head; null if the new entries do not reach down to the known ones.
 * Older entries that a new one took back or brought back say so.
 */
export function withHead(pages: LinePage[], head: Entry[]): LinePage[] | null {
  const [first, ...rest] = pages;
  const newest = first?.entries[0]?.seq;
  if (!first || newest === undefined) return null;
  const fresh = head.filter((entry) => entry.seq > newest);
  if (fresh.length === head.length && head.length > 0) return null;
  const seen = new Map(head.map((entry) => [entry.id, entry]));
  const fates = fatesIn(fresh);
  const told = (entry: Entry): Entry => seen.get(entry.id) ?? after(entry, fates);
  const made = [first, ...rest].map((page) => ({ ...page, entries: page.entries.map(told) }));
  return [{ entries: [...fresh, ...(made[0]?.entries ?? [])], next: first.next }, ...made.slice(1)];
}

/** What new entries did to older ones, oldest first: by whom each was taken back, or null where it came back. */
function fatesIn(fresh: Entry[]): Map<string, string | null> {
  const fates = new Map<string, string | null>();
  for (const entry of fresh.toReversed()) {
    for (const id of entry.undoes) fates.set(id, entry.id);
    for (const id of entry.redoes) fates.set(id, null);
  }
  return fates;
}

function after(entry: Entry, fates: Map<string, string | null>): Entry {
  const by = fates.get(entry.id);
  if (by === undefined) return entry;
  return by === null
    ? { ...entry, undone: false, undone_by: null, can_undo: true }
    : { ...entry, undone: true, undone_by: by, can_undo: false };
}

export type Row =
  | { kind: "day"; key: string; at: string }
  | { kind: "plan"; key: string; title: string; root: string; project: string | null }
  | { kind: "entry"; key: string; entry: Entry; step: boolean };

/** The rows of the list: each day has a head, and the steps of a plan stand below its name. */
export function rowsOf(entries: readonly Entry[], dayOf: (at: string) => string): Row[] {
  const rows: Row[] = [];
  let day = "";
  let root = "";
  for (const entry of entries) {
    const today = dayOf(entry.at);
    if (today !== day) {
      rows.push({ kind: "day", key: `day ${today}`, at: entry.at });
      day = today;
      root = "";
    }
    const step = entry.plan !== null;
    if (step && entry.root !== root) {
      rows.push({ kind: "plan", key: `plan ${entry.root} ${entry.seq}`, title: entry.plan ?? "", root: entry.root, project: entry.project });
    }
    root = step ? entry.root : "";
    rows.push({ kind: "entry", key: entry.id, entry, step });
  }
  return rows;
}

/** Names of days, each found once for ten minutes of the line: naming them one by one takes long for thousands. */
export function remembered(dayOf: (at: string) => string): (at: string) => string {
  const known = new Map<string, string>();
  return (at) => {
    const key = at.slice(0, "2026-11-17T06:0".length);
    const day = known.get(key) ?? dayOf(at);
    known.set(key, day);
    return day;
  };
}

/** What going back to before an entry would take along, as far as it is in view; the service knows it exactly. */
export function goesWith(entries: readonly Entry[], target: Entry): Set<string> {
  if (!target.can_undo) return new Set();
  const gone = entries.filter((one) => one.project === target.project && one.seq >= target.seq && one.can_undo);
  return new Set(gone.map((one) => one.id));
}

/** What to undo so that this entry changes sides: itself, or the undo that took it back; null if nothing would. */
export function leverOf(entry: Entry): string | null {
  if (entry.can_undo) return entry.id;
  return entry.undone ? entry.undone_by : null;
}

export interface DiffSize {
  added: number;
  removed: number;
  /** How many of five squares stand for added and for removed lines. */
  squares: [number, number];
}

export function diffSize(entry: Pick<Entry, "added" | "removed">): DiffSize | null {
  const { added, removed } = entry;
  if (added === null || removed === null || added + removed === 0) return null;
  const lit = Math.min(5, 1 + Math.floor(Math.log10(added + removed) * 2));
  const green = Math.round((lit * added) / (added + removed));
  const fair = added > 0 && removed > 0 && lit > 1 ? Math.min(lit - 1, Math.max(1, green)) : green;
  return { added, removed, squares: [fair, lit - fair] };
}

export type Find = (id: string) => Entry | undefined;

/** What an entry is called: an undo by what it took back or brought back, all else by its title. */
export function titleOf(entry: Entry, find: Find): string {
  const back = changesIn(entry.redoes, find);
  if (back.length > 0) return told(w.broughtBack, back, find);
  const gone = changesIn(entry.undoes, find);
  return gone.length > 0 ? told(w.tookBack, gone, find) : entry.title;
}

function told(words: { one: (title: string) => string; many: (count: number) => string }, ids: string[], find: Find): string {
  const title = ids.length === 1 && ids[0] ? find(ids[0])?.title : undefined;
  return title ? words.one(title) : words.many(ids.length);
}

/** Without the undos among them: people count what was done, not what was undone in between. */
function changesIn(ids: string[], find: Find): string[] {
  const changes = ids.filter((id) => !isUndo(find(id)));
  return changes.length > 0 ? changes : ids;
}

const isUndo = (entry: Entry | undefined): boolean => (entry?.undoes.length ?? 0) > 0;

/** What goes and what comes by an undo, in the words of people, newest first. Undos among it are only said where there is nothing else. */
export function fateOf(seen: UndoPreview, find: Find): { goes: UndoPreview["changes"]; comes: UndoPreview["changes"] } {
  const done = (changes: UndoPreview["changes"]): UndoPreview["changes"] => changes.filter((change) => !isUndo(find(change.id))).toReversed();
  const [goes, comes] = [done(seen.changes), done(seen.brings_back)];
  if (goes.length + comes.length > 0) return { goes, comes };
  const back = seen.brings_back.toReversed();
  return { goes: back.length > 0 ? [] : seen.changes.toReversed(), comes: back };
}
