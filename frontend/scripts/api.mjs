// Makes src/api/schema.ts from the service's API document; with --check, says whether it is up to date.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import openapiTS, { astToString } from "openapi-typescript";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const target = join(root, "frontend", "src", "api", "schema.ts");
const installed = join(root, ".venv", "bin", "python");
const python = process.env.PYTHON ?? (existsSync(installed) ? installed : "python3");

const document = JSON.parse(execFileSync(python, ["-m", "web.openapi_json"], { cwd: root, encoding: "utf8" }));
const head = "/* Made by `npm run api` from the service's API document. Not to be changed by hand. */\n\n";
const made = head + astToString(await openapiTS(document, { alphabetize: true, defaultNonNullable: false }));

if (!process.argv.includes("--check")) {
  writeFileSync(target, made);
} else if (!existsSync(target) || readFileSync(target, "utf8") !== made) {
  process.stderr.write("src/api/schema.ts is not what the service's routes say: run `npm run api`\n");
  process.exitCode = 1;
}
