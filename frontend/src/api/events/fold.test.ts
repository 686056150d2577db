import { describe, expect, it } from "vitest";
import { aTask, anEvent } from "../testing";
import { fold, withNew } from "./fold";

const started = anEvent(1, "step_started", "a");
const finished = anEvent(3, "step_finished", "a", { status: "succeeded", result: { success: true, message: "Done" }, seconds: 2 });

describe("fold", () => {
  it("follows a step from its start through its progress to its end", () => {
    const progress = anEvent(2, "progress", "a", { message: "Halfway", done: 1, total: 2 });
    const [running] = fold([aTask("a")], [started, progress]);
    expect(running).toMatchObject({ status: "running", progress: { done: 1, total: 2 } });
    const [done] = fold([aTask("a")], [started, progress, finished]);
    expect(done).toMatchObject({ status: "succeeded", seconds: 2, result: { message: "Done" } });
    expect(done?.progress).toBeUndefined();
  });

  it("comes out the same when an event is repeated", () => {
    const seen = new Map<string, number>();
    const once = fold([aTask("a")], [started, finished], seen);
    expect(fold(once, [started, finished], seen)).toBe(once);
  });

  it("is not set back by an event that arrives late", () => {
    const [done] = fold([aTask("a")], [finished, started]);
    expect(done?.status).toBe("succeeded");
    const [again] = fold([aTask("a", { status: "succeeded", finished: finished.at })], [started]);
    expect(again?.status).toBe("succeeded");
  });

  it("marks the tasks that an undo took back, and unmarks those that it brought back", () => {
    const undo = anEvent(5, "step_finished", "u", { status: "succeeded", result: null, undoes: ["a"], redoes: ["b"] });
    const [a, b] = fold([aTask("a", { status: "succeeded" }), aTask("b", { status: "undone", undone_by: "x" })], [undo]);
    expect(a).toMatchObject({ status: "undone", undone_by: "u" });
    expect(b).toMatchObject({ status: "succeeded", undone_by: null });
  });

  it("has a step that failed and stays queued wait again, with the reason", () => {
    const result = { success: false, message: "It is not proven" };
    const failed = anEvent(5, "step_finished", "a", { status: "failed", result });
    const [task] = fold([aTask("a")], [failed, anEvent(6, "step_kept", "a", { why: result.message })]);
    expect(task).toMatchObject({ status: "queued", finished: null, result });
  });

  it("keeps the very same list when nothing in it changed", () => {
    const tasks = [aTask("a")];
    expect(fold(tasks, [anEvent(9, "step_started", "somebody-else"), anEvent(10, "unheard_of", "a")])).toBe(tasks);
  });

  it("says no when a task is rejected, with the reason", () => {
    const [task] = fold([aTask("a")], [anEvent(1, "approval_refused", "a", { reason: "not this file" })]);
    expect(task).toMatchObject({ status: "rejected", result: { message: "Rejected: not this file" } });
  });
});

describe("withNew", () => {
  it("puts new tasks in front and tells their parents", () => {
    const added = anEvent(1, "task_added", "step", { task: aTask("step", { parent_id: "plan" }) });
    const [step, plan] = withNew([aTask("plan")], [added, added], () => true);
    expect(step?.id).toBe("step");
    expect(plan?.children).toEqual(["step"]);
  });

  it("leaves out what is not wanted or known already", () => {
    const tasks = [aTask("a")];
    const added = anEvent(1, "task_added", "a", { task: aTask("a") });
    const other = anEvent(2, "task_added", "b", { task: aTask("b", { project: "else" }) });
    expect(withNew(tasks, [added, other], (task) => task.project === "notes")).toBe(tasks);
  });
});
