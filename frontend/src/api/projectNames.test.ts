import { describe, expect, it } from "vitest";
import { namesOf } from "./projectNames";

describe("what projects are called", () => {
  const nameOf = namesOf([
    { name: "books", title: "Books" },
    { name: "books-2", title: "Books" },
    { name: "rye-rosemary", title: "Rye & Rosemary" },
  ]);

  it("is their title, and their name beside it where titles are the same", () => {
    expect(nameOf("rye-rosemary")).toBe("Rye & Rosemary");
    expect(nameOf("books-2")).toBe("Books (books-2)");
  });

  it("is the name where there is no such project, with nothing hidden in it", () => {
    expect(nameOf("no\u202ete")).toBe("no‹U+202E›te");
  });
});
