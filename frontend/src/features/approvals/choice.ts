/** Which card is in front, while others come and go. */
import type { Task } from "@/api/model";

/** First come, first served: what is new goes to the end, so nothing moves under a thumb. */
export function inOrder(tasks: readonly Task[]): Task[] {
  return [...tasks].sort((a, b) => (a.created === b.created ? a.id.localeCompare(b.id) : a.created < b.created ? -1 : 1));
}

/** The place of the chosen one; if it is gone, the one that took its place. -1 if there is none at all. */
export function placeOf(tasks: readonly Task[], chosen: string | undefined, near: number): number {
  const at = tasks.findIndex((task) => task.id === chosen);
  return at === -1 ? Math.min(Math.max(near, 0), tasks.length - 1) : at;
}

/** What a person has said yes or no to lately, the newest first. */
export function decidedLately(tasks: readonly Task[], most: number): Task[] {
  const own = tasks.filter((task) => task.approval !== null && task.approval.by !== "plan" && task.approval.by !== "trust");
  return own.sort((a, b) => (b.approval?.at ?? "").localeCompare(a.approval?.at ?? "")).slice(0, most);
}
