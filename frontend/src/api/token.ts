/** Who is signed in: one token for each service, in this browser only. */
import { keptToken, tokenKey as key } from "@/lib/kept";
import { KEY as ADDRESS } from "./address";
import { Signal } from "@/lib/signal";
import { store } from "@/lib/storage";

export const token = new Signal<string | null>(keptToken());

export function signIn(value: string): void {
  store.set(key(), value);
  token.set(value);
}

export function signOut(): void {
  store.remove(key());
  token.set(null);
}

/** After the service's address has changed. */
export function readToken(): void {
  token.set(keptToken());
}

/** All tabs sign in and out together, and turn to another service together: a token goes to its own service only. */
export function followOtherTabs(): () => void {
  const changed = (event: StorageEvent): void => {
    // No key at all: everything that was kept is gone.
    if (event.key === null || event.key === ADDRESS || event.key === key()) readToken();
  };
  window.addEventListener("storage", changed);
  return () => window.removeEventListener("storage", changed);
}

/** The one-time code in a sign-in link, or in what follows its `#`. */
export function codeIn(link: string): string | null {
  return new URLSearchParams(link.slice(link.indexOf("#") + 1)).get("code");
}

/** The one-time code of a sign-in link; it leaves the address, and so the history, at once. */
export function takeCode(): string | null {
  const code = codeIn(window.location.hash);
  if (code === null) return null;
  window.history.replaceState(window.history.state, "", window.location.pathname + window.location.search);
  return code || null;
}
