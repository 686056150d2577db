import { afterEach, describe, expect, it, vi } from "vitest";
import type { AgentEvent } from "../model";
import { anEvent } from "../testing";
import { SharedStream, type Surroundings } from "./shared";

/** Web Locks for one page: exclusive, first come first served, released when the callback ends. */
class FakeLocks {
  #last = Promise.resolve();

  request(_name: string, options: { signal?: AbortSignal }, held: () => Promise<void>): Promise<void> {
    const turn = this.#last.then(() => (options.signal?.aborted ? undefined : held()));
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

/** A service whose open streams can be written to and cut. */
class FakeService {
  readonly asked: (string | null)[] = [];
  #open: ReadableStreamDefaultController<Uint8Array>[] = [];

  fetch: typeof fetch = (_url, init) => {
    this.asked.push(new Headers(init?.headers).get("Last-Event-ID"));
    const body = new ReadableStream<Uint8Array>({ start: (controller) => void this.#open.push(controller) });
    return Promise.resolve(new Response(body, { status: 200 }));
  };

  say(event: AgentEvent): void {
    for (const one of this.#open) one.enqueue(new TextEncoder().encode(`id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`));
  }

  cut(): void {
    for (const one of this.#open) one.close();
    this.#open = [];
  }
}

const opened: SharedStream[] = [];
/** Until it holds, however slow the machine is. */
const until = (holds: () => void): Promise<void> => vi.waitFor(holds, { timeout: 10_000, interval: 5 });

function tab(service: FakeService, locks: FakeLocks | undefined): { stream: SharedStream; seen: number[] } {
  const seen: number[] = [];
  const around: Surroundings = {
    locks: locks as unknown as LockManager | undefined,
    channel: (name) => new BroadcastChannel(name),
    fetch: service.fetch,
  };
  const stream = new SharedStream({ origin: "http://agent", token: "t" }, (events) => seen.push(...events.map((one) => one.seq)), around);
  opened.push(stream);
  stream.start();
  return { stream, seen };
}

describe("SharedStream", () => {
  afterEach(() => {
    for (const stream of opened.splice(0)) stream.stop();
  });

  it("reads one stream for all tabs, and each tab sees every event", async () => {
    const service = new FakeService();
    const locks = new FakeLocks();
    const tabs = [tab(service, locks), tab(service, locks), tab(service, locks)];
    await until(() => expect(tabs.map(({ stream }) => stream.link.get())).toEqual(["live", "live", "live"]));
    service.say(anEvent(1, "a", null));
    service.say(anEvent(2, "b", null));
    await until(() => expect(tabs.map(({ seen }) => seen)).toEqual([
      [1, 2],
      [1, 2],
      [1, 2],
    ]));
    expect(service.asked).toEqual([null]);
  });

  it("has another tab go on from the last event when the leading one is closed", async () => {
    const service = new FakeService();
    const locks = new FakeLocks();
    const first = tab(service, locks);
    const second = tab(service, locks);
    await until(() => expect(second.stream.link.get()).toBe("live"));
    service.say(anEvent(7, "a", null));
    await until(() => expect(second.seen).toEqual([7]));
    first.stream.stop();
    service.cut();
    await until(() => expect(service.asked).toEqual([null, "7"]));
    await until(() => expect(second.stream.link.get()).toBe("live"));
    service.say(anEvent(8, "b", null));
    await until(() => expect(second.seen).toEqual([7, 8]));
    expect(second.stream.leads).toBe(true);
  });

  it("tells a tab that is opened later how the line stands", async () => {
    const service = new FakeService();
    const locks = new FakeLocks();
    const early = tab(service, locks);
    await until(() => expect(early.stream.link.get()).toBe("live"));
    const late = tab(service, locks);
    await until(() => expect(late.stream.link.get()).toBe("live"));
    expect(late.stream.leads).toBe(false);
  });

  it("gives each tab a stream of its own where there are no locks", async () => {
    const service = new FakeService();
    tab(service, undefined);
    tab(service, undefined);
    await until(() => expect(service.asked.length).toBe(2));
  });
});
