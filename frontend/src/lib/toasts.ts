/** Short words at the edge: what was done, and one button to take it back. */
import { Signal } from "./signal";

export interface Toast {
  id: number;
  words: string;
  tone: "plain" | "good" | "wrong";
  hint?: string | undefined;
  act?: { words: string; run: () => void } | undefined;
}

const MOST = 3;
let last = 0;

export const toasts = new Signal<readonly Toast[]>([]);

export function toast(words: string, more: Partial<Omit<Toast, "id" | "words">> = {}): number {
  last += 1;
  const made: Toast = { id: last, words, tone: "plain", ...more };
  toasts.set([...toasts.get().slice(1 - MOST), made]);
  return made.id;
}

export function dismiss(id: number): void {
  toasts.set(toasts.get().filter((one) => one.id !== id));
}
