import { describe, expect, it } from "vitest";
import { ago, dayName, duration, money, size } from "./format";

const NOW = Date.parse("2026-11-17T12:00:00");
const before = (seconds: number): string => new Date(NOW - seconds * 1000).toISOString();

describe("ago", () => {
  it.each([
    [3, "just now"],
    [60, "1 min ago"],
    [14 * 60, "14 min ago"],
    [2 * 3600, "2 h ago"],
    [26 * 3600, "yesterday 10:00"],
    [20 * 86_400, "Oct 28"],
    [400 * 86_400, "Oct 13, 2025"],
  ])("says what happened %i seconds ago", (seconds, words) => expect(ago(before(seconds), NOW)).toBe(words));

  it("says nothing about a time that is none", () => expect(ago("soon", NOW)).toBe(""));
});

describe("dayName", () => {
  it.each([
    [3600, "Today"],
    [13 * 3600, "Yesterday"],
    [35 * 3600, "Yesterday"],
    [37 * 3600, "Nov 15"],
    [400 * 86_400, "Oct 13, 2025"],
  ])("names the day %i seconds ago", (seconds, words) => expect(dayName(before(seconds), NOW)).toBe(words));
});

describe("duration", () => {
  it.each([
    [0.01, "0.1 s"],
    [1.22, "1.2 s"],
    [42.4, "42 s"],
    [200, "3 min 20 s"],
    [7500, "2 h 5 min"],
  ])("says %f seconds", (seconds, words) => expect(duration(seconds)).toBe(words));
});

describe("money", () => {
  it.each([
    [0, "free"],
    [0.004, "less than a cent"],
    [0.04, "about 4 cents"],
    [1.2, "$1.20"],
  ])("says %f dollars", (dollars, words) => expect(money(dollars)).toBe(words));
});

describe("size", () => {
  it.each([
    [1, "1 byte"],
    [312, "312 bytes"],
    [38_000, "38 KB"],
    [2_140_000, "2.1 MB"],
    [999_999, "1 MB"],
  ])("says %i bytes", (bytes, words) => expect(size(bytes)).toBe(words));
});
