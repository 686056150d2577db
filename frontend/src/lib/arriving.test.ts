import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { arriving } from "./arriving";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it("asks for a part again and again while its host is away", async () => {
  const load = vi.fn<() => Promise<string>>().mockRejectedValue(new TypeError("away"));
  const isThere = vi.fn<() => Promise<boolean>>().mockResolvedValue(false);
  const coming = arriving(load, isThere);
  await vi.advanceTimersByTimeAsync(5000);
  expect(load.mock.calls.length).toBeGreaterThan(3);
  isThere.mockResolvedValue(true);
  load.mockResolvedValue("part");
  await vi.advanceTimersByTimeAsync(1000);
  expect(await coming).toBe("part");
});

it("gives up when a host that is there does not have it", async () => {
  const load = vi.fn<() => Promise<string>>().mockRejectedValue(new TypeError("gone"));
  await expect(arriving(load, () => Promise.resolve(true))).rejects.toThrow("gone");
  expect(load).toHaveBeenCalledTimes(2);
});
