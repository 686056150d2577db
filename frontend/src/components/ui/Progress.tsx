import type { ReactNode } from "react";
import { cx } from "@/lib/cx";
import css from "./Progress.module.css";

/** How far it is, with counts where the work can be counted. */
export function Progress({ label, done, total }: { label: string; done?: number | null; total?: number | null }): ReactNode {
  const known = typeof done === "number" && typeof total === "number" && total > 0;
  return (
    <div
      className={css.bar}
      role="progressbar"
      aria-label={label}
      {...(known ? { "aria-valuemin": 0, "aria-valuemax": total, "aria-valuenow": done } : {})}
    >
      <div className={cx(css.fill, !known && css.unknown)} style={known ? { width: `${Math.min(100, (done / total) * 100)}%` } : undefined} />
    </div>
  );
}
