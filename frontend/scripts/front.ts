/** Puts the home screen and its look into the page itself, and in front the script that runs before anything is painted. */
import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type InlineConfig, type Plugin, type Rolldown } from "vite";

const ROOT = '<div id="root"></div>';
const SHEET = /<link rel="stylesheet" [^>]*href="\/([^"]+)">/;

export function frontInPage(shared: Pick<InlineConfig, "root" | "resolve" | "define" | "mode">): Plugin {
  let early = "";
  let still = "";
  return {
    name: "front-in-page",
    apply: "build",
    async buildStart() {
      const [script, markup] = await Promise.all([
        bundled("src/start/early.ts", shared, { rolldownOptions: { output: { format: "iife" } } }),
        bundled("src/start/still.tsx", shared, { ssr: true, rolldownOptions: { output: { format: "es" } } }),
      ]);
      early = script;
      still = await rendered(markup, join(shared.root ?? ".", "node_modules"));
    },
    generateBundle() {
      this.emitFile({ type: "asset", fileName: nameOf(early), source: early });
    },
    transformIndexHtml: {
      order: "post",
      handler: (html, { bundle = {} }) => {
        if (!html.includes(ROOT)) throw new Error("index.html has no empty #root");
        const filled = html
          .replace(ROOT, () => `<div id="root" data-still>${still}</div>`)
          .replace(SHEET, (_, file: string) => `<style nonce="__CSP_NONCE__">${sheet(bundle[file])}</style>`);
        return { html: filled, tags: [{ tag: "script", attrs: { src: `/${nameOf(early)}` }, injectTo: "head-prepend" }] };
      },
    },
  };
}

function sheet(file: Rolldown.OutputAsset | Rolldown.OutputChunk | undefined): string {
  const text = file?.type === "asset" ? String(file.source) : "";
  if (!text || text.includes("</")) throw new Error("the page's style sheet is missing, or would not stay inside its element");
  return text;
}

const nameOf = (code: string): string => `assets/early-${createHash("sha256").update(code).digest("base64url").slice(0, 8)}.js`;

async function bundled(entry: string, shared: InlineConfig, how: NonNullable<InlineConfig["build"]>): Promise<string> {
  const made = await build({
    ...shared,
    configFile: false,
    logLevel: "warn",
    publicDir: false,
    build: {
      ...how,
      write: false,
      target: "es2023",
      modulePreload: false,
      rolldownOptions: { ...how.rolldownOptions, input: join(shared.root ?? ".", entry) },
    },
  });
  const { output } = (Array.isArray(made) ? made[0] : made) as Rolldown.RolldownOutput;
  return output[0].code;
}

/** What the bundled component renders to. Its packages are found beside it. */
async function rendered(code: string, beside: string): Promise<string> {
  const folder = await mkdtemp(join(beside, ".still-"));
  try {
    const file = join(folder, "still.mjs");
    await writeFile(file, code);
    const { still } = (await import(pathToFileURL(file).href)) as { still: () => string };
    return still();
  } finally {
    await rm(folder, { recursive: true });
  }
}
