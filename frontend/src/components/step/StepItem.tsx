import { ChevronRight } from "lucide-react";
import { lazy, Suspense, useState, type ReactNode } from "react";
import { isOpen, type Task } from "@/api/model";
import { Progress } from "@/components/ui/Progress";
import { Skeleton } from "@/components/ui/Skeleton";
import { StatusIcon } from "@/components/ui/Status";
import { Running } from "@/components/ui/Time";
import { Words } from "@/components/ui/Words";
import { arriving } from "@/lib/arriving";
import { cx } from "@/lib/cx";
import { duration, money } from "@/lib/format";
import { step as w } from "@words/step";
import css from "./Step.module.css";

const StepDetails = lazy(() => arriving(() => import("./StepDetails")));

interface StepItemProps {
  task: Task;
  open?: boolean;
  onToggle?: (open: boolean) => void;
  /** What it came to is said elsewhere already. */
  quiet?: boolean;
}

/** One step as it happens; opened, it shows what it changed, what it printed, what proves it, and why it asked. */
export function StepItem({ task, open: controlled, onToggle, quiet = false }: StepItemProps): ReactNode {
  const [own, setOwn] = useState(false);
  const open = controlled ?? own;
  const toggle = onToggle ?? setOwn;
  const begun = task.status !== "queued" || wasTried(task);
  return (
    <div className={cx(css.step, task.status === "undone" && css.undone)} data-step={task.id}>
      <button type="button" className={css.head} aria-expanded={open} disabled={!begun} onClick={() => toggle(!open)}>
        <StatusIcon status={task.status} />
        <span className={css.title}>
          <Words text={task.title} />
        </span>
        <span className={css.facts}>
          {task.cost > 0 && <span>{money(task.cost)}</span>}
          <Took task={task} />
          {begun && <ChevronRight aria-hidden className={css.chevron} />}
        </span>
      </button>
      {!(quiet && !isOpen(task)) && <Line task={task} />}
      {open && (
        <div className={css.body}>
          <Suspense fallback={<Skeleton lines={2} />}>
            <StepDetails task={task} />
          </Suspense>
        </div>
      )}
    </div>
  );
}

/** It failed and waits in the queue again. */
const wasTried = ({ status, result }: Task): boolean => status === "queued" && result?.success === false;

function Took({ task }: { task: Task }): ReactNode {
  if (task.status === "running" && task.started) return <Running since={task.started} />;
  return task.seconds === null ? null : <span>{duration(task.seconds)}</span>;
}

/** The one line below the title: progress while it runs, what went wrong when it did. */
function Line({ task }: { task: Task }): ReactNode {
  if (task.status === "running") {
    const { message = "", done = null, total = null } = task.progress ?? {};
    return (
      <div className={css.line}>
        <Progress label={task.title} done={done} total={total} />
        {message && (
          <span>
            <Words text={message} /> {done !== null && total !== null && w.progress(done, total)}
          </span>
        )}
      </div>
    );
  }
  const message = task.result?.message;
  if (!message || (isOpen(task) && !wasTried(task))) return null;
  const failed = task.status === "failed" || wasTried(task);
  return (
    <p className={cx(css.line, failed && css.failed)}>
      <span>
        <Words text={message} />
      </span>
    </p>
  );
}
