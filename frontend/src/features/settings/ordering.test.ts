import { describe, expect, it } from "vitest";
import type { Setting } from "@/api/model";
import { fitting, isChanged, shown, valueOf } from "./ordering";

const one = (name: string, value: unknown, standard: unknown, words = ""): Setting => ({
  name,
  variable: `AGENT_${name.toUpperCase()}`,
  value,
  default: standard,
  words,
  allowed: "",
});

describe("shown", () => {
  it.each([
    [null, "nothing"],
    ["", "nothing"],
    [[], "nothing"],
    [false, "false"],
    [0, "0"],
    [26_214_400, "26214400"],
    [["a", "b"], "a, b"],
  ])("says %j", (value, words) => expect(shown(value)).toBe(words));
});

describe("settings", () => {
  const about = [one("port", 5000, 5000, "Where it listens"), one("sandbox", "off", "auto", "What code runs in"), one("folder", null, null)];

  it("tells what was changed", () => expect(about.map(isChanged)).toEqual([false, true, false]));

  it("says of a secret only whether it is there", () => {
    expect(valueOf(one("token", true, null))).toBe("set, not shown");
    expect(isChanged(one("token", false, null))).toBe(false);
  });

  it("are found by any of their words, in any case", () => {
    expect(fitting(about, "LISTENS agent_").map(({ name }) => name)).toEqual(["port"]);
    expect(fitting(about, "nowhere")).toEqual([]);
  });
});
