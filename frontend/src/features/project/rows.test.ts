import { describe, expect, it } from "vitest";
import { aTask } from "@/api/testing";
import { rows, standing } from "./rows";

const plan = aTask("p", { intent: "plan", params: { goal: "add search" }, children: ["a", "b"], status: "running" });
const steps = [aTask("b", { parent_id: "p" }), aTask("a", { parent_id: "p", status: "succeeded" })];

describe("rows", () => {
  it("tells a plan as what was asked, the plan, and its steps in their order", () => {
    const found = rows([...steps, plan]);
    expect(found.map((row) => row.key)).toEqual(["p:said", "p:plan", "a", "b"]);
    expect(found[1]).toMatchObject({ done: 1, total: 2 });
  });

  it("ends a plan that is over with what came of it", () => {
    const found = rows([{ ...plan, status: "succeeded" }, ...steps]);
    expect(found.at(-1)?.kind).toBe("outcome");
  });

  it("says of a plan that was taken back only that", () => {
    const undone = steps.map((step) => ({ ...step, status: "undone" as const, commit: "c0ffee" }));
    const [last] = rows([{ ...plan, status: "succeeded" }, ...undone]).slice(-1);
    expect(last).toMatchObject({ kind: "outcome", undone: true });
  });

  it("leaves out the steps of a plan that nobody wanted", () => {
    const dropped = { ...plan, status: "cancelled" as const };
    expect(rows([dropped, ...steps]).map((row) => row.kind)).toEqual(["said", "left"]);
    expect(rows([{ ...dropped, started: "2026-11-17T06:00:00.000Z" }, ...steps]).at(-1)?.kind).toBe("outcome");
  });

  it("shows what waits as a card, and not the steps that it has not begun", () => {
    expect(rows([{ ...plan, status: "awaiting_approval" }, ...steps]).map((row) => row.kind)).toEqual(["said", "card"]);
    const waiting = { ...aTask("a", { parent_id: "p" }), status: "interrupted" as const };
    expect(rows([plan, waiting]).map((row) => row.kind)).toEqual(["said", "plan", "card"]);
  });

  it("puts the oldest first, and steps without their plan on their own", () => {
    const late = aTask("late", { created: "2026-11-17T07:00:00.000Z" });
    const orphan = aTask("orphan", { parent_id: "gone", created: "2026-11-17T04:00:00.000Z" });
    expect(rows([late, orphan]).map((row) => row.key)).toEqual(["orphan", "late"]);
  });
});

describe("standing", () => {
  it("says first what waits, then what runs, then what came last", () => {
    const old = aTask("old", { status: "failed" });
    const late = aTask("late", { status: "succeeded", created: "2026-11-17T07:00:00.000Z" });
    expect(standing([])).toBeNull();
    expect(standing([late, { ...plan, status: "rejected", created: "2026-11-17T08:00:00.000Z" }])).toBe("succeeded");
    expect(standing([old, late])).toBe("succeeded");
    expect(standing([old, late, plan])).toBe("running");
    expect(standing([old, late, plan, aTask("w", { status: "awaiting_approval", parent_id: "p" })])).toBe("awaiting_approval");
  });
});
