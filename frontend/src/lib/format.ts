/** Numbers and times as people say them. */
import { units } from "@words/units";

const LOCALE = "en";
const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

const clock = new Intl.DateTimeFormat(LOCALE, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const day = new Intl.DateTimeFormat(LOCALE, { day: "numeric", month: "short" });
const dayAndYear = new Intl.DateTimeFormat(LOCALE, { day: "numeric", month: "short", year: "numeric" });
const whole = new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium", timeStyle: "medium", hourCycle: "h23" });
const plain = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 1 });

export function count(value: number, one: string, many = `${one}s`): string {
  return `${plain.format(value)} ${value === 1 ? one : many}`;
}

/** `just now`, `4 min ago`, `09:12`, `3 Nov`. */
export function ago(iso: string, now: number = Date.now()): string {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return "";
  const seconds = (now - at) / 1000;
  if (seconds < 45) return units.now;
  if (seconds < 90) return units.minutesAgo(1);
  if (seconds < 60 * MINUTE) return units.minutesAgo(Math.round(seconds / MINUTE));
  if (seconds < 6 * HOUR) return units.hoursAgo(Math.round(seconds / HOUR));
  const then = new Date(at);
  const today = new Date(now);
  if (then.toDateString() === today.toDateString()) return clock.format(then);
  if (seconds < 2 * DAY && then.getDate() === new Date(now - DAY * 1000).getDate()) return units.yesterday(clock.format(then));
  return (then.getFullYear() === today.getFullYear() ? day : dayAndYear).format(then);
}

/** `Today`, `Yesterday`, `3 Nov`, `3 Nov 2025`: the day in words, where this browser is. */
export function dayName(iso: string, now: number = Date.now()): string {
  const then = new Date(iso);
  if (Number.isNaN(then.getTime())) return "";
  const today = new Date(now);
  if (then.toDateString() === today.toDateString()) return units.today;
  today.setDate(today.getDate() - 1);
  if (then.toDateString() === today.toDateString()) return units.dayBefore;
  return (then.getFullYear() === new Date(now).getFullYear() ? day : dayAndYear).format(then);
}

export function exactTime(iso: string): string {
  const at = Date.parse(iso);
  return Number.isNaN(at) ? "" : whole.format(at);
}

export function clockTime(iso: string): string {
  const at = Date.parse(iso);
  return Number.isNaN(at) ? "" : clock.format(at);
}

/** `0.1 s`, `12 s`, `3 min 20 s`, `2 h 5 min`. */
export function duration(seconds: number): string {
  if (seconds < 0.05) return units.seconds("0.1");
  if (seconds < 9.95) return units.seconds(seconds.toFixed(1));
  if (seconds < MINUTE) return units.seconds(String(Math.round(seconds)));
  if (seconds < HOUR) return units.minutes(Math.floor(seconds / MINUTE), Math.round(seconds % MINUTE) % 60);
  return units.hours(Math.floor(seconds / HOUR), Math.floor((seconds % HOUR) / MINUTE));
}

/** Dollars as people say them: `free`, `about 4 cents`, `$1.20`. */
export function money(dollars: number): string {
  if (dollars <= 0) return units.free;
  if (dollars < 0.01) return units.lessThanACent;
  if (dollars < 1) return units.cents(Math.round(dollars * 100));
  return units.dollars(dollars.toFixed(2));
}

/** `312 bytes`, `38 KB`, `2.1 MB`. */
export function size(bytes: number): string {
  if (bytes < 1000) return count(bytes, "byte");
  const names = ["KB", "MB", "GB", "TB"];
  let value = bytes / 1000;
  let at = 0;
  while (value >= 999.5 && at < names.length - 1) {
    value /= 1000;
    at += 1;
  }
  return `${value < 10 ? plain.format(value) : String(Math.round(value))} ${names[at] ?? ""}`;
}
