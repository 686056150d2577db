import { beforeEach, describe, expect, it } from "vitest";
import { asOrigin } from "./address";
import { ApiError } from "./error";
import { takeCode } from "./token";

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

describe("asOrigin", () => {
  it.each([
    ["agent.example.com", "https://agent.example.com"],
    [" http://127.0.0.1:5000/app/ ", "http://127.0.0.1:5000"],
    ["javascript:alert(1)", null],
    ["", null],
    ["not an address", null],
  ])("makes of %s", (typed, origin) => expect(asOrigin(typed)).toBe(origin));
});

describe("ApiError", () => {
  it("takes what the service says, and says something itself where that makes no sense", () => {
    const told = ApiError.fromBody(409, { success: false, message: "It changed", error: { code: "conflict", hint: "Look again", details: {} } });
    expect(told).toMatchObject({ message: "It changed", hint: "Look again", code: "conflict", status: 409 });
    expect(ApiError.fromBody(502, "<html>").code).toBe("odd_answer");
    expect(ApiError.from(new TypeError("x")).hint).toBe("x");
  });
});
