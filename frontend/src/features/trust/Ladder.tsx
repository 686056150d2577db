import { Ban } from "lucide-react";
import type { ReactNode } from "react";
import { Tooltip } from "@/components/ui/Tooltip";
import { cx } from "@/lib/cx";
import { trust as w } from "@words/trust";
import type { Rung } from "./standing";
import css from "./Trust.module.css";

const RUNGS: Rung[] = ["asks", "sometimes", "alone"];

/** Three rungs: asks, asks sometimes, alone; those that it has climbed are filled. */
export function Ladder({ rung }: { rung: Rung }): ReactNode {
  const height = RUNGS.indexOf(rung);
  return (
    <Tooltip words={w.rungHints[rung]}>
      <span className={cx(css.ladder, css[rung])}>
        {rung === "never" ? (
          <Ban aria-hidden />
        ) : (
          <span className={css.rungs} aria-hidden>
            {RUNGS.map((one, at) => (
              <i key={one} className={cx(at <= height && css.climbed)} />
            ))}
          </span>
        )}
        {w.rungs[rung]}
      </span>
    </Tooltip>
  );
}
