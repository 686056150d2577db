import { describe, expect, it } from "vitest";
import type { LogEntry } from "@/api/model";
import { byDay, copyPlace, lasted, stepsOf, verdictOn } from "./reading";

const entry = (date: string, name: string): LogEntry => ({ date, name, size: 1, id: name, title: name, status: "succeeded", confirmationNeeded: false, created: null, project: null });

describe("stepsOf", () => {
  it("makes tasks of what a log says, and passes over what is no step", () => {
    const steps = stepsOf({ steps: [{ id: "1", intent: "create_file", status: "succeeded", title: "Write it" }, { title: "damaged" }] });
    expect(steps.map(({ title, cost, children }) => [title, cost, children])).toEqual([["Write it", 0, []]]);
    expect(stepsOf({})).toEqual([]);
  });
});

describe("lasted", () => {
  it("takes the time that was measured, else the time between", () => {
    expect(lasted({ seconds: 2 })).toBe(2);
    expect(lasted({ seconds: null, started: "2026-11-17T07:00:00Z", finished: "2026-11-17T07:00:08Z" })).toBe(8);
    expect(lasted({ started: "2026-11-17T07:00:00Z", finished: null })).toBeNull();
  });
});

it("finds the word about the whole, not about a step", () => {
  const approvals = [
    { id: "2", approved: true, at: "" },
    { id: "1", approved: false, at: "", reason: "no" },
  ];
  expect(verdictOn({ id: "1", approvals })?.reason).toBe("no");
});

it("puts logs under their days", () => {
  const days = byDay([entry("2026-11-17", "b"), entry("2026-11-17", "a"), entry("2026-11-16", "z")]);
  expect(days.map(({ date, entries }) => [date, entries.length])).toEqual([
    ["2026-11-17", 2],
    ["2026-11-16", 1],
  ]);
});

describe("copyPlace", () => {
  it("opens what is on the web there, and what is in a folder here", () => {
    expect(copyPlace({ name: "070548-66.json", link: "https://drive.google.com/x" })).toEqual({ url: "https://drive.google.com/x" });
    expect(copyPlace({ name: "070548-66.json", link: "file:///b/2026-11-17/070548-66.json" })).toEqual({ date: "2026-11-17", name: "070548-66.json" });
    expect(copyPlace({ name: "context-3f.json", link: "file:///b/2026-11-17/context-3f.json" })).toBeNull();
    expect(copyPlace({ name: "x", link: "javascript:alert(1)" })).toBeNull();
  });
});
