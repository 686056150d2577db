/** One stream for all tabs of a browser: the tab that holds the lock reads it and tells the others. */
import { Signal } from "@/lib/signal";
import type { AgentEvent } from "../model";
import { follow, SILENCE_MS, type Link } from "./follow";

type Message =
  | { kind: "events"; events: AgentEvent[] }
  | { kind: "state"; link: Link }
  | { kind: "hello" };

/** How long a tab that is looked at waits for word from the leading one before it takes its place. */
const PATIENCE_MS = SILENCE_MS + 3000;
const BEAT_MS = 2000;

export interface Place {
  origin: string;
  token: string;
}

export interface Surroundings {
  locks: LockManager | undefined;
  channel: (name: string) => BroadcastChannel;
  fetch: typeof fetch;
}

const browser = (): Surroundings => ({
  // Locks exist on https and on this machine only; elsewhere, every tab has a stream of its own.
  locks: "locks" in navigator ? navigator.locks : undefined,
  channel: (name) => new BroadcastChannel(name),
  fetch: (input, init) => fetch(input, init),
});

export class SharedStream {
  readonly link = new Signal<Link>("connecting");
  #seq: number | null = null;
  #leads = false;
  #heard = Date.now();
  #beaten = 0;
  #stopLeading: AbortController | null = null;
  #channel: BroadcastChannel | null = null;
  readonly #ended = new AbortController();
  readonly #name: string;
  readonly #place: Place;
  readonly #deliver: (events: AgentEvent[]) => void;
  readonly #around: Surroundings;

  constructor(place: Place, deliver: (events: AgentEvent[]) => void, around: Surroundings = browser()) {
    this.#place = place;
    this.#deliver = deliver;
    this.#around = around;
    this.#name = `task-agent.events:${place.origin}`;
  }

  /** The newest event that this tab knows. */
  get seq(): number | null {
    return this.#seq;
  }

  get leads(): boolean {
    return this.#leads;
  }

  start(): void {
    if (!this.#around.locks) {
      void this.#lead();
      return;
    }
    this.#channel = this.#around.channel(this.#name);
    this.#channel.onmessage = ({ data }: MessageEvent<Message>) => this.#hear(data);
    this.#tell({ kind: "hello" });
    void this.#queueUp(false);
    const timer = setInterval(() => this.#mindTheLeader(), BEAT_MS);
    this.#ended.signal.addEventListener("abort", () => clearInterval(timer), { once: true });
  }

  stop(): void {
    this.#ended.abort();
    this.#channel?.close();
    this.#channel = null;
  }

  async #queueUp(steal: boolean): Promise<void> {
    const { locks } = this.#around;
    if (!locks || this.#ended.signal.aborted) return;
    try {
      await locks.request(this.#name, steal ? { steal } : { signal: this.#ended.signal }, () => this.#lead());
    } catch {
      // Called off, or another tab took the lock because this one was asleep. One that took the lock itself
      // is in the line already, behind the tab that has it now.
      this.#stopLeading?.abort();
      this.#leads = false;
      if (!steal) void this.#queueUp(false);
    }
  }

  async #lead(): Promise<void> {
    const stop = new AbortController();
    this.#stopLeading = stop;
    this.#leads = true;
    await follow({
      url: `${this.#place.origin}/events`,
      token: this.#place.token,
      after: () => this.#seq,
      onEvents: (events) => {
        this.#take(events);
        this.#tell({ kind: "events", events });
      },
      onLink: (link) => {
        this.link.set(link);
        this.#beat(true);
      },
      onAlive: () => this.#beat(false),
      signal: AbortSignal.any([stop.signal, this.#ended.signal]),
      fetch: this.#around.fetch,
    });
    this.#leads = false;
  }

  #beat(now: boolean): void {
    if (!now && Date.now() - this.#beaten < BEAT_MS) return;
    this.#beaten = Date.now();
    this.#tell({ kind: "state", link: this.link.get() });
  }

  #hear(message: Message): void {
    if (message.kind === "hello") {
      if (this.#leads) this.#beat(true);
      return;
    }
    // Two lead for a moment when a lock is taken over; each goes by its own stream.
    if (this.#leads) return;
    this.#heard = Date.now();
    if (message.kind === "events") this.#take(message.events);
    else this.link.set(message.link);
  }

  #mindTheLeader(): void {
    const silent = Date.now() - this.#heard > PATIENCE_MS;
    if (this.#leads || !silent || document.visibilityState !== "visible") return;
    this.#heard = Date.now();
    void this.#queueUp(true);
  }

  #take(events: AgentEvent[]): void {
    this.#seq = Math.max(this.#seq ?? 0, ...events.map((event) => event.seq));
    this.#deliver(events);
  }

  #tell(message: Message): void {
    if (!this.#ended.signal.aborted) this.#channel?.postMessage(message);
  }
}
