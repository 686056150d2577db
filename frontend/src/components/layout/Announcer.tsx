import type { ReactNode } from "react";
import { polite, urgent } from "@/lib/announce";
import { useSignal } from "@/lib/signal";

/** Two live regions for all of the panel. */
export function Announcer(): ReactNode {
  const calm = useSignal(polite);
  const now = useSignal(urgent);
  return (
    <>
      <div className="sr-only" role="status" aria-live="polite">
        <span key={calm.at}>{calm.words}</span>
      </div>
      <div className="sr-only" role="alert" aria-live="assertive">
        <span key={now.at}>{now.words}</span>
      </div>
    </>
  );
}
