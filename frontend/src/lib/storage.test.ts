import { afterEach, expect, it, vi } from "vitest";
import { store } from "./storage";

afterEach(() => {
  vi.restoreAllMocks();
  store.remove("k");
});

it("forgets what another tab has removed", () => {
  store.set("k", "kept");
  window.localStorage.removeItem("k");
  expect(store.get("k")).toBeNull();
});

it("keeps what the browser does not take until the tab is closed", () => {
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  store.set("k", "kept");
  expect(store.get("k")).toBe("kept");
  store.remove("k");
  expect(store.get("k")).toBeNull();
});
