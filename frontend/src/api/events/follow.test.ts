import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AgentEvent } from "../model";
import { anEvent } from "../testing";
import { asEvent, follow, pause, SILENCE_MS, type Link } from "./follow";

const wire = (event: AgentEvent): string => `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

type Answer = (signal: AbortSignal) => Response;

/** A service that answers each connection with the next of these, and then never again. */
function service(...answers: Answer[]): { fetch: typeof fetch; asked: Headers[] } {
  const asked: Headers[] = [];
  const answer: typeof fetch = (_url, init) => {
    asked.push(new Headers(init?.headers));
    const signal = init?.signal ?? new AbortController().signal;
    const next = answers.shift();
    if (next) return Promise.resolve(next(signal));
    return new Promise((_, refuse) => signal.addEventListener("abort", () => refuse(new DOMException("", "AbortError"))));
  };
  return { fetch: answer, asked };
}

/** A stream that says this and ends, or with nothing to say stays open until it is called off. */
const stream =
  (...chunks: string[]): Answer =>
  (signal) => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
        if (chunks.length > 0) controller.close();
        else signal.addEventListener("abort", () => controller.error(new DOMException("", "AbortError")));
      },
    });
    return new Response(body, { status: 200 });
  };

async function following(fake: ReturnType<typeof service>): Promise<{ events: AgentEvent[]; links: Link[]; stop: AbortController }> {
  const stop = new AbortController();
  const events: AgentEvent[] = [];
  const links: Link[] = [];
  void follow({
    url: "http://agent/events",
    token: "t",
    after: () => events.at(-1)?.seq ?? null,
    onEvents: (batch) => events.push(...batch),
    onLink: (link) => links.at(-1) !== link && links.push(link),
    signal: stop.signal,
    fetch: fake.fetch,
  });
  await vi.advanceTimersByTimeAsync(0);
  return { events, links, stop };
}

describe("follow", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it("goes on after the last event when the line breaks", async () => {
    const fake = service(stream(wire(anEvent(1, "a", null)), wire(anEvent(2, "b", null))), stream(wire(anEvent(3, "c", null))));
    const { events, links, stop } = await following(fake);
    await vi.advanceTimersByTimeAsync(2000);
    expect(events.map((event) => event.seq)).toEqual([1, 2, 3]);
    expect(fake.asked[0]?.get("Last-Event-ID")).toBeNull();
    expect(fake.asked[1]?.get("Last-Event-ID")).toBe("2");
    expect(fake.asked[1]?.get("Authorization")).toBe("Bearer t");
    expect(links.slice(0, 4)).toEqual(["connecting", "live", "offline", "live"]);
    stop.abort();
  });

  it("takes a silent line for a dead one", async () => {
    const fake = service(stream());
    const { links, stop } = await following(fake);
    expect(links.at(-1)).toBe("live");
    await vi.advanceTimersByTimeAsync(SILENCE_MS + 2000);
    expect(fake.asked.length).toBe(2);
    stop.abort();
  });

  it("gives up when the token is refused", async () => {
    const fake = service(() => new Response(null, { status: 401 }));
    const { links } = await following(fake);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(links.at(-1)).toBe("refused");
    expect(fake.asked.length).toBe(1);
  });

  it("tries again while the service is busy, less and less often", async () => {
    const busy = (): Response => new Response(null, { status: 503 });
    const fake = service(busy, busy, busy, stream(wire(anEvent(1, "a", null))));
    const { events, stop } = await following(fake);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(events.length).toBe(1);
    expect(pause(0, () => 0.5)).toBeLessThan(pause(3, () => 0.5));
    expect(pause(50, () => 1)).toBeLessThanOrEqual(10_000);
    stop.abort();
  });
});

describe("asEvent", () => {
  it("reads an event and passes over what is none", () => {
    expect(asEvent(JSON.stringify(anEvent(1, "a", "t")))?.task_id).toBe("t");
    expect(asEvent('{"seq": "one"}')).toBeNull();
    expect(asEvent("<script>")).toBeNull();
  });
});
