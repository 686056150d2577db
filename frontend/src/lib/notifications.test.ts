import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import "../../public/notifications-worker.js";
import { notify, notifying, onNotificationClick, turnOff, turnOn, withdraw } from "./notifications";

interface Shown {
  title: string;
  tag?: string;
  data?: unknown;
  close: () => void;
}

/** Stands for the browser's own notifications: what is shown, by a worker or by the page. */
class Browser {
  shown: Shown[] = [];
  registered: string[] = [];
  answer: NotificationPermission = "granted";
  readonly workers = new EventTarget();
  private worker: object | undefined;

  readonly registration = {
    showNotification: (title: string, options: NotificationOptions) => Promise.resolve(this.show(title, options)),
    getNotifications: ({ tag }: { tag: string }) => Promise.resolve(this.shown.filter((one) => one.tag === tag)),
    unregister: () => {
      this.worker = undefined;
      return Promise.resolve(true);
    },
  };

  show(title: string, options: NotificationOptions): Shown {
    const one = { title, ...options, close: () => (this.shown = this.shown.filter((other) => other !== one)) };
    this.shown.push(one);
    return one;
  }

  give({ workers, pages }: { workers: "yes" | "no" | "refused"; pages: boolean }): void {
    const page = (title: string, options: NotificationOptions): Shown => {
      if (!pages) throw new TypeError("Illegal constructor");
      return this.show(title, options);
    };
    // A function may be called with `new`; an arrow may not.
    const Page = Object.assign(
      function Notification(title: string, options: NotificationOptions) {
        return page(title, options);
      },
      { requestPermission: () => Promise.resolve(this.answer) },
    );
    Object.defineProperty(Page, "permission", { get: () => this.answer });
    vi.stubGlobal("Notification", Page);
    vi.stubGlobal("focus", () => undefined);
    vi.stubGlobal("isSecureContext", true);
    if (workers === "no") return;
    const container = Object.assign(this.workers, {
      register: (url: string) => {
        this.registered.push(url);
        if (workers === "refused") return Promise.reject(new TypeError("404"));
        this.worker = this.registration;
        return Promise.resolve(this.registration);
      },
      ready: Promise.resolve(this.registration),
      getRegistration: () => Promise.resolve(this.worker),
    });
    Object.defineProperty(navigator, "serviceWorker", { value: container, configurable: true });
  }
}

const onClick = vi.fn();
const notice = { task: "t1", title: "Needs your decision", words: "Create a file", onClick };
let browser: Browser;
let looking: boolean;

beforeEach(() => {
  browser = new Browser();
  looking = false;
  onClick.mockReset();
  vi.spyOn(document, "hasFocus").mockImplementation(() => looking);
});

afterEach(() => {
  turnOff();
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, "serviceWorker");
});

describe("notifications", () => {
  it("come from a worker, which is registered on the click that turns them on and not before", async () => {
    browser.give({ workers: "yes", pages: false });
    expect(await notify(notice)).toBe(false);
    expect(browser.registered).toEqual([]);
    expect(await turnOn()).toBe("on");
    expect(browser.registered).toEqual(["http://localhost:3000/notifications-worker.js"]);
    expect(await notify(notice)).toBe(true);
    expect(browser.shown).toMatchObject([{ title: "Needs your decision", tag: "t1", data: { task: "t1" } }]);
  });

  it.each(["no", "refused"] as const)("come from the page itself where the worker is had: %s", async (workers) => {
    browser.give({ workers, pages: true });
    await turnOn();
    expect(await notify(notice)).toBe(true);
    const [shown] = browser.shown as (Shown & { onclick: () => void })[];
    shown?.onclick();
    expect(onClick).toHaveBeenCalledOnce();
    expect(browser.shown).toEqual([]);
  });

  it("are done without where neither may show them", async () => {
    browser.give({ workers: "no", pages: false });
    await turnOn();
    expect(await notify(notice)).toBe(false);
  });

  it("are not shown to somebody who looks at the page", async () => {
    browser.give({ workers: "yes", pages: true });
    await turnOn();
    looking = true;
    expect(await notify(notice)).toBe(false);
    expect(browser.shown).toEqual([]);
  });

  it("stay off when the person says no", async () => {
    browser.give({ workers: "yes", pages: true });
    browser.answer = "denied";
    expect(await turnOn()).toBe("blocked");
    expect(notifying.get()).toBe("blocked");
    expect(browser.registered).toEqual([]);
  });

  it("go when the decision was made elsewhere, and the worker goes when they are turned off", async () => {
    browser.give({ workers: "yes", pages: true });
    await turnOn();
    await notify(notice);
    await notify({ ...notice, task: "t2" });
    await withdraw("t1");
    expect(browser.shown).toMatchObject([{ tag: "t2" }]);
    turnOff();
    await vi.waitFor(async () => expect(await navigator.serviceWorker.getRegistration()).toBeUndefined());
  });

  it("that are clicked tell the open page which decision it is about; other messages tell it nothing", () => {
    browser.give({ workers: "yes", pages: true });
    const heard = vi.fn();
    const stop = onNotificationClick(heard);
    for (const data of [{ decide: "t1" }, { decide: 7 }, "t1", null]) browser.workers.dispatchEvent(new MessageEvent("message", { data }));
    stop();
    browser.workers.dispatchEvent(new MessageEvent("message", { data: { decide: "t2" } }));
    expect(heard.mock.calls).toEqual([["t1"]]);
  });
});

describe("the worker", () => {
  /** Clicks on a notification while these pages are open; says what came of it. */
  async function click(urls: string[], data: unknown): Promise<unknown[]> {
    const done: unknown[] = [];
    const pages = urls.map((url) => ({
      url,
      postMessage: (message: unknown) => done.push([url, message]),
      focus: () => Promise.resolve(done.push("focus")),
    }));
    vi.stubGlobal("clients", { matchAll: () => Promise.resolve(pages), openWindow: (url: string) => Promise.resolve(done.push(url)) });
    let work: Promise<unknown> | undefined;
    const event = Object.assign(new Event("notificationclick"), {
      notification: { data, close: () => done.push("close") },
      waitUntil: (promise: Promise<unknown>) => (work = promise),
    });
    window.dispatchEvent(event);
    await work;
    return done;
  }

  it("brings the panel that is open to the front and tells it which decision", async () => {
    const open = "https://agent.example/app/timeline";
    expect(await click(["https://agent.example/docs", open], { task: "t1" })).toEqual(["close", [open, { decide: "t1" }], "focus"]);
  });

  it("opens the panel at the decision where none is open", async () => {
    expect(await click(["https://agent.example/apple"], { task: "t/1" })).toEqual(["close", "/app/approvals?task=t%2F1"]);
    expect(await click([], null)).toEqual(["close", "/app/approvals"]);
  });
});
