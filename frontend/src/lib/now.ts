import { useSyncExternalStore } from "react";

/** A clock that all relative times share: it ticks only while somebody looks at one. */
function ticking(ms: number): () => number {
  let now = Date.now();
  let timer: ReturnType<typeof setInterval> | undefined;
  const watchers = new Set<() => void>();
  const subscribe = (watcher: () => void): (() => void) => {
    watchers.add(watcher);
    timer ??= setInterval(() => {
      now = Date.now();
      for (const one of watchers) one();
    }, ms);
    return () => {
      watchers.delete(watcher);
      if (watchers.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  };
  const read = (): number => {
    if (timer === undefined) now = Date.now();
    return now - (now % ms);
  };
  return () => useSyncExternalStore(subscribe, read);
}

export const useNow = ticking(15_000);
export const useSeconds = ticking(1000);
