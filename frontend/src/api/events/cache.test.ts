import { QueryClient, QueryObserver } from "@tanstack/react-query";
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

  it("is not misled by a late event about the whole service", () => {
    const settings = { success: true, message: "", settings: {}, about: [], autonomy: { mode: "earned" as const, until: null, by_project: {} } };
    client.setQueryData(queries.settings().queryKey, settings);
    const set = (seq: number, mode: string) => anEvent(seq, "autonomy_set", null, { mode, project: null, until: null });
    writer.take([set(1, "ask_all"), set(2, "earned")]);
    writer.take([set(1, "ask_all")]);
    expect(client.getQueryData(queries.settings().queryKey)?.autonomy.mode).toBe("earned");
  });

  it("does not copy all that it has seen for each event", () => {
    for (let seq = 1; seq <= 2000; seq += 1) writer.take([anEvent(seq, "outcome", `t${seq}`)]);
    const copied = vi.spyOn(Map.prototype, "set");
    writer.take([anEvent(2001, "step_started", "a")]);
    expect(copied.mock.calls.length).toBeLessThan(100);
  });

  describe("while an answer is on its way", () => {
    /** Answers of the service, the oldest first, each of which arrives when the test says so. */
    const arriving: ((tasks: Task[]) => void)[] = [];
    const arrive = async (...tasks: Task[]): Promise<void> => {
      arriving.shift()?.(tasks);
      await vi.advanceTimersByTimeAsync(2000);
    };
    let stop: () => void;

    const read = (): void => {
      const observer = new QueryObserver<Task[]>(client, { queryKey: waitingKey, queryFn: () => new Promise((done) => arriving.push(done)) });
      stop = observer.subscribe(() => undefined);
    };
    afterEach(() => {
      stop();
      arriving.length = 0;
    });

    it.each([
      ["first", undefined],
      ["next", [aTask("a", { status: "awaiting_approval" })]],
    ])("reads once more after the %s one if something happened meanwhile", async (_, known) => {
      client.removeQueries({ queryKey: waitingKey });
      if (known) client.setQueryData(waitingKey, known, { updatedAt: 1 });
      read();
      writer.take([anEvent(1, "step_started", "a")]);
      await vi.advanceTimersByTimeAsync(2000);
      expect(arriving).toHaveLength(1);
      await arrive(aTask("a", { status: "awaiting_approval" }));
      expect(arriving).toHaveLength(1);
      await arrive();
      expect(client.getQueryData(waitingKey)).toEqual([]);
      expect(arriving).toHaveLength(0);
    });

    it("reads once more after one that was asked for before the stream was there", async () => {
      client.removeQueries({ queryKey: waitingKey });
      read();
      writer.readAllAnew();
      await arrive(aTask("a", { status: "awaiting_approval" }));
      await arrive();
      expect(client.getQueryData(waitingKey)).toEqual([]);
    });
  });

  it("reads again what could not be read while the service was away, and only that", async () => {
    const reads: string[] = [];
    const watch = (name: string, works: boolean): (() => void) => {
      const queryFn = (): Promise<string> => {
        reads.push(name);
        return works || reads.length > 2 ? Promise.resolve(name) : Promise.reject(new Error("away"));
      };
      return new QueryObserver(client, { queryKey: [name], queryFn, retry: false }).subscribe(() => undefined);
    };
    const stops = [watch("fails", false), watch("works", true)];
    await vi.advanceTimersByTimeAsync(0);
    writer.readFailed();
    await vi.advanceTimersByTimeAsync(0);
    expect(reads).toEqual(["fails", "works", "fails"]);
    expect(client.getQueryData(["fails"])).toBe("fails");
    for (const stop of stops) stop();
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
