// Everything that has to hold for the panel, two at a time; what went well is one line, what did not is shown in full.
import { spawn } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(dirname(fileURLToPath(import.meta.url)));
const waiting = ["lint", "types", "test", "build", "api:check"];
const failed = [];

function run(name) {
  const begun = Date.now();
  // The npm that runs this is not always in the search path.
  const child = spawn(process.execPath, [process.env.npm_execpath, "run", "--silent", name], { cwd: here, env: { ...process.env, CI: "1" } });
  const said = [];
  child.stdout.on("data", (chunk) => said.push(chunk));
  child.stderr.on("data", (chunk) => said.push(chunk));
  return new Promise((done) => {
    child.on("close", (code) => {
      const seconds = ((Date.now() - begun) / 1000).toFixed(1);
      process.stdout.write(`${code === 0 ? "ok    " : "FAILED"} ${name} (${seconds} s)\n`);
      if (code !== 0) {
        failed.push(name);
        process.stdout.write(Buffer.concat(said));
      }
      done();
    });
  });
}

async function worker() {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) await run(name);
}

await Promise.all([worker(), worker()]);
process.exitCode = failed.length === 0 ? 0 : 1;
