import { describe, expect, it } from "vitest";
import { pieces, plain, printed, sentence, visible } from "./text";

describe("visible", () => {
  it("shows what would turn a name around or hide in it", () => {
    expect(visible("photo\u202egnp.exe")).toBe("photo‹U+202E›gnp.exe");
    expect(visible("a\u001b[31mb\nc")).toBe("a‹U+001B›[31mb‹U+000A›c");
    expect(visible("pass\u200bword\ufeff\u0085\u{e0041}")).toBe("pass‹U+200B›word‹U+FEFF›‹U+0085›‹U+E0041›");
  });
});

describe("plain", () => {
  it("shows what would turn a sentence around, and leaves its lines and letters", () => {
    expect(plain("Delete \u202etxt.a\nnext")).toBe("Delete ‹U+202E›txt.a\nnext");
    expect(plain("👩‍💻 می‌خواهم שלום")).toBe("👩‍💻 می‌خواهم שלום");
  });
});

describe("printed", () => {
  it("drops colour codes, also those written out, and keeps lines", () => {
    expect(printed("\u001b[31mred\u001b[0m\r\nnext\t.")).toBe("red\nnext\t.");
    expect(printed("\\x1b[31m\\x1b[1mWARNING\\x1b[0m")).toBe("WARNING");
    expect(printed("\u001b]0;title\u0007text")).toBe("text");
  });
});

describe("pieces", () => {
  it("finds the names between backticks", () => {
    expect(pieces("in `books-api`, now")).toEqual([
      { text: "in ", code: false },
      { text: "books-api", code: true },
      { text: ", now", code: false },
    ]);
    expect(pieces("a lonely ` stays")).toEqual([{ text: "a lonely ` stays", code: false }]);
  });
});

it("makes a sentence of words", () => {
  expect(sentence("all 3 checks hold")).toBe("All 3 checks hold.");
  expect(sentence("")).toBe("");
});
