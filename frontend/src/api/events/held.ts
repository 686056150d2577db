/** A tab that nobody looks at takes events a second later, all at once: the tab in front needs the machine more. */
import type { AgentEvent } from "../model";

const HIDDEN_MS = 1000;

export class Held {
  readonly #pass: (events: AgentEvent[]) => void;
  #events: AgentEvent[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(pass: (events: AgentEvent[]) => void) {
    this.#pass = pass;
    document.addEventListener("visibilitychange", this.#flush);
  }

  take = (events: AgentEvent[]): void => {
    this.#events.push(...events);
    if (document.visibilityState === "hidden") this.#timer ??= setTimeout(this.#flush, HIDDEN_MS);
    else this.#flush();
  };

  stop(): void {
    document.removeEventListener("visibilitychange", this.#flush);
    clearTimeout(this.#timer);
  }

  #flush = (): void => {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const events = this.#events;
    this.#events = [];
    if (events.length > 0) this.#pass(events);
  };
}
