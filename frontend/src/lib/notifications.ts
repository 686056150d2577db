/** Notifications of the browser: asked for on a click only, and shown while this page is out of sight. */
import { Signal } from "./signal";
import { store } from "./storage";

const KEY = "task-agent.notify";

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
  return notifying.get();
}

export function turnOff(): void {
  store.remove(KEY);
  notifying.set(now());
}

interface Notice {
  /** Several tabs say the same thing: the browser shows it once. */
  tag: string;
  title: string;
  words: string;
  onClick: () => void;
}

export function notify({ tag, title, words, onClick }: Notice): boolean {
  if (now() !== "on" || document.visibilityState === "visible") return false;
  try {
    const shown = new Notification(title, { body: words, tag, icon: "/favicon.svg" });
    shown.onclick = () => {
      window.focus();
      shown.close();
      onClick();
    };
    return true;
  } catch {
    // Some phones show notifications from a service worker only; the badge and the title still tell.
    return false;
  }
}

/** The number on the icon of the installed page, where there is one. */
export function badge(count: number): void {
  if (!("setAppBadge" in navigator)) return;
  // Refused where the page is not installed; the title of the tab has the number, too.
  void (count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(() => undefined);
}
