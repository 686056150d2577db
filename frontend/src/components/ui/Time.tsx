import type { ReactNode } from "react";
import { ago, duration, exactTime } from "@/lib/format";
import { useNow, useSeconds } from "@/lib/now";

/** `4 min ago`; the exact time when pointed at. */
export function Time({ at }: { at: string }): ReactNode {
  const now = useNow();
  return (
    <time dateTime={at} title={exactTime(at)}>
      {ago(at, Math.max(now, Date.parse(at)))}
    </time>
  );
}

/** How long something has been going on. */
export function Running({ since }: { since: string }): ReactNode {
  const now = useSeconds();
  return <span>{duration(Math.max(0, Math.floor((now - Date.parse(since)) / 1000)))}</span>;
}
