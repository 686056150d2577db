/** A project's tasks as a conversation: what was asked, what was planned, what was done. Oldest first. */
import { isOpen, isWaiting, type Task } from "@/api/model";

export type Row =
  | { kind: "said"; key: string; words: string; at: string }
  | { kind: "plan"; key: string; task: Task; done: number; total: number }
  | { kind: "card"; key: string; task: Task }
  | { kind: "step"; key: string; task: Task; quiet: boolean }
  | { kind: "outcome"; key: string; task: Task; changed: boolean; undone: boolean; queued: number }
  /** A plan that nobody wanted. */
  | { kind: "left"; key: string; task: Task };

export function rows(tasks: readonly Task[]): Row[] {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const roots = tasks.filter((task) => task.parent_id === null || !byId.has(task.parent_id));
  return roots.toSorted((a, b) => a.created.localeCompare(b.created) || a.id.localeCompare(b.id)).flatMap((root) => [...rowsOf(root, byId)]);
}

function* rowsOf(root: Task, byId: ReadonlyMap<string, Task>): Generator<Row> {
  const { id } = root;
  if (root.params.goal) yield { kind: "said", key: `${id}:said`, words: root.params.goal, at: root.created };
  if (isWaiting(root)) {
    yield { kind: "card", key: `${id}:card`, task: root };
    return;
  }
  if (root.intent !== "plan") {
    yield { kind: "step", key: id, task: root, quiet: false };
    return;
  }
  if (neverBegan(root)) {
    yield { kind: "left", key: `${id}:left`, task: root };
    return;
  }
  const steps = root.children.flatMap((child) => byId.get(child) ?? []);
  const done = steps.filter((step) => !isOpen(step)).length;
  yield { kind: "plan", key: `${id}:plan`, task: root, done, total: steps.length };
  for (const step of steps) {
    // The last step often says what the plan says below it.
    const quiet = !isOpen(root) && step.result?.message === root.result?.message;
    yield isWaiting(step) ? { kind: "card", key: `${step.id}:card`, task: step } : { kind: "step", key: step.id, task: step, quiet };
  }
  if (isOpen(root)) return;
  const changes = steps.filter((step) => step.commit !== null);
  const changed = changes.some((step) => step.status !== "undone");
  const queued = steps.filter((step) => step.status === "queued").length;
  yield { kind: "outcome", key: `${id}:outcome`, task: root, changed, undone: changes.length > 0 && !changed, queued };
}

/** What was dropped or turned down before it began: nothing has changed. */
function neverBegan(task: Task): boolean {
  return task.started === null && (task.status === "cancelled" || task.status === "rejected");
}

/** How a project stands: a decision that waits comes first, then what is being done, then what was done last. */
export function standing(tasks: readonly Task[]): Task["status"] | null {
  const waiting = tasks.find(isWaiting);
  if (waiting) return waiting.status;
  const roots = tasks.filter((task) => task.parent_id === null && !neverBegan(task));
  if (roots.some((task) => task.status === "running")) return "running";
  return roots.toSorted((a, b) => b.created.localeCompare(a.created))[0]?.status ?? null;
}
