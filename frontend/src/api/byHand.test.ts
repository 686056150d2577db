import { describe, expect, it } from "vitest";
import { isOnly } from "./byHand";
import type { Card } from "./model";

const file = { path: "a.txt", kind: "file", change: "changed", before_bytes: 1, after_bytes: 2 } as const;

function aCard(what: Partial<Card["what"]> = {}, more: Partial<Card> = {}): Card {
  return { can_undo: true, outward: false, what: { files: [file], notes: [], ...what }, ...more } as Card;
}

describe("isOnly", () => {
  it("takes a click for a yes to just what was in view", () => {
    expect(isOnly(aCard(), { paths: ["a.txt"] })).toBe(true);
    expect(isOnly(aCard({ files: [{ ...file, change: "new" }] }), { paths: ["a.txt"], overwrites: false })).toBe(true);
  });

  it("leaves the question where there is more to it", () => {
    const seen = { paths: ["a.txt"] };
    expect(isOnly(null, seen)).toBe(false);
    expect(isOnly(aCard({ files: [file, { ...file, path: "b.txt" }] }), seen)).toBe(false);
    expect(isOnly(aCard({ notes: ["There is a key in it"] }), seen)).toBe(false);
    expect(isOnly(aCard({ more: 3 }), seen)).toBe(false);
    expect(isOnly(aCard({}, { can_undo: false }), seen)).toBe(false);
    expect(isOnly(aCard({}, { outward: true }), seen)).toBe(false);
    expect(isOnly(aCard({}, { blocked: "An account is missing" }), seen)).toBe(false);
    expect(isOnly(aCard(), { ...seen, overwrites: false })).toBe(false);
  });
});
