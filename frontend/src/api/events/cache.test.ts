import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Task } from "../model";
import { queries } from "../queries";
import { aTask, anEvent } from "../testing";
import { CacheWriter } from "./cache";

const tasksKey = queries.tasks({ project: "notes" }).queryKey;
const waitingKey = queries.waiting().queryKey;
const listed = (client: QueryClient): Task[] => client.getQueryData(tasksKey)?.pages.flat() ?? [];

describe("CacheWriter", () => {
  let client: QueryClient;
  let writer: CacheWriter;

  beforeEach(() => {
    vi.useFakeTimers();
    client = new QueryClient();
    client.setQueryData(tasksKey, { pages: [[aTask("a")]], pageParams: [""] });
    client.setQueryData(waitingKey, []);
    writer = new CacheWriter(client);
  });
  afterEach(() => vi.useRealTimers());

  it("shows a task that was added, in its project only", () => {
    writer.take([
      anEvent(1, "task_added", "b", { task: aTask("b") }),
      anEvent(2, "task_added", "c", { task: aTask("c", { project: "else" }) }),
    ]);
    expect(listed(client).map((task) => task.id)).toEqual(["b", "a"]);
  });

  it("puts a task among those that wait, with its card, and takes it out when it was decided", () => {
    writer.take([anEvent(1, "approval_asked", "a", { card: { title: "Create a file" } })]);
    expect(client.getQueryData(waitingKey)?.[0]).toMatchObject({ id: "a", card: { title: "Create a file" } });
    expect(listed(client)[0]?.status).toBe("awaiting_approval");
    writer.take([anEvent(2, "step_started", "a")]);
    expect(client.getQueryData(waitingKey)).toEqual([]);
  });

  it("is not misled by events that come twice", () => {
    const events = [anEvent(1, "approval_asked", "a", { card: { title: "x" } }), anEvent(2, "step_started", "a")];
    writer.take(events);
    writer.take(events);
    expect(client.getQueryData(waitingKey)).toEqual([]);
    expect(listed(client)[0]?.status).toBe("running");
  });

  it("reads what else an event touches once, a moment later", () => {
    const invalidate = vi.spyOn(client, "invalidateQueries");
    for (let seq = 1; seq < 6; seq += 1) writer.take([anEvent(seq, "outcome", "a")]);
    expect(invalidate).not.toHaveBeenCalled();
    vi.advanceTimersByTime(2000);
    expect(invalidate.mock.calls.map(([filters]) => filters?.queryKey)).toEqual([["trust"]]);
  });

  it("does not put off reading for ever while events keep coming", () => {
    const invalidate = vi.spyOn(client, "invalidateQueries");
    for (let seq = 1; seq < 20; seq += 1) {
      writer.take([anEvent(seq, "outcome", "a")]);
      vi.advanceTimersByTime(200);
    }
    expect(invalidate.mock.calls.length).toBeGreaterThanOrEqual(2);
  });

  it("changes the autonomy mode at once", () => {
    client.setQueryData(queries.settings().queryKey, {
      success: true,
      message: "",
      settings: {},
      about: [],
      autonomy: { mode: "earned", until: null, by_project: {} },
    });
    writer.take([anEvent(1, "autonomy_set", null, { mode: "ask_all", project: null, until: null })]);
    expect(client.getQueryData(queries.settings().queryKey)?.autonomy.mode).toBe("ask_all");
  });
});
