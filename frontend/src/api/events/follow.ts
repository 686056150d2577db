/** One event stream, read for as long as it is wanted: reconnects by itself and goes on where it was. */
import { createParser } from "eventsource-parser";
import * as z from "zod/mini";
import type { AgentEvent } from "../model";

export type Link = "connecting" | "live" | "offline" | "refused";

/** The service gives a sign of life every two seconds; after this long, the line is dead. */
export const SILENCE_MS = 7000;
const SHORTEST_MS = 400;
const LONGEST_MS = 4000;

const Wire = z.object({
  seq: z.number(),
  at: z.string(),
  type: z.string(),
  task_id: z._default(z.nullable(z.string()), null),
  data: z._default(z.record(z.string(), z.unknown()), {}),
});

export interface Following {
  url: string;
  token: string;
  /** The newest event that was seen; null to begin with what happens from now on. */
  after: () => number | null;
  onEvents: (events: AgentEvent[]) => void;
  onLink: (link: Link) => void;
  onAlive?: () => void;
  signal: AbortSignal;
  fetch?: typeof fetch;
}

/** Wait before the next try: doubles, is never long, and differs from tab to tab. */
export function pause(tries: number, random: () => number = Math.random): number {
  return Math.min(LONGEST_MS, SHORTEST_MS * 2 ** tries) * (0.75 + random() / 2);
}

export async function follow(following: Following): Promise<void> {
  let tries = 0;
  while (!following.signal.aborted) {
    following.onLink(tries === 0 ? "connecting" : "offline");
    const outcome = await once(following, () => {
      tries = 0;
    });
    if (outcome === "refused") {
      following.onLink("refused");
      return;
    }
    await rest(pause(tries), following);
    tries += 1;
  }
}

/** Reads until the stream ends, breaks or falls silent. */
async function once(following: Following, connected: () => void): Promise<"ended" | "refused"> {
  const broken = new AbortController();
  const stop = (): void => broken.abort();
  following.signal.addEventListener("abort", stop, { once: true });
  let watchdog = setTimeout(stop, SILENCE_MS);
  const alive = (): void => {
    clearTimeout(watchdog);
    watchdog = setTimeout(stop, SILENCE_MS);
    following.onAlive?.();
  };
  try {
    const after = following.after();
    const headers: Record<string, string> = { Authorization: `Bearer ${following.token}`, Accept: "text/event-stream" };
    if (after !== null) headers["Last-Event-ID"] = String(after);
    const answer = await (following.fetch ?? fetch)(following.url, { headers, signal: broken.signal, cache: "no-store" });
    if (answer.status === 401) return "refused";
    if (!answer.ok || !answer.body) return "ended";
    connected();
    following.onLink("live");
    alive();
    await read(answer.body, following.onEvents, alive);
  } catch {
    // The other side is gone, or nobody wants to know any more: both end here.
  } finally {
    clearTimeout(watchdog);
    following.signal.removeEventListener("abort", stop);
    broken.abort();
  }
  return "ended";
}

async function read(body: ReadableStream<Uint8Array>, deliver: (events: AgentEvent[]) => void, alive: () => void): Promise<void> {
  let batch: AgentEvent[] = [];
  const parser = createParser({
    onEvent({ data }) {
      const event = asEvent(data);
      if (event) batch.push(event);
    },
  });
  const text = new TextDecoder();
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    parser.feed(text.decode(value, { stream: true }));
    alive();
    if (batch.length > 0) {
      deliver(batch);
      batch = [];
    }
  }
}

/** An event, or null for what is none: a line that cannot be read is passed over. */
export function asEvent(data: string): AgentEvent | null {
  try {
    const read = Wire.safeParse(JSON.parse(data));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}

/** Sleeps, unless it is called off, the network is back, or somebody comes back to look. */
function rest(ms: number, { signal, onLink }: Following): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  onLink("offline");
  return new Promise((done) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      window.removeEventListener("online", end);
      window.removeEventListener("focus", end);
      done();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end, { once: true });
    window.addEventListener("online", end, { once: true });
    window.addEventListener("focus", end, { once: true });
  });
}
