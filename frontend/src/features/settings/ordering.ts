/** Settings as people read them. */
import type { Setting } from "@/api/model";
import { settings } from "@words/settings";

const w = settings.service;

/** A value in one line. */
export function shown(value: unknown): string {
  if (value === null || value === undefined || value === "") return w.empty;
  if (Array.isArray(value)) return value.length > 0 ? value.join(", ") : w.empty;
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Of a secret the service only says whether it is set. */
const isSecret = ({ name }: Setting): boolean => name === "token";

export function valueOf(one: Setting): string {
  if (isSecret(one)) return one.value ? w.hidden : w.empty;
  return shown(one.value);
}

export const isChanged = (one: Setting): boolean => {
  const value = valueOf(one);
  return value !== w.empty && value !== shown(one.default);
};

/** Those that have all the words, as the service lists them. */
export function fitting(about: readonly Setting[], words: string): Setting[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return about.filter((one) => {
    const text = `${one.name} ${one.variable} ${one.words} ${valueOf(one)}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}
