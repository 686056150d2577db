import { afterEach, describe, expect, it, vi } from "vitest";
import { asOrigin, isService } from "./address";

function answering(body: string): void {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(body)));
}

describe("isService", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it("knows the service by its answer", async () => {
    answering('{"success": true, "message": "ok"}');
    expect(await isService("https://agent.example")).toBe(true);
  });

  it("does not take a host that has only the panel for the service", async () => {
    answering('{"success": true, "message": "ok", "agent": false}');
    expect(await isService("https://panel.example")).toBe(false);
  });

  it.each(["<html></html>", "null", "[]", '{"ok": true}'])("takes nothing else for it: %s", async (body) => {
    answering(body);
    expect(await isService("https://other.example")).toBe(false);
  });
});

describe("asOrigin", () => {
  it("takes what a person types for an address, or for none", () => {
    expect(asOrigin(" agent.example/x ")).toBe("https://agent.example");
    expect(asOrigin("http://127.0.0.1:5000")).toBe("http://127.0.0.1:5000");
    expect(asOrigin(" http://127.0.0.1:5000/app/ ")).toBe("http://127.0.0.1:5000");
    for (const typed of ["", "not an address", "ftp://agent.example", "https://", "javascript:alert(1)"]) expect(asOrigin(typed)).toBeNull();
  });
});
