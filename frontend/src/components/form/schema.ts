/** A form out of a JSON schema: which fields there are, what they begin with, and what was meant by what stands in them. */

export interface Schema {
  type?: string;
  title?: string;
  description?: string;
  default?: unknown;
  enum?: unknown[];
  const?: unknown;
  items?: Schema;
  anyOf?: Schema[];
  allOf?: Schema[];
  $ref?: string;
  $defs?: Record<string, Schema>;
  properties?: Record<string, Schema>;
  required?: string[];
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
  maxLength?: number;
}

export type FieldKind = "text" | "long" | "number" | "yes_no" | "choice" | "lines" | "data";

export interface FormField {
  name: string;
  label: string;
  hint: string;
  kind: FieldKind;
  required: boolean;
  /** What holds if it is left as it is. */
  fallback: unknown;
  options: string[];
  whole: boolean;
  least: number | undefined;
  most: number | undefined;
  longest: number | undefined;
}

/** What stands in the fields: text, or a switch. */
export type Values = Record<string, string | boolean>;
export type Trouble = "missing" | "notANumber" | "notWhole" | "tooSmall" | "tooLarge" | "tooLong" | "notData";

const LONG = /^(content|code|stdin|description|change|body|search|replace|text)$/;
const LONG_FROM = 1000;

export function fieldsOf(schema: Schema): FormField[] {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).map(([name, given]) => {
    const found = plain(given, schema.$defs ?? {});
    return {
      name,
      label: labelOf(given.title ?? found.title ?? name),
      hint: given.description ?? found.description ?? "",
      kind: kindOf(name, found),
      required: required.has(name),
      fallback: given.default,
      options: (found.enum ?? (found.const === undefined ? [] : [found.const])).map(String),
      whole: found.type === "integer",
      least: found.minimum ?? found.exclusiveMinimum,
      most: found.maximum,
      longest: found.maxLength,
    };
  });
}

/** The schema itself: references followed, and of several possibilities the simplest that is something. */
function plain(schema: Schema, known: Record<string, Schema>): Schema {
  const name = schema.$ref?.split("/").at(-1);
  if (name) return plain(known[name] ?? {}, known);
  const [only] = schema.allOf ?? [];
  if (only) return plain(only, known);
  const choices = (schema.anyOf ?? []).map((one) => plain(one, known)).filter((one) => one.type !== "null");
  return choices.find((one) => one.type === "string") ?? choices[0] ?? schema;
}

function kindOf(name: string, schema: Schema): FieldKind {
  if (schema.enum ?? schema.const !== undefined) return "choice";
  if (schema.type === "string") return LONG.test(name) || (schema.maxLength ?? 0) > LONG_FROM ? "long" : "text";
  if (schema.type === "integer" || schema.type === "number") return "number";
  if (schema.type === "boolean") return "yes_no";
  if (schema.type === "array" && schema.items?.type === "string") return "lines";
  return "data";
}

function labelOf(title: string): string {
  const words = title.replaceAll("_", " ").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What a person has to see at once; the rest is one fold below. */
export function isMain(field: FormField): boolean {
  return field.required || field.kind === "text" || field.kind === "long" || field.kind === "yes_no";
}

export function startOf(fields: readonly FormField[], params: Record<string, unknown> = {}): Values {
  return Object.fromEntries(fields.map((field) => [field.name, shownAs(field, params[field.name] ?? field.fallback)]));
}

function shownAs(field: FormField, value: unknown): string | boolean {
  if (field.kind === "yes_no") return value === true;
  if (value === undefined || value === null) return "";
  if (field.kind === "lines") return Array.isArray(value) ? value.join("\n") : "";
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const empty = Array.isArray(value) && value.length === 0;
  return empty ? "" : JSON.stringify(value, null, 2);
}

export interface Meant {
  params: Record<string, unknown>;
  problems: Record<string, Trouble>;
}

/** The parameters that were meant. What is left as it would be anyway is left out. */
export function meant(fields: readonly FormField[], values: Values): Meant {
  const params: Record<string, unknown> = {};
  const problems: Record<string, Trouble> = {};
  for (const field of fields) {
    const read = readField(field, values[field.name] ?? "");
    if ("trouble" in read) problems[field.name] = read.trouble;
    else if (read.value !== undefined && (field.required || !same(read.value, field.fallback))) params[field.name] = read.value;
  }
  return { params, problems };
}

type Read = { value: unknown } | { trouble: Trouble };

function readField(field: FormField, given: string | boolean): Read {
  if (typeof given === "boolean") return { value: given };
  if (given.trim() === "") return field.required ? { trouble: "missing" } : { value: undefined };
  if (field.kind === "number") return readNumber(field, Number(given));
  if (field.kind === "lines") return { value: given.split("\n").filter((line) => line.trim() !== "") };
  if (field.kind === "data") return readData(given);
  return field.longest !== undefined && given.length > field.longest ? { trouble: "tooLong" } : { value: given };
}

function readNumber({ whole, least, most }: FormField, value: number): Read {
  if (!Number.isFinite(value)) return { trouble: "notANumber" };
  if (whole && !Number.isInteger(value)) return { trouble: "notWhole" };
  if (least !== undefined && value < least) return { trouble: "tooSmall" };
  return most !== undefined && value > most ? { trouble: "tooLarge" } : { value };
}

function readData(given: string): Read {
  try {
    return { value: JSON.parse(given) as unknown };
  } catch {
    return { trouble: "notData" };
  }
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
