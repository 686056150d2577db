/** How a file's text is coloured, by its name; each language is loaded when it is first met. */
import type { LanguageSupport } from "@codemirror/language";

type Loader = () => Promise<LanguageSupport>;

const script = (options: { jsx?: boolean; typescript?: boolean }): Loader => async () =>
  (await import("@codemirror/lang-javascript")).javascript(options);

const LOADERS: Record<string, Loader> = {
  py: async () => (await import("@codemirror/lang-python")).python(),
  js: script({}),
  mjs: script({}),
  jsx: script({ jsx: true }),
  ts: script({ typescript: true }),
  tsx: script({ jsx: true, typescript: true }),
  html: async () => (await import("@codemirror/lang-html")).html(),
  css: async () => (await import("@codemirror/lang-css")).css(),
  json: async () => (await import("@codemirror/lang-json")).json(),
  md: async () => (await import("@codemirror/lang-markdown")).markdown(),
};

export async function languageOf(path: string): Promise<LanguageSupport | null> {
  const ending = path.split(".").at(-1)?.toLowerCase() ?? "";
  return (await LOADERS[ending]?.()) ?? null;
}
