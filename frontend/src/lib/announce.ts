/** What screen readers hear: progress politely, decisions at once. */
import { Signal } from "./signal";

export interface Said {
  words: string;
  at: number;
}

export const polite = new Signal<Said>({ words: "", at: 0 });
export const urgent = new Signal<Said>({ words: "", at: 0 });

export function announce(words: string, how: "polite" | "urgent" = "polite"): void {
  (how === "urgent" ? urgent : polite).set({ words, at: Date.now() });
}
