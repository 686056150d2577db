import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { apiOrigin, forgetOrigin, rememberOrigin } from "./address";
import { ApiError } from "./error";
import { followOtherTabs, signIn, signOut, takeCode, token } from "./token";

describe("takeCode", () => {
  beforeEach(() => window.history.replaceState(null, "", "/"));

  it("takes the code out of the address at once", () => {
    window.history.replaceState(null, "", "/app/approvals?x=1#code=abc");
    expect(takeCode()).toBe("abc");
    expect(window.location.href).not.toContain("abc");
    expect(window.location.pathname + window.location.search).toBe("/app/approvals?x=1");
    expect(takeCode()).toBeNull();
  });
});

describe("tabs", () => {
  let stop: () => void;
  /** What this tab hears when another one has changed what is kept. */
  const told = (key: string | null): boolean => window.dispatchEvent(new StorageEvent("storage", { key }));

  beforeEach(() => {
    stop = followOtherTabs();
    signIn("token of this service");
  });
  afterEach(() => {
    stop();
    forgetOrigin();
    signOut();
  });

  it("sign out together", () => {
    const [key = ""] = Object.keys(window.localStorage).filter((one) => one.startsWith("task-agent.token"));
    window.localStorage.removeItem(key);
    told(key);
    expect(token.get()).toBeNull();
  });

  it("turn to another service together, and do not send it the token of the one before", () => {
    window.localStorage.setItem("task-agent.address", "https://other.example");
    told("task-agent.address");
    expect(apiOrigin()).toBe("https://other.example");
    expect(token.get()).toBeNull();
    window.localStorage.removeItem("task-agent.address");
    told("task-agent.address");
    expect(token.get()).toBe("token of this service");
  });

  it("sign out when all that was kept is gone", () => {
    window.localStorage.clear();
    told(null);
    expect(token.get()).toBeNull();
  });
});

it("does not go by an address in the browser's storage that is none", () => {
  rememberOrigin("nonsense nonsense");
  expect(apiOrigin()).toBe(window.location.origin);
  forgetOrigin();
});

describe("ApiError", () => {
  it("takes what the service says, and says something itself where that makes no sense", () => {
    const told = ApiError.fromBody(409, { success: false, message: "It changed", error: { code: "conflict", hint: "Look again", details: {} } });
    expect(told).toMatchObject({ message: "It changed", hint: "Look again", code: "conflict", status: 409 });
    expect(ApiError.fromBody(502, "<html>").code).toBe("odd_answer");
    expect(ApiError.from(new TypeError("x")).hint).toBe("x");
  });
});
