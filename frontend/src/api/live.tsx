/** Keeps what is on screen true: one event stream for the browser, written into the query cache of each tab. */
import { useQueryClient } from "@tanstack/react-query";
import { createContext, use, useEffect, useState, type ReactNode } from "react";
import { Signal, useSignal } from "@/lib/signal";
import { apiOrigin } from "./address";
import { CacheWriter } from "./events/cache";
import { Held } from "./events/held";
import type { Link } from "./events/follow";
import { SharedStream } from "./events/shared";
import { signOut } from "./token";
import type { AgentEvent } from "./model";

type Listener = (events: AgentEvent[]) => void;

interface LiveContext {
  link: Signal<Link>;
  listen: (listener: Listener) => () => void;
}

const Context = createContext<LiveContext | null>(null);

export function Live({ token, children }: { token: string; children: ReactNode }): ReactNode {
  const client = useQueryClient();
  const [live] = useState(() => {
    const listeners = new Set<Listener>();
    const listen = (listener: Listener): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    };
    return { link: new Signal<Link>("connecting"), listeners, listen };
  });

  useEffect(() => {
    const writer = new CacheWriter(client);
    const held = new Held((events) => {
      writer.take(events);
      for (const listener of live.listeners) listener(events);
    });
    const stream = new SharedStream({ origin: apiOrigin(), token }, held.take);
    const stop = stream.link.subscribe(() => {
      const link = stream.link.get();
      live.link.set(link);
      if (link === "refused") signOut();
      if (link !== "live") return;
      // What was read before the first event could arrive may be behind; later gaps are filled by the stream itself.
      if (stream.seq === null) writer.readAllAnew();
      else writer.readFailed();
    });
    stream.start();
    return () => {
      stop();
      stream.stop();
      held.stop();
      writer.stop();
    };
  }, [client, token, live]);

  return <Context value={live}>{children}</Context>;
}

function useLive(): LiveContext {
  const live = use(Context);
  if (!live) throw new Error("useLive is used outside <Live>");
  return live;
}

export function useLink(): Link {
  return useSignal(useLive().link);
}

/** Calls back with every batch of events. */
export function useEvents(listener: Listener): void {
  const { listen } = useLive();
  useEffect(() => listen(listener), [listen, listener]);
}
