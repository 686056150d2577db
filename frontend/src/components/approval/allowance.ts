import type { Task } from "@/api/model";

/** Where a word of the owner for good changes the next decision; elsewhere it would be an empty promise. */
const CHANGEABLE = new Set(["not_earned", "demoted", "floor", "asked_by_owner"]);

export interface Allowed {
  /** Null for every project. */
  project: string | null;
  /** It is a kind that asks whatever its record. */
  lifts: boolean;
}

/** What "always allow this here" would mean for a task, or null where it would mean nothing. */
export function alwaysFor(task: Pick<Task, "intent" | "status" | "decision" | "project" | "card">): Allowed | null {
  const code = task.decision?.code ?? "";
  if (task.intent === "plan" || task.status === "interrupted" || task.card?.blocked || !CHANGEABLE.has(code)) return null;
  return { project: task.project ?? null, lifts: code === "floor" };
}
