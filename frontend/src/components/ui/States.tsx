import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { ApiError } from "@/api/error";
import { Technical } from "@/components/Technical";
import { cx } from "@/lib/cx";
import { failures } from "@words/failures";
import { Button } from "./Button";
import css from "./States.module.css";
import { Words } from "./Words";

/** Nothing is here, and what to do about it. */
export function Empty({ icon, title, children, action }: { icon?: ReactNode; title: string; children?: ReactNode; action?: ReactNode }): ReactNode {
  return (
    <div className={css.state}>
      {icon}
      <p className={css.title}>{title}</p>
      {children !== undefined && <div className={css.words}>{children}</div>}
      {action !== undefined && <div className={css.buttons}>{action}</div>}
    </div>
  );
}

interface ErrorStateProps {
  error: unknown;
  /** What is still there; people fear for their work first. */
  kept?: string;
  onRetry?: (() => void) | undefined;
  /** The second most sensible thing to do. */
  other?: ReactNode;
  inline?: boolean;
}

/** What happened, what is kept, and the two most sensible buttons. */
export function ErrorState({ error, kept = failures.kept, onRetry, other, inline = false }: ErrorStateProps): ReactNode {
  const problem = ApiError.from(error);
  return (
    <div className={cx(css.state, css.wrong, inline && css.inline)} role="alert">
      {!inline && <TriangleAlert aria-hidden />}
      <p className={css.title}>
        <Words text={problem.message} />
      </p>
      {problem.hint && (
        <p className={css.words}>
          <Words text={problem.hint} />
        </p>
      )}
      {kept && <p className={css.kept}>{kept}</p>}
      <div className={css.buttons}>
        {onRetry && (
          <Button size={inline ? "small" : "medium"} kind={inline ? "plain" : "primary"} onClick={onRetry}>
            {failures.retry}
          </Button>
        )}
        {other}
      </div>
      {!inline && Object.keys(problem.details).length > 0 && <Technical value={{ code: problem.code, ...problem.details }} />}
    </div>
  );
}
