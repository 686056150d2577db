import { describe, expect, it } from "vitest";
import { showDiff } from "./codemirror";

describe("showDiff", () => {
  it("hides nothing that would turn text around, in lines that go and lines that come", () => {
    const parent = document.body.appendChild(document.createElement("div"));
    const close = showDiff({ parent, path: "a.txt", label: "a" }, "same\nowner\u202eecila\n", "same\nowner\u2066bob\n");
    expect(parent.querySelector(".cm-deletedChunk")?.textContent).toContain("owner‹U+202E›ecila");
    expect(parent.textContent).toContain("owner‹U+2066›bob");
    expect(parent.textContent).not.toMatch(/[\u202e\u2066]/);
    close();
    expect(parent.textContent).toBe("");
    parent.remove();
  });
});
