/** Where the service is: the page's own origin, a setting of the build, or what the owner said once. */
import { store } from "@/lib/storage";

/** Where the browser keeps it. */
export const KEY = "task-agent.address";
const BUILT_IN = (import.meta.env.VITE_API_URL as string | undefined) ?? "";

/** The origin that a person typed, or null if it is none. A page from https may not call http elsewhere. */
export function asOrigin(typed: string): string | null {
  const text = typed.trim();
  if (!text || /\s/.test(text)) return null;
  try {
    const url = new URL(text.includes("://") ? text : `https://${text}`);
    return url.protocol === "http:" || url.protocol === "https:" ? url.origin : null;
  } catch {
    return null;
  }
}

export function apiOrigin(): string {
  return asOrigin(BUILT_IN) ?? asOrigin(store.get(KEY) ?? "") ?? window.location.origin;
}

export function rememberOrigin(origin: string): void {
  store.set(KEY, origin);
}

export function forgetOrigin(): void {
  store.remove(KEY);
}

/** Whether an address is the service: anything else answers something else, or nothing. A host that has only the panel says so. */
export async function isService(origin: string, signal?: AbortSignal): Promise<boolean> {
  try {
    const answer = await fetch(`${origin}/health`, { headers: { Accept: "application/json" }, signal: signal ?? null });
    const body: unknown = await answer.json();
    if (typeof body !== "object" || body === null || !("success" in body)) return false;
    return !("agent" in body && body.agent === false);
  } catch {
    return false;
  }
}
