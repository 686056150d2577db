import type { ReactNode } from "react";
import { cx } from "@/lib/cx";
import css from "./Badge.module.css";

export type Tone = "plain" | "good" | "waiting" | "wrong" | "accent";

export function Badge({ tone = "plain", icon, children }: { tone?: Tone; icon?: ReactNode; children: ReactNode }): ReactNode {
  return (
    <span className={cx(css.badge, tone !== "plain" && css[tone])}>
      {icon}
      {children}
    </span>
  );
}

/** A number that wants to be seen: so many wait. */
export function Count({ value, words }: { value: number; words: string }): ReactNode {
  if (value === 0) return null;
  return (
    <span className={cx(css.badge, css.number)}>
      <span aria-hidden>{value > 99 ? "99+" : value}</span>
      <span className="sr-only">{words}</span>
    </span>
  );
}
