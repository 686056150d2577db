/** Reading the line of actions: page by page backwards, and its head whenever something ends. */
import { infiniteQueryOptions, useInfiniteQuery, useQueryClient, type InfiniteData } from "@tanstack/react-query";
import { useCallback, useEffect, useRef } from "react";
import { answered, api } from "@/api/client";
import { useEvents, useLink } from "@/api/live";
import type { AgentEvent } from "@/api/model";
import { withHead, type LinePage } from "./line";

const PAGE = 200;
const HEAD = 50;
const SETTLE_MS = 50;
const ENDS = new Set(["step_finished", "approval_refused", "task_cancelled", "state_imported"]);

export interface LineFilter {
  project: string | null;
  changes: boolean;
}

async function page({ project, changes }: LineFilter, more: { before?: number; limit: number }, signal?: AbortSignal): Promise<LinePage> {
  const query = { changes, ...(project === null ? {} : { project }), ...more };
  const { entries, next } = await answered(api().GET("/timeline", { params: { query }, signal: signal ?? null }));
  return { entries, next: next ?? null };
}

function line(filter: LineFilter) {
  return infiniteQueryOptions({
    queryKey: ["line", filter] as const,
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) => page(filter, { limit: PAGE, ...(pageParam ? { before: pageParam } : {}) }, signal),
    getNextPageParam: (last: LinePage) => last.next ?? undefined,
    // Pages far down are not read again: what changes about them is told by what is new.
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });
}

export function useLine(filter: LineFilter) {
  const client = useQueryClient();
  const options = line(filter);
  const { queryKey } = options;
  const key = JSON.stringify(queryKey);

  const refresh = useCallback(async () => {
    const known = JSON.parse(key) as typeof queryKey;
    const { entries } = await page(known[1], { limit: HEAD });
    const data = client.getQueryData<InfiniteData<LinePage, number>>(known);
    const pages = data && withHead(data.pages, entries);
    if (pages) client.setQueryData<InfiniteData<LinePage, number>>(known, { ...data, pages });
    else if (data) await client.resetQueries({ queryKey: known });
    // Once the screen shows the line as it is now, so that no preview is asked for which nobody looks at any more.
    setTimeout(() => void client.invalidateQueries({ queryKey: ["undo"] }), SETTLE_MS);
  }, [client, key]);

  useOnEnd(refresh);
  const link = useLink();
  useEffect(() => {
    // What ended while another screen was open, or while the service was away, is not known yet.
    if (link === "live" && client.getQueryData(JSON.parse(key) as typeof queryKey)) refresh().catch(() => undefined);
  }, [link, client, key, refresh]);
  return useInfiniteQuery(options);
}

/** Calls when something has ended: at once, and once more for all that ended during the call. */
function useOnEnd(act: () => Promise<void>): void {
  const state = useRef({ busy: false, again: false });
  useEvents(
    useCallback(
      (events: AgentEvent[]) => {
        if (!events.some((event) => ENDS.has(event.type))) return;
        const now = state.current;
        now.again = true;
        if (now.busy) return;
        now.busy = true;
        const go = async (): Promise<void> => {
          while (now.again) {
            now.again = false;
            // What could not be read now is read with the next event; the bar at the top says that we are offline.
            await act().catch(() => undefined);
          }
          now.busy = false;
        };
        void go();
      },
      [act],
    ),
  );
}
