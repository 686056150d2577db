import { describe, expect, it } from "vitest";
import type { UndoPreview } from "@/api/model";
import { isForeseen } from "./foreseen";

type CardGiven = Parameters<typeof isForeseen>[0];

const file = (path: string) => ({
  project: "books",
  path,
  change: "removed" as const,
  kind: "file" as const,
  before_bytes: 3,
  after_bytes: null,
  moved_from: null,
  binary: false,
  too_large: false,
  added: null,
  removed: null,
});

const seen: UndoPreview = {
  asks: true,
  reasons: ["it takes back 2 changes: A; B"],
  changes: [],
  brings_back: [],
  files: [file("a.md"), file("b.md")],
  more_files: 0,
  kept: [],
  online: [],
};

function card(paths: string[], why = seen.reasons, steps = false): CardGiven {
  const files = paths.map((path) => ({ path, change: "deleted" as const, kind: "file" as const, before_bytes: 3, after_bytes: null }));
  const what = { summary: "", effects: [], files, more: 0, diff: "", notes: [], ...(steps ? { steps: [] } : {}) };
  return { title: "Undo", where: "", what, undo: "", cost: "", worst: "", why, call: {}, digest: "", size: 0 };
}

describe("a card about an undo that was looked at before", () => {
  it("needs no second yes if it is about the same files for the same reasons", () => {
    expect(isForeseen(card(["a.md", "b.md"]), seen)).toBe(true);
  });

  it("asks if a file has come along meanwhile", () => {
    expect(isForeseen(card(["a.md", "c.md"]), seen)).toBe(false);
  });

  it("asks if it would take back more than was shown", () => {
    expect(isForeseen(card(["a.md"], ["it takes back 3 changes: A; B; C"]), seen)).toBe(false);
  });

  it("asks if nothing was foretold to ask, or there is no card", () => {
    expect(isForeseen(card(["a.md"]), { ...seen, asks: false })).toBe(false);
    expect(isForeseen(null, seen)).toBe(false);
  });

  it("lets a plan over several projects have its own reasons", () => {
    expect(isForeseen(card(["a.md"], ["2 steps"], true), seen)).toBe(true);
  });
});
