import { describe, expect, it } from "vitest";
import { groupsOf, moved, partsOf, type QueuedStep } from "./order";

const PLAN = { id: "p", title: "Books", status: "queued" as const };
const step = (id: string, plan: QueuedStep["plan"] = null): QueuedStep => ({ id, plan, step: { intent: "run_tests" }, timestamp: "", title: id });
const ids = (steps: QueuedStep[] | undefined): string | undefined => steps?.map((one) => one.id).join("");

describe("the queue", () => {
  const steps = [step("a"), step("x", PLAN), step("b"), step("y", PLAN), step("c")];

  it("is grouped by plan", () => expect(groupsOf(steps).map((group) => [group.plan?.id ?? null, ids(group.steps)])).toEqual([[null, "abc"], ["p", "xy"]]));

  it("lets a step move within its group, up and down", () => {
    const up = moved(steps, "c", "a");
    expect([ids(up?.steps), up?.before]).toEqual(["cxayb", "a"]);
    const down = moved(steps, "a", "b");
    expect([ids(down?.steps), down?.before]).toEqual(["bxayc", "c"]);
    const end = moved(steps, "a", "c");
    expect([ids(end?.steps), end?.before]).toEqual(["bxcya", null]);
  });

  it("keeps a step from leaving its plan or moving nowhere", () => {
    expect(moved(steps, "a", "x")).toBeNull();
    expect(moved(steps, "a", "a")).toBeNull();
    expect(moved(steps, "a", "gone")).toBeNull();
  });

  it("takes a step apart for its form", () => {
    expect(partsOf({ intent: "write_file", project: "books", path: "a" })).toEqual({ intent: "write_file", project: "books", params: { path: "a" } });
  });
});
