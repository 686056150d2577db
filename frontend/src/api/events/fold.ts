/** What an event means for the tasks that are on screen. The service's own fold is the truth; this one is quick. */
import type { AgentEvent, Card, Decision, Progress, Status, Task } from "../model";

type Change = (task: Task, event: AgentEvent) => Task;

const ended = (task: Task, event: AgentEvent, status: Status, message: string): Task => ({
  ...task,
  status,
  finished: event.at,
  progress: undefined,
  result: { success: false, message },
});

const CHANGES: Record<string, Change> = {
  task_edited: (task, { data }) => ({ ...task, ...(data as Partial<Task>) }),
  task_decided: (task, { data }) => ({ ...task, decision: data.decision as Decision }),
  approval_asked: (task, { data }) => ({ ...task, status: "awaiting_approval", card: data.card as Card }),
  approval_given: (task, { at, data }) => ({ ...task, approval: { approved: true, at, ...data } }),
  approval_refused: (task, event) => ({
    ...ended(task, event, "rejected", `Rejected: ${text(event.data.reason) || "no reason given"}`),
    approval: { approved: false, at: event.at, ...event.data },
  }),
  task_cancelled: (task, event) => ended(task, event, "cancelled", text(event.data.reason) || "Cancelled"),
  task_parked: (task, { data }) => ({
    ...task,
    status: "interrupted",
    progress: undefined,
    result: { success: false, message: text(data.reason) },
  }),
  step_started: (task, { at }) => ({ ...task, status: "running", started: at, finished: null, progress: undefined }),
  progress: (task, { data }) => ({ ...task, progress: data as unknown as Progress }),
  step_retried: (task, { data }) => ({
    ...task,
    status: "queued",
    retried: text(data.why),
    result: null,
    finished: null,
    progress: undefined,
  }),
  // It failed and goes back to its place in the queue; its result says why.
  step_kept: (task) => ({ ...task, status: "queued", finished: null }),
  task_settled: (task, { data }) => ({ ...task, ...(data as Partial<Task>) }),
  step_finished: (task, { at, data }) => ({
    ...task,
    status: data.status as Status,
    result: (data.result ?? null),
    finished: at,
    seconds: (data.seconds as number | undefined) ?? null,
    cost: (data.cost as number | undefined) ?? 0,
    commit: (data.commit as string | undefined) ?? null,
    undoes: ids(data.undoes),
    redoes: ids(data.redoes),
    card: null,
    progress: undefined,
  }),
};

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const ids = (value: unknown): string[] => (Array.isArray(value) ? value.filter((one) => typeof one === "string") : []);

/** The tasks after these events; the same array if nothing in it changed. Repeated and late events change nothing. */
export function fold(tasks: Task[], events: readonly AgentEvent[], seen = new Map<string, number>()): Task[] {
  const found = new Map(tasks.map((task, at) => [task.id, at]));
  const made = [...tasks];
  let changed = false;
  for (const event of events) {
    for (const [id, change] of meaning(event)) {
      const at = found.get(id) ?? -1;
      const task = made[at];
      if (!task || isLate(task, event, seen)) continue;
      made[at] = change(task, event);
      changed = true;
    }
    if (event.task_id) seen.set(event.task_id, Math.max(seen.get(event.task_id) ?? 0, event.seq));
  }
  return changed ? made : tasks;
}

/** What happens to which task: its own change, and for an undo also that of the tasks which it took back. */
function* meaning(event: AgentEvent): Generator<[string, Change]> {
  const own = CHANGES[event.type];
  if (own && event.task_id) yield [event.task_id, own];
  if (event.type !== "step_finished") return;
  for (const id of ids(event.data.undoes)) {
    yield [id, (task) => ({ ...task, status: "undone", undone_by: event.task_id })];
  }
  for (const id of ids(event.data.redoes)) yield [id, (task) => ({ ...task, status: "succeeded", undone_by: null })];
}

function isLate(task: Task, event: AgentEvent, seen: Map<string, number>): boolean {
  if (event.task_id === task.id && event.seq <= (seen.get(task.id) ?? 0)) return true;
  return task.finished !== null && event.at < task.finished;
}

/** The task that an event brought into the world. */
export function newTask(event: AgentEvent): Task | null {
  const task = event.type === "task_added" ? (event.data.task as Partial<Task> | undefined) : undefined;
  return task?.id && task.status ? (task as Task) : null;
}

/** The tasks with the new ones in front, as the service lists them, and their parents knowing them. */
export function withNew(tasks: Task[], events: readonly AgentEvent[], wanted: (task: Task) => boolean): Task[] {
  const known = new Set(tasks.map((task) => task.id));
  const added = new Map(events.flatMap((event) => newTask(event) ?? []).map((task) => [task.id, task]));
  const fresh = [...added.values()].filter((task) => !known.has(task.id) && wanted(task));
  if (fresh.length === 0) return tasks;
  const listed = [...fresh.toReversed(), ...tasks];
  const parents = new Set(fresh.map((task) => task.parent_id));
  return listed.map((task) => {
    if (!parents.has(task.id)) return task;
    const born = fresh.filter((child) => child.parent_id === task.id).map((child) => child.id);
    return { ...task, children: [...new Set([...task.children, ...born])] };
  });
}
