/** Notifications of the browser: asked for on a click only, and shown while a person looks at something else. */
import { Signal } from "./signal";
import { store } from "./storage";
import { scriptUrl } from "./trusted";

const KEY = "task-agent.notify";
const WORKER = "/notifications-worker.js";

export type NotifyState = "on" | "off" | "blocked" | "unavailable";

function now(): NotifyState {
  if (typeof Notification === "undefined" || !window.isSecureContext) return "unavailable";
  if (Notification.permission === "denied") return "blocked";
  return store.get(KEY) === "on" && Notification.permission === "granted" ? "on" : "off";
}

export const notifying = new Signal<NotifyState>(now());

/** To be called from a click: browsers ask the person then, and only then. */
export async function turnOn(): Promise<NotifyState> {
  if (now() === "unavailable") return "unavailable";
  const answer = await Notification.requestPermission();
  if (answer === "granted") store.set(KEY, "on");
  notifying.set(now());
  if (notifying.get() === "on") void worker();
  return notifying.get();
}

export function turnOff(): void {
  store.remove(KEY);
  notifying.set(now());
  void workers()?.getRegistration().then((found) => found?.unregister());
}

export interface Notice {
  /** The task that waits. Several tabs say the same thing: the browser shows it once. */
  task: string;
  title: string;
  words: string;
  onClick: () => void;
}

/** Whether it was shown. */
export async function notify({ task, title, words, onClick }: Notice): Promise<boolean> {
  if (now() !== "on" || isLookedAt()) return false;
  const options = { body: words, tag: task, icon: "/favicon.svg" };
  const registered = await worker();
  if (registered) {
    await registered.showNotification(title, { ...options, data: { task } });
    return true;
  }
  try {
    const shown = new Notification(title, options);
    shown.onclick = () => {
      window.focus();
      shown.close();
      onClick();
    };
    return true;
  } catch {
    // Some phones show notifications from a worker only; the badge and the title still tell.
    return false;
  }
}

/** Takes the notification back: what it is about has been decided elsewhere. */
export async function withdraw(task: string): Promise<void> {
  if (now() !== "on") return;
  const registered = await workers()?.getRegistration();
  for (const shown of (await registered?.getNotifications({ tag: task })) ?? []) shown.close();
}

/** Calls back with the task whose notification was clicked while this page was open. */
export function onNotificationClick(decide: (task: string) => void): () => void {
  const heard = ({ data }: MessageEvent<unknown>): void => {
    if (typeof data === "object" && data !== null && "decide" in data && typeof data.decide === "string") decide(data.decide);
  };
  const found = workers();
  found?.addEventListener("message", heard);
  return () => found?.removeEventListener("message", heard);
}

function isLookedAt(): boolean {
  return document.visibilityState === "visible" && document.hasFocus();
}

function workers(): ServiceWorkerContainer | undefined {
  return "serviceWorker" in navigator ? navigator.serviceWorker : undefined;
}

/** The worker that shows notifications, ready to; null where there is none to be had. */
async function worker(): Promise<ServiceWorkerRegistration | null> {
  const found = workers();
  if (!found) return null;
  try {
    await found.register(scriptUrl(WORKER));
    return await found.ready;
  } catch {
    // The host may not have the file, and a private window may have no workers: then the page shows them itself.
    return null;
  }
}

/** The number on the icon of the installed page, where there is one. */
export function badge(count: number): void {
  if (!("setAppBadge" in navigator)) return;
  // Refused where the page is not installed; the title of the tab has the number, too.
  void (count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(() => undefined);
}
