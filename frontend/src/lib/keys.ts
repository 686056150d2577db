/** Keys for hands that stay on the keyboard. What is registered is also what the help shows. */
import { useEffect, useEffectEvent } from "react";
import { Signal } from "./signal";
import { store } from "./storage";

const KEY = "task-agent.keys";

export interface Shortcut {
  key: string;
  words: string;
  act: (event: KeyboardEvent) => void;
}

export const shortcuts = new Signal<readonly Shortcut[]>([]);

/** Single letters do harm to who speaks to the machine or hits keys by accident, so they can be turned off. */
export const keysOn = new Signal(store.get(KEY) !== "off");

export function turnKeys(on: boolean): void {
  if (on) store.remove(KEY);
  else store.set(KEY, "off");
  keysOn.set(on);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

const isLetter = (key: string): boolean => key.length === 1;
const isBehindDialog = (): boolean => document.querySelector('[role="dialog"],[role="alertdialog"],[role="menu"]') !== null;

/** The newest shortcut with a key wins: a card in focus goes before the page that it is on. */
export function listenToKeys(): () => void {
  const pressed = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
    if (isBehindDialog()) return;
    const shortcut = shortcuts.get().findLast((one) => one.key === event.key);
    if (!shortcut || (isLetter(event.key) && !keysOn.get())) return;
    event.preventDefault();
    shortcut.act(event);
  };
  window.addEventListener("keydown", pressed);
  return () => window.removeEventListener("keydown", pressed);
}

/** Does something wherever nothing nearer has the same key. */
export function useBaseKey(key: string, words: string, act: (event: KeyboardEvent) => void): void {
  const current = useEffectEvent(act);
  useEffect(() => {
    const shortcut: Shortcut = { key, words, act: (event) => current(event) };
    shortcuts.set([shortcut, ...shortcuts.get()]);
    return () => shortcuts.set(shortcuts.get().filter((one) => one !== shortcut));
  }, [key, words]);
}

export function useKey(key: string, words: string, act: (event: KeyboardEvent) => void, enabled = true): void {
  const current = useEffectEvent(act);
  useEffect(() => {
    if (!enabled) return undefined;
    const shortcut: Shortcut = { key, words, act: (event) => current(event) };
    shortcuts.set([...shortcuts.get(), shortcut]);
    return () => shortcuts.set(shortcuts.get().filter((one) => one !== shortcut));
  }, [key, words, enabled]);
}
