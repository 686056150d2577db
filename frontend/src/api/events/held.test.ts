import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { anEvent } from "../testing";
import { Held } from "./held";

describe("Held", () => {
  const passed = vi.fn();
  let held: Held;

  beforeEach(() => {
    vi.useFakeTimers();
    passed.mockClear();
    held = new Held(passed);
  });
  afterEach(() => {
    held.stop();
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it("passes events on at once in the tab that is looked at", () => {
    held.take([anEvent(1, "outcome", "a")]);
    expect(passed).toHaveBeenCalledTimes(1);
  });

  it("gathers them in a tab behind, in order, and passes them on once a second or when it is looked at", () => {
    const seen = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
    held.take([anEvent(1, "outcome", "a")]);
    held.take([anEvent(2, "outcome", "a")]);
    expect(passed).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1000);
    expect(passed.mock.calls.map(([events]) => (events as { seq: number }[]).map(({ seq }) => seq))).toEqual([[1, 2]]);
    held.take([anEvent(3, "outcome", "a")]);
    seen.mockReturnValue("visible");
    document.dispatchEvent(new Event("visibilitychange"));
    expect(passed).toHaveBeenCalledTimes(2);
  });
});
