/** What somebody does with their own hand: the click is the yes, as long as the card asks about nothing but what they saw. */
import { answered, api } from "./client";
import type { Card, TaskReply } from "./model";

const SECONDS = 20;

/** What was in view: the paths, and whether something that is there already may be changed. */
export interface InView {
  /** None where no file may be touched. */
  paths: readonly string[];
  overwrites?: boolean;
}

/** Says yes to what waits, if there is nothing more to it; else it waits as a card. */
export async function byHand(reply: TaskReply, seen: InView): Promise<TaskReply> {
  if (!reply.confirmationNeeded || !reply.id || !isOnly(reply.card, seen)) return reply;
  return answered(api().POST("/confirm", { body: { id: reply.id, approve: true, reason: "", wait: SECONDS } }));
}

/** Whether a card is about these files alone, stays on the machine, can be undone, and has nothing to tell that nobody knew. */
export function isOnly(card: Card | null | undefined, { paths, overwrites = true }: InView): boolean {
  if (!card?.can_undo || card.outward || card.blocked || card.what.notes.length > 0 || card.what.more) return false;
  const files = card.what.files.filter((file) => file.kind !== "directory");
  return files.every((file) => paths.includes(file.path) && (overwrites || file.change === "new"));
}
