import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { frontInPage } from "./scripts/front.ts";

const service = process.env.PANEL_SERVICE ?? "http://127.0.0.1:5000";
const pages = /^\/(app(\/.*)?|src\/.*|node_modules\/.*|assets\/.*|@.*|favicon\.svg|site\.webmanifest|notifications-worker\.js|index\.html)?(\?.*)?$/;
const proxy = { [`^(?!${pages.source.slice(1, -1)}$).*`]: { target: service, changeOrigin: true } };

/** The service gives a fresh nonce with every page; without it, there is none to name. */
function withoutNonce(): Plugin {
  return { name: "without-nonce", apply: "serve", transformIndexHtml: (html) => html.replace("__CSP_NONCE__", "") };
}

/** Puts a small copy beside each file that is worth it, so that the service compresses nothing while people wait. */
function compressed(): Plugin {
  return {
    name: "compressed",
    apply: "build",
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        for (const [fileName, file] of Object.entries(bundle)) {
          const source = Buffer.from(file.type === "chunk" ? file.code : file.source);
          if (!/\.(js|css|svg)$/.test(fileName) || source.length < 1024) continue;
          const best = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
          this.emitFile({ type: "asset", fileName: `${fileName}.gz`, source: gzipSync(source, { level: 9 }) });
          this.emitFile({ type: "asset", fileName: `${fileName}.br`, source: brotliCompressSync(source, best) });
        }
      },
    },
  };
}

/** Few files, because each costs a journey: what is needed for the first thing on screen, and what screens share. */
const groups = [
  { name: "start", tags: ["$initial" as const], priority: 2 },
  { name: "shared", test: /src[\\/](?!words)|node_modules[\\/](?!@codemirror|@lezer|@marijn|codemirror|style-mod|crelt|w3c-keyname|uplot|@dnd-kit)/, minShareCount: 3, priority: 1 },
];

const root = fileURLToPath(new URL(".", import.meta.url));
const resolve = {
  alias: [
    { find: /^@words\//, replacement: fileURLToPath(new URL("./src/words/en/", import.meta.url)) },
    { find: /^@\//, replacement: fileURLToPath(new URL("./src/", import.meta.url)) },
  ],
};

export default defineConfig({
  root,
  plugins: [react(), withoutNonce(), frontInPage({ root, resolve }), compressed()],
  resolve,
  server: { proxy },
  preview: { proxy },
  build: {
    target: "es2023",
    sourcemap: false,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    rolldownOptions: { output: { codeSplitting: { groups } } },
  },
});
