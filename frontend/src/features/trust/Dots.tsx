import type { ReactNode } from "react";
import { cx } from "@/lib/cx";
import { trust as w } from "@words/trust";
import { tally, type Outcome } from "./standing";
import css from "./Trust.module.css";

const OUTCOMES: Outcome[] = ["good", "failed", "rejected", "undone"];

function Dot({ outcome }: { outcome: Outcome }): ReactNode {
  return (
    <svg viewBox="0 0 10 10" className={cx(css.dot, css[outcome])} aria-hidden>
      {outcome === "good" && <circle cx="5" cy="5" r="4" />}
      {outcome === "failed" && <path d="M1.5 1.5 8.5 8.5M8.5 1.5 1.5 8.5" />}
      {outcome === "rejected" && <rect x="1.5" y="1.5" width="7" height="7" rx="1.5" />}
      {outcome === "undone" && <circle cx="5" cy="5" r="3.5" />}
    </svg>
  );
}

/** How it went, one mark a run, the newest right; each outcome has a shape of its own. */
export function Dots({ outcomes }: { outcomes: readonly Outcome[] }): ReactNode {
  const counts = tally(outcomes);
  const parts = OUTCOMES.filter((one) => counts[one] > 0).map((one) => `${counts[one]} ${w.outcomes[one]}`);
  const words = w.record(outcomes.length, parts.join(", "));
  return (
    <span className={css.dots} role="img" aria-label={words} title={words}>
      {outcomes.map((outcome, at) => (
        <Dot key={at} outcome={outcome} />
      ))}
    </span>
  );
}

export function Legend(): ReactNode {
  return (
    <ul className={css.legend} aria-label={w.legend}>
      {OUTCOMES.map((outcome) => (
        <li key={outcome}>
          <Dot outcome={outcome} />
          {w.outcomes[outcome]}
        </li>
      ))}
    </ul>
  );
}
