import type { ReactNode } from "react";
import { Card } from "@/components/ui/Card";
import { Words } from "@/components/ui/Words";
import { cx } from "@/lib/cx";
import css from "./Settings.module.css";

interface PartProps {
  title: string;
  words?: string;
  /** Stands at the right of the title. */
  side?: ReactNode;
  children?: ReactNode;
  danger?: boolean;
}

/** One matter: what it is, one sentence about it, and what can be done. */
export function Part({ title, words, side, children, danger = false }: PartProps): ReactNode {
  return (
    <Card as="section" className={cx(css.part, danger && css.danger)}>
      <div className={css.partHead}>
        <div>
          <h2>{title}</h2>
          {words && (
            <p className={css.soft}>
              <Words text={words} />
            </p>
          )}
        </div>
        {side !== undefined && <div className={css.side}>{side}</div>}
      </div>
      {children}
    </Card>
  );
}
