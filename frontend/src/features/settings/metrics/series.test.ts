import { describe, expect, it } from "vitest";
import type { Day } from "@/api/model";
import { aloneShare, everyDay, stacked, sums } from "./series";

const day = (date: string, more: Partial<Day> = {}): Day => ({
  date,
  succeeded: 0,
  failed: 0,
  rejected: 0,
  cancelled: 0,
  undone: 0,
  alone: 0,
  seconds: 0,
  cost: 0,
  ...more,
});

it("fills in the days on which nothing happened, across months", () => {
  const days = everyDay([day("2026-11-01", { succeeded: 2 })], 3, "2026-11-02");
  expect(days.map(({ date, succeeded }) => [date, succeeded])).toEqual([
    ["2026-10-31", 0],
    ["2026-11-01", 2],
    ["2026-11-02", 0],
  ]);
});

it("puts the parts of a bar on top of each other", () => {
  expect(stacked([day("2026-11-01", { succeeded: 3, failed: 1, cancelled: 2 })])).toEqual([[3], [4], [4], [4], [6]]);
});

it("says which share ran alone, and nothing about days without any", () => {
  expect(aloneShare([day("2026-11-01"), day("2026-11-02", { succeeded: 3, failed: 1, alone: 1 })])).toEqual([null, 25]);
});

describe("sums", () => {
  it("adds up", () => {
    expect(sums([day("a", { succeeded: 3, alone: 2 }), day("b", { failed: 1, undone: 1 })])).toEqual({ actions: 5, undone: 1, well: 60, alone: 40 });
  });

  it("has no shares of nothing", () => expect(sums([])).toEqual({ actions: 0, undone: 0, well: null, alone: null }));
});
