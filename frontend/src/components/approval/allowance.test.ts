import { describe, expect, it } from "vitest";
import type { Task } from "@/api/model";
import { alwaysFor } from "./allowance";

function asked(code: string, more: Partial<Task> = {}): Task {
  const decision = { verdict: "ask", score: 0, threshold: 1, level: "low", code, reasons: [] };
  return { intent: "write_file", status: "awaiting_approval", project: "books", card: null, decision, ...more } as Task;
}

describe("allowing it always", () => {
  it("is offered for this kind of action in this project", () => {
    expect(alwaysFor(asked("not_earned"))).toEqual({ project: "books", lifts: false });
    expect(alwaysFor(asked("demoted", { project: null }))).toEqual({ project: null, lifts: false });
  });

  it("lifts the floor of what always asks", () => expect(alwaysFor(asked("floor"))).toEqual({ project: "books", lifts: true }));

  it("is not offered where it would change nothing", () => {
    for (const code of ["tainted_outward", "flagged", "unknown_effect", "action_rule", "ask_all"]) expect(alwaysFor(asked(code))).toBeNull();
    expect(alwaysFor(asked("not_earned", { intent: "plan" }))).toBeNull();
    expect(alwaysFor(asked("not_earned", { status: "interrupted" }))).toBeNull();
    expect(alwaysFor(asked("floor", { card: { blocked: "Vercel is not connected" } as Task["card"] }))).toBeNull();
  });
});
