import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { useRun, type Command } from "@/api/actions";
import { isWaiting, type Task } from "@/api/model";
import { queries } from "@/api/queries";
import { ApprovalCard } from "@/components/approval/ApprovalCard";
import { StepItem } from "@/components/step/StepItem";
import { Button } from "@/components/ui/Button";
import { Card } from "@/components/ui/Card";
import { toast } from "@/lib/toasts";
import { deployments as w } from "@words/deployments";
import css from "./Deployments.module.css";
import { underWay } from "./standing";

interface UnderWayProps {
  /** What was asked for last, on this screen. */
  asked: string;
  busy: boolean;
  onPublish: (command: Command) => void;
}

/** What needs a decision or is being done, and what has just failed, with what helps. */
export function UnderWay({ asked, busy, onPublish }: UnderWayProps): ReactNode {
  const { data } = useInfiniteQuery(queries.tasks());
  const [since] = useState(() => new Date().toISOString());
  const tasks = underWay(data?.pages.flat() ?? [], since);
  if (tasks.length === 0) return null;
  return (
    <section aria-label={w.underWay} className={css.section}>
      {tasks.map((task) => (
        <Item key={task.id} task={task} shown={asked === task.id}>
          {task.result?.error?.details.unproven === true && <Unproven task={task} busy={busy} onPublish={onPublish} />}
        </Item>
      ))}
    </section>
  );
}

/** What was just asked for comes into view, with the keyboard on it. */
function Item({ task, shown, children }: { task: Task; shown: boolean; children: ReactNode }): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const waits = isWaiting(task);
  useEffect(() => {
    if (!shown || !waits) return;
    const card = place.current?.querySelector<HTMLElement>("[data-item]");
    card?.focus({ preventScroll: true });
    card?.scrollIntoView({ block: "nearest" });
  }, [shown, waits]);
  return (
    <div ref={place}>
      {waits ? (
        <ApprovalCard task={task} />
      ) : (
        <Card padded={false}>
          <StepItem task={task} />
          {children}
        </Card>
      )}
    </div>
  );
}

/** Only what is proven goes online: prove it, or say that it shall go all the same. */
function Unproven({ task, busy, onPublish }: { task: Task; busy: boolean; onPublish: (command: Command) => void }): ReactNode {
  const run = useRun();
  const { project, params } = task;
  const provable = task.result?.error?.details.can_be_proven === true;
  const prove = (): void =>
    run.mutate(
      { intent: "test_app", project },
      {
        onSuccess: () => toast(w.proving),
        onError: (error) => toast(error.message, { tone: "wrong", hint: error.hint }),
      },
    );
  return (
    <div className={css.remedy}>
      <p>{provable ? w.unproven : w.unprovable}</p>
      <div className={css.buttons}>
        {provable && (
          <Button kind="primary" size="small" busy={run.isPending} onClick={prove}>
            {w.prove}
          </Button>
        )}
        <Button size="small" disabled={busy} onClick={() => onPublish({ intent: "deploy_app", project, params: { ...params, unproven: true } })}>
          {w.anyway}
        </Button>
      </div>
    </div>
  );
}
