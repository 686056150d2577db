/** All of the panel: what `main.tsx` loads while something is on screen already. */
import { setNonce } from "get-nonce";
import { config } from "zod/mini";
import { App } from "./App";
import { token } from "./api/token";
import { cspNonce } from "./lib/nonce";
import { router } from "./routes";

/** The panel, with the screen that the address names. */
export async function open(): Promise<typeof App> {
  // The policy of the page forbids making code from text, and takes style elements with its nonce only.
  config({ jitless: true });
  const nonce = cspNonce();
  if (nonce) setNonce(nonce);
  if (token.get()) await router.load();
  return App;
}
