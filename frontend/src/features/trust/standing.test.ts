import { describe, expect, it } from "vitest";
import type { ActionShape } from "@/api/catalogue";
import { kindsOf, ownWord, rungOf, tally, untried, type TrustRecord } from "./standing";

function record(intent: string, project: string, more: Partial<TrustRecord> = {}): TrustRecord {
  return { intent, project, state: "asks", code: "not_earned", verdict: "ask", good: 1, bad: 0, recent: ["good"], ...more } as TrustRecord;
}

const action = (name: string, effects: string[]): ActionShape => ({ name, summary: `Do ${name}.`, effects }) as ActionShape;

describe("the owner's word", () => {
  const overrides = { "write_file@*": { verdict: "ask" as const, lifted: false }, "write_file@books": { verdict: "auto" as const, lifted: false } };

  it("for a project goes before the one for all", () => {
    expect(ownWord(overrides, "write_file", "books")).toEqual({ verdict: "auto", lifted: false, everywhere: false });
    expect(ownWord(overrides, "write_file", "garden")).toEqual({ verdict: "ask", lifted: false, everywhere: true });
    expect(ownWord(overrides, "write_file", "")).toMatchObject({ everywhere: true });
    expect(ownWord(overrides, "run_tests", "books")).toBeNull();
  });

  it("goes before the record", () => {
    const alone = record("write_file", "books", { state: "alone" });
    expect(rungOf(alone, null)).toBe("alone");
    expect(rungOf(alone, { verdict: "ask", lifted: false, everywhere: true })).toBe("asks");
    expect(rungOf(alone, { verdict: "refuse", lifted: false, everywhere: true })).toBe("never");
    expect(rungOf(record("write_file", "books"), { verdict: "auto", lifted: false, everywhere: false })).toBe("alone");
  });

  it("does not lift what always asks, unless it says so", () => {
    const floor = record("deploy_app", "books", { code: "floor" });
    expect(rungOf(floor, { verdict: "auto", lifted: false, everywhere: false })).toBe("asks");
    expect(rungOf(floor, { verdict: "auto", lifted: true, everywhere: false })).toBe("alone");
  });
});

describe("kinds of action", () => {
  const actions = [action("write_file", ["write_project"]), action("read_file", ["read"]), action("run_tests", ["execute_sandboxed"])];

  it("are called by what they do, the most used first", () => {
    const records = [record("run_tests", "books"), record("write_file", "books", { good: 5 }), record("write_file", "garden")];
    expect(kindsOf(records, actions).map((kind) => [kind.title, kind.records.length])).toEqual([
      ["Do write_file", 2],
      ["Do run_tests", 1],
    ]);
  });

  it("that were never tried are told apart by whether they would ask", () => {
    const { asks, looks } = untried([record("write_file", "books")], actions);
    expect([asks.map((one) => one.name), looks.map((one) => one.name)]).toEqual([["run_tests"], ["read_file"]]);
  });

  it("are counted by how they went", () => {
    expect(tally(["good", "undone", "good"])).toEqual({ good: 2, failed: 0, rejected: 0, undone: 1 });
  });
});
