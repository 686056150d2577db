/** Events reach the screen: tasks are changed at once, and what else they touch is read anew a moment later. */
import type { InfiniteData, QueryClient, QueryFilters, QueryKey } from "@tanstack/react-query";
import { isWaiting, type AgentEvent, type AutonomyView, type Task } from "../model";
import { queries, type TaskFilter } from "../queries";
import { fold, newTask, withNew } from "./fold";

/** What an event touches besides tasks: beginnings of query keys. */
const TOUCHES: Record<string, (event: AgentEvent) => QueryKey[]> = {
  step_finished: () => [["projects"], ["project"], ["files"], ["history"], ["preview"], ["proof"], ["queue"], ["logs"], ["timeline"], ["deployments"]],
  task_added: () => [["queue"], ["projects"]],
  task_edited: () => [["queue"]],
  task_cancelled: () => [["queue"]],
  queue_moved: () => [["queue"]],
  steps_adopted: () => [["queue"], ["tasks"]],
  step_started: () => [["queue"]],
  outcome: () => [["trust"]],
  override_set: () => [["trust"]],
  autonomy_set: () => [["trust"], ["settings"]],
  app_state: ({ data }) => [["preview", data.project], ["projects"]],
  app_wanted: ({ data }) => [["preview", data.project]],
  picture_taken: () => [["projects"], ["project"]],
  app_proven: ({ data }) => [["proof", data.project]],
  deployment_logged: () => [["deployments"]],
  credential_changed: () => [["credentials"], ["deployments"]],
  backup_state: () => [["backups"], ["logs"]],
  state_imported: () => [[]],
};

const SETTLE_MS = 250;
const LONGEST_MS = 1500;
/** Of so many tasks it is known which event was their last; an event comes late by moments, not by thousands of tasks. */
const REMEMBERED = 5000;
/** Queries that hold tasks, which events change without reading anything. */
const OF_TASKS: ReadonlySet<unknown> = new Set(["tasks", "task", "waiting"]);

export class CacheWriter {
  readonly #client: QueryClient;
  readonly #seen = new Map<string, number>();
  #touched = new Map<string, QueryKey>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #since = 0;

  constructor(client: QueryClient) {
    this.#client = client;
  }

  take = (given: AgentEvent[]): void => {
    const events = given.filter((event) => this.#isNew(event));
    this.#lists(events);
    this.#single(events);
    this.#waiting(events);
    this.#autonomy(events);
    for (const event of events) for (const key of TOUCHES[event.type]?.(event) ?? []) this.#touch(key);
    this.#overtake(events);
  };

  /** After a gap that no catching up has filled, everything that is shown is read anew. */
  readAllAnew(): void {
    this.#readAnew({});
  }

  /** What could not be read while the service was away. */
  readFailed(): void {
    void this.#client.refetchQueries({ type: "active", predicate: ({ state }) => state.status === "error" || state.isInvalidated });
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** Whether an event comes neither twice nor after a later one about the same. */
  #isNew({ task_id, type, seq }: AgentEvent): boolean {
    const about = task_id ?? type;
    if (seq <= (this.#seen.get(about) ?? 0)) return false;
    this.#seen.delete(about);
    this.#seen.set(about, seq);
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > REMEMBERED && oldest !== undefined) this.#seen.delete(oldest);
    return true;
  }

  /** An answer that is still on its way may be older than these events: then it would undo on screen what they did. */
  #overtake(events: AgentEvent[]): void {
    if (!events.some(({ task_id, type }) => task_id && type !== "progress")) return;
    const reading = this.#client.getQueryCache().findAll({ fetchStatus: "fetching", predicate: ({ queryKey }) => OF_TASKS.has(queryKey[0]) });
    for (const { queryKey } of reading) this.#touch(queryKey);
  }

  #lists(events: AgentEvent[]): void {
    for (const query of this.#client.getQueryCache().findAll({ queryKey: ["tasks"] })) {
      const filter = query.queryKey[1] as TaskFilter;
      this.#client.setQueryData<InfiniteData<Task[]>>(query.queryKey, (data) => {
        if (!data) return data;
        const pages = data.pages.map((page, index) => {
          const listed = index === 0 ? withNew(page, events, (task) => fits(task, filter)) : page;
          const made = fold(listed, events);
          return filter.status && made !== page ? made.filter((task) => fits(task, filter)) : made;
        });
        return pages.every((page, index) => page === data.pages[index]) ? data : { ...data, pages };
      });
    }
  }

  #single(events: AgentEvent[]): void {
    for (const query of this.#client.getQueryCache().findAll({ queryKey: ["task"] })) {
      this.#client.setQueryData<{ task: Task; children: Task[] }>(query.queryKey, (data) => {
        if (!data) return data;
        const family = [data.task, ...data.children];
        const listed = withNew(family, events, (task) => task.parent_id === data.task.id);
        const made = fold(listed, events);
        if (made === family) return data;
        const task = made.find((one) => one.id === data.task.id) ?? data.task;
        const order = new Map(task.children.map((id, index) => [id, index]));
        const children = made.filter((one) => one !== task);
        return { task, children: children.sort((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0)) };
      });
    }
  }

  #waiting(events: AgentEvent[]): void {
    const { queryKey } = queries.waiting();
    const asked = events.filter((event) => event.type === "approval_asked" || event.type === "task_parked");
    this.#client.setQueryData<Task[]>(queryKey, (data) => {
      if (!data) return data;
      const known = new Map(data.map((task) => [task.id, task]));
      const fresh = asked.flatMap((event) => (known.has(event.task_id ?? "") ? [] : (this.#find(event.task_id, events) ?? [])));
      const listed = fresh.length > 0 ? [...fresh, ...data] : data;
      const made = fold(listed, events);
      return made === data ? data : made.filter(isWaiting);
    });
    const listed = new Set(this.#client.getQueryData<Task[]>(queryKey)?.map((task) => task.id));
    if (asked.some((event) => !listed.has(event.task_id ?? ""))) this.#touch(queryKey);
  }

  /** A task from what is on screen, or from the events themselves. */
  #find(id: string | null, events: AgentEvent[]): Task | null {
    const added = events.map(newTask).find((task) => task?.id === id);
    if (added) return added;
    for (const query of this.#client.getQueryCache().findAll({ queryKey: ["tasks"] })) {
      const data = query.state.data as InfiniteData<Task[]> | undefined;
      const found = data?.pages.flat().find((task) => task.id === id);
      if (found) return found;
    }
    return null;
  }

  #autonomy(events: AgentEvent[]): void {
    const event = events.findLast((one) => one.type === "autonomy_set" && !one.data.project);
    if (!event) return;
    this.#client.setQueryData(queries.settings().queryKey, (data) => {
      if (!data) return data;
      const { mode, until } = event.data as unknown as AutonomyView;
      return { ...data, autonomy: { ...data.autonomy, mode, until: until ?? null } };
    });
  }

  #touch(key: QueryKey): void {
    if (this.#touched.size === 0) this.#since = Date.now();
    this.#touched.set(JSON.stringify(key), key);
    clearTimeout(this.#timer);
    const left = Math.max(0, this.#since + LONGEST_MS - Date.now());
    this.#timer = setTimeout(() => this.#settle(), Math.min(SETTLE_MS, left));
  }

  #settle(): void {
    const keys = [...this.#touched.values()];
    this.#touched = new Map();
    for (const queryKey of keys) this.#readAnew({ queryKey });
  }

  /** What is being read already is read once more afterwards, since nobody knows from before or after which event it is. */
  #readAnew(filters: QueryFilters): void {
    for (const query of this.#client.getQueryCache().findAll({ ...filters, fetchStatus: "fetching" })) {
      const again = (): void => this.#readAnew({ queryKey: query.queryKey, exact: true });
      query.promise?.then(again, again);
    }
    // A tab that nobody looks at reads when it is looked at again.
    const refetchType = document.visibilityState === "hidden" ? "none" : "active";
    void this.#client.invalidateQueries({ ...filters, refetchType }, { cancelRefetch: false });
  }
}

function fits(task: Task, filter: TaskFilter): boolean {
  return (!filter.project || task.project === filter.project) && (!filter.status || task.status === filter.status);
}
