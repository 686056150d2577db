import { describe, expect, it } from "vitest";
import type { FileEntry } from "@/api/model";
import { found, treeRows } from "./tree";

const entry = (path: string, kind: FileEntry["kind"] = "file"): FileEntry => ({ path, kind, size: 1, mode: "0644" });
const entries = [entry("b.txt"), entry("src", "directory"), entry("src/deep/x.py"), entry("src/a.py"), entry("a.txt"), entry("void", "directory")];

describe("treeRows", () => {
  it("lists folders first and leaves out what is in closed ones", () => {
    expect(treeRows(entries, () => false).map((row) => row.path)).toEqual(["src", "void", "a.txt", "b.txt"]);
  });

  it("shows what is in open folders, further in", () => {
    const rows = treeRows(entries, () => true);
    expect(rows.map((row) => [row.path, row.depth])).toEqual([
      ["src", 0],
      ["src/deep", 1],
      ["src/deep/x.py", 2],
      ["src/a.py", 1],
      ["void", 0],
      ["a.txt", 0],
      ["b.txt", 0],
    ]);
  });
});

describe("found", () => {
  it("finds files by any part of their path, in any case", () => {
    expect(found(entries, " DEEP ").map((row) => row.path)).toEqual(["src/deep/x.py"]);
  });
});
