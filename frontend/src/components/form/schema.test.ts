import { describe, expect, it } from "vitest";
import { fieldsOf, isMain, meant, startOf, type Schema } from "./schema";

const SCHEMA: Schema = {
  $defs: { Edit: { type: "object", properties: { search: { type: "string" } } } },
  properties: {
    path: { type: "string", title: "Path", description: "Where." },
    content: { type: "string", default: "" },
    encoding: { enum: ["text", "base64"], default: "text", title: "Encoding" },
    seconds: { type: "number", default: 30, minimum: 1, maximum: 600, title: "Seconds" },
    lines: { type: "integer", default: 100 },
    recursive: { type: "boolean", default: false, title: "Recursive" },
    words: { type: "array", items: { type: "string" }, default: [] },
    edits: { type: "array", items: { $ref: "#/$defs/Edit" }, default: [] },
    task: { anyOf: [{ type: "string", maxLength: 4 }, { type: "null" }], default: null },
    command: { anyOf: [{ type: "array", items: { type: "string" } }, { type: "string" }] },
    ref: { $ref: "#/$defs/Edit" },
    ignore_case: { type: "boolean", default: true },
  },
  required: ["path"],
};
const fields = fieldsOf(SCHEMA);
const kinds = Object.fromEntries(fields.map((field) => [field.name, field.kind]));

describe("a form out of a schema", () => {
  it("has the right kind of field for each parameter", () => {
    expect(kinds).toEqual({
      path: "text",
      content: "long",
      encoding: "choice",
      seconds: "number",
      lines: "number",
      recursive: "yes_no",
      words: "lines",
      edits: "data",
      task: "text",
      command: "text",
      ref: "data",
      ignore_case: "yes_no",
    });
    expect(fields[0]).toMatchObject({ label: "Path", hint: "Where.", required: true });
    expect(fields.at(-1)?.label).toBe("Ignore case");
  });

  it("shows at once what a person has to say, and folds the rest", () => {
    expect(fields.filter((field) => !isMain(field)).map((field) => field.name)).toEqual(["encoding", "seconds", "lines", "words", "edits", "ref"]);
  });

  it("begins with what is there, else with what holds anyway", () => {
    const start = startOf(fields, { path: "a.txt", edits: [{ search: "x" }] });
    expect(start).toMatchObject({ path: "a.txt", encoding: "text", seconds: "30", recursive: false, ignore_case: true, words: "", task: "" });
    expect(JSON.parse(String(start.edits))).toEqual([{ search: "x" }]);
  });
});

describe("what was meant", () => {
  const start = startOf(fields);

  it("leaves out what is left as it would be anyway", () => {
    expect(meant(fields, { ...start, path: "a.txt" })).toEqual({ params: { path: "a.txt" }, problems: {} });
  });

  it("reads each kind of field", () => {
    const values = { ...start, path: "a", seconds: "5.5", lines: "7", recursive: true, words: "one\n\ntwo", edits: '[{"search":"x"}]', ignore_case: false };
    expect(meant(fields, values).params).toEqual({
      path: "a",
      seconds: 5.5,
      lines: 7,
      recursive: true,
      words: ["one", "two"],
      edits: [{ search: "x" }],
      ignore_case: false,
    });
  });

  it("says what is wrong with which field", () => {
    const values = { ...start, path: " ", seconds: "0", lines: "1.5", task: "12345", edits: "{" };
    expect(meant(fields, values).problems).toEqual({ path: "missing", seconds: "tooSmall", lines: "notWhole", task: "tooLong", edits: "notData" });
    expect(meant(fields, { ...start, path: "a", seconds: "many" }).problems).toEqual({ seconds: "notANumber" });
    expect(meant(fields, { ...start, path: "a", seconds: "601" }).problems).toEqual({ seconds: "tooLarge" });
  });
});
