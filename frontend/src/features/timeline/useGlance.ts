import { useCallback, useEffect, useRef, useState } from "react";

const REST_MS = 160;

/** What the pointer rests on. Crossing other rows on the way to a button changes nothing. */
export function useGlance(): { glanced: string | null; glance: (id: string | null, now?: boolean) => void } {
  const [glanced, setGlanced] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const glance = useCallback((id: string | null, now = false) => {
    clearTimeout(timer.current);
    if (now) setGlanced(id);
    else if (id !== null) timer.current = setTimeout(() => setGlanced(id), REST_MS);
  }, []);
  useEffect(() => () => clearTimeout(timer.current), []);
  return { glanced, glance };
}
