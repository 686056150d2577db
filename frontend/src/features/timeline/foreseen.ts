import type { Card, UndoPreview } from "@/api/model";

/** Whether a card asks about nothing but what the preview showed: the same files, for the same reasons. */
export function isForeseen(card: Card | null | undefined, seen: UndoPreview): boolean {
  if (!card || !seen.asks) return false;
  const shown = new Set(seen.files.map((file) => `${file.project}/${file.path}`));
  const alone = new Set(seen.files.map((file) => file.path));
  const files = card.what.files.filter((file) => file.kind !== "directory");
  if (!files.every((file) => (file.project === undefined ? alone.has(file.path) : shown.has(`${file.project}/${file.path}`)))) return false;
  // An undo in several projects is a plan, with reasons of its own.
  return card.what.steps !== undefined || card.why.every((reason) => seen.reasons.includes(reason));
}
