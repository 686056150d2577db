import { describe, expect, it } from "vitest";
import type { TimelineEntry as Entry } from "@/api/model";
import { diffSize, fateOf, goesWith, leverOf, remembered, rowsOf, titleOf, withHead, type LinePage } from "./line";

function entry(seq: number, more: Partial<Entry> = {}): Entry {
  return {
    id: `t${seq}`,
    title: `Step ${seq}`,
    intent: "write_file",
    project: "books",
    root: `t${seq}`,
    plan: null,
    created: "2026-11-17T06:00:00.000Z",
    at: `2026-11-17T06:00:${String(seq).padStart(2, "0")}.000Z`,
    seq,
    status: "succeeded",
    message: "",
    seconds: 0.1,
    cost: 0,
    by: "owner",
    commit: null,
    files: 1,
    added: 1,
    removed: 0,
    undoes: [],
    redoes: [],
    undone: false,
    undone_by: null,
    can_undo: true,
    ...more,
  };
}

const pages = (...seqs: number[][]): LinePage[] => seqs.map((page) => ({ entries: page.map((seq) => entry(seq)), next: page.at(-1) ?? null }));
const ids = (made: LinePage[] | null): string[] | undefined => made?.flatMap((page) => page.entries.map((one) => one.id));

describe("new entries at the head of the line", () => {
  it("are put before the known ones, once", () => {
    expect(ids(withHead(pages([5, 4], [3, 2]), [entry(7), entry(6), entry(5)]))).toEqual(["t7", "t6", "t5", "t4", "t3", "t2"]);
  });

  it("do not fit where there is a gap, so that the line is read anew", () => {
    expect(withHead(pages([5, 4]), [entry(9), entry(8)])).toBeNull();
    expect(withHead([], [entry(9)])).toBeNull();
  });

  it("mark what they took back on every page, and what they brought back", () => {
    const undo = entry(6, { intent: "rollback", undoes: ["t2", "t4"] });
    const made = withHead(pages([5, 4], [3, 2]), [undo, entry(5)]);
    const two = made?.[1]?.entries[1];
    expect(two).toMatchObject({ undone: true, undone_by: "t6", can_undo: false });
    const redo = entry(7, { intent: "rollback", undoes: ["t6"], redoes: ["t2", "t4"] });
    const again = withHead(made ?? [], [redo, undo]);
    expect(again?.[1]?.entries[1]).toMatchObject({ undone: false, undone_by: null, can_undo: true });
    expect(again?.[0]?.entries[1]).toMatchObject({ id: "t6" });
  });

  it("replace what is known with what the service says now", () => {
    const made = withHead(pages([5, 4]), [entry(6), entry(5, { can_undo: false })]);
    expect(made?.[0]?.entries[1]).toMatchObject({ id: "t5", can_undo: false });
  });
});

describe("rows", () => {
  const day = (at: string): string => at.slice(0, 10);

  it("have a head for each day, and a name above the steps of a plan", () => {
    const step = { root: "p", plan: "Books API" };
    const rows = rowsOf([entry(9), entry(8, step), entry(7, step), entry(6), entry(5, { at: "2026-11-16T10:00:00.000Z" })], day);
    expect(rows.map((row) => row.kind)).toEqual(["day", "entry", "plan", "entry", "entry", "entry", "day", "entry"]);
    expect(new Set(rows.map((row) => row.key)).size).toBe(rows.length);
  });

  it("are named by days that are worked out once", () => {
    const asked: string[] = [];
    const named = remembered((at) => {
      asked.push(at);
      return day(at);
    });
    const rows = rowsOf([entry(9), entry(8), entry(7, { at: "2026-11-16T10:00:00.000Z" })], named);
    expect(rows.filter((row) => row.kind === "day")).toHaveLength(2);
    expect(asked).toHaveLength(2);
  });

  it("name a plan again after another action stood between its steps", () => {
    const step = { root: "p", plan: "Books API" };
    const rows = rowsOf([entry(9, step), entry(8), entry(7, step)], day);
    expect(rows.filter((row) => row.kind === "plan")).toHaveLength(2);
    expect(new Set(rows.map((row) => row.key)).size).toBe(rows.length);
  });
});

describe("what goes along with an undo", () => {
  it("is everything later in the same project that still counts", () => {
    const target = entry(6);
    const line = [entry(9), entry(8, { project: "garden" }), entry(7, { can_undo: false, undone: true }), target, entry(5)];
    expect([...goesWith(line, target)]).toEqual(["t9", "t6"]);
  });

  it("is nothing for what cannot be undone", () => {
    expect(goesWith([entry(9, { can_undo: false })], entry(9, { can_undo: false })).size).toBe(0);
  });

  it("is turned by the entry itself or by the undo that took it back", () => {
    expect(leverOf(entry(5))).toBe("t5");
    expect(leverOf(entry(5, { can_undo: false, undone: true, undone_by: "t9" }))).toBe("t9");
    expect(leverOf(entry(5, { can_undo: false, files: 0 }))).toBeNull();
  });
});

describe("the size of a change", () => {
  it("is drawn in up to five squares, with at least one of each kind that there is", () => {
    expect(diffSize({ added: 1, removed: 0 })?.squares).toEqual([1, 0]);
    expect(diffSize({ added: 2000, removed: 1 })?.squares).toEqual([4, 1]);
    expect(diffSize({ added: 1, removed: 500 })?.squares).toEqual([1, 4]);
    expect(diffSize({ added: 0, removed: 0 })).toBeNull();
    expect(diffSize({ added: null, removed: null })).toBeNull();
  });
});

describe("what an undo is called", () => {
  const undo = entry(7, { title: "Undo task `t4`", undoes: ["t4", "t5"] });
  const redo = entry(8, { title: "Undo task `t7`", undoes: ["t7"], redoes: ["t4", "t5"] });
  const known = [redo, undo, entry(5), entry(4)];
  const find = (id: string): Entry | undefined => known.find((one) => one.id === id);

  it("says what it took back or brought back, never an id", () => {
    expect(titleOf(undo, find)).toBe("Took back 2 changes");
    expect(titleOf(redo, find)).toBe("Brought back 2 changes");
    expect(titleOf(entry(9, { undoes: ["t4"] }), find)).toBe("Took back: Step 4");
    expect(titleOf(entry(9, { undoes: ["gone"] }), find)).toBe("Took back 1 change");
    expect(titleOf(entry(9), find)).toBe("Step 9");
  });

  it("counts what was done, not the undos in between", () => {
    const change = (id: string) => ({ id, title: id, at: "", project: "books" });
    const seen = { asks: true, reasons: [], files: [], more_files: 0, kept: [], online: [] };
    const back = fateOf({ ...seen, changes: ["t4", "t5", "t7"].map(change), brings_back: [] }, find);
    expect(back.goes.map((one) => one.id)).toEqual(["t5", "t4"]);
    const forward = fateOf({ ...seen, changes: [change("t7")], brings_back: ["t4", "t5"].map(change) }, find);
    expect(forward).toEqual({ goes: [], comes: [change("t5"), change("t4")] });
    const again = fateOf({ ...seen, changes: ["t4", "t5", "t8"].map(change), brings_back: [change("t7")] }, find);
    expect(again).toEqual({ goes: [change("t5"), change("t4")], comes: [] });
  });
});
