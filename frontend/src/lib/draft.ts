/** What a person typed into the box of the home screen. It is kept while other screens are open, and while the panel is still loading. */
import { Signal } from "./signal";

export const draft = new Signal("");

const changes = new Map<string, Signal<string>>();

/** What was typed into the box of a project, kept in the same way. */
export function draftOf(project: string): Signal<string> {
  const kept = changes.get(project) ?? new Signal("");
  changes.set(project, kept);
  return kept;
}

/** These words have become something, so the box need not keep them; what else stands in it by now stays. */
export function done(box: Signal<string>, words: string): void {
  if (box.get().trim() === words.trim()) box.set("");
}

/** What was done before all of the panel had arrived, for the screen that takes over. */
export const early = {
  /** Whether the words were sent already. */
  sent: new Signal(false),
  /** Where the person is typing. */
  cursor: null as [number, number] | null,
};
