import { describe, expect, it } from "vitest";
import type { Task } from "@/api/model";
import { decidedLately, inOrder, placeOf } from "./choice";

const task = (id: string, created: string, more: Partial<Task> = {}): Task => ({ id, created, approval: null, ...more }) as Task;
const A = task("a", "2026-11-17T06:00:00Z");
const B = task("b", "2026-11-17T06:01:00Z");
const C = task("c", "2026-11-17T06:02:00Z");

describe("cards", () => {
  it("stand in the order in which they came", () => expect(inOrder([C, A, B])).toEqual([A, B, C]));

  it("stay in front while others come and go", () => {
    expect(placeOf([A, B, C], "b", 0)).toBe(1);
    expect(placeOf([B, C], "b", 1)).toBe(0);
  });

  it("make room for the next one when they are decided", () => {
    expect(placeOf([A, C], "b", 1)).toBe(1);
    expect(placeOf([A], "b", 1)).toBe(0);
    expect(placeOf([], "b", 1)).toBe(-1);
    expect(placeOf([A, B], undefined, 0)).toBe(0);
  });
});

describe("what was decided lately", () => {
  it("is what a person decided, not what a plan covered or a record earned", () => {
    const by = (id: string, at: string, who: string): Task => task(id, at, { approval: { approved: true, at, by: who } });
    const tasks = [by("x", "1", "owner"), by("y", "2", "plan"), by("z", "3", "trust"), by("v", "4", "owner"), A];
    expect(decidedLately(tasks, 5).map((one) => one.id)).toEqual(["v", "x"]);
    expect(decidedLately(tasks, 1).map((one) => one.id)).toEqual(["v"]);
  });
});
