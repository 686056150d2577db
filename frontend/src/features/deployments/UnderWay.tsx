import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { useCancel, useRun, type Command } from "@/api/actions";
import { isWaiting, type Task } from "@/api/model";
import { useProjectNames } from "@/api/projectNames";
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
          <Remedy task={task} busy={busy} onPublish={onPublish} />
        </Item>
      ))}
    </section>
  );
}

/** What was just asked for comes into view, with the keyboard on it. */
function Item({ task, shown, children }: { task: Task; shown: boolean; children: ReactNode }): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const nameOf = useProjectNames();
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
          {task.project && (
            <p className={css.of}>
              <bdi>{nameOf(task.project)}</bdi>
            </p>
          )}
          <StepItem task={task} />
          {children}
        </Card>
      )}
    </div>
  );
}

/** What helps. Only what is proven goes online: prove it, or say that it shall go all the same. Else it is tried again, or left. */
function Remedy({ task, busy, onPublish }: { task: Task; busy: boolean; onPublish: (command: Command) => void }): ReactNode {
  const run = useRun();
  const cancel = useCancel();
  const navigate = useNavigate();
  const { project, params } = task;
  const details = task.result?.error?.details;
  const unproven = details?.unproven === true;
  const provable = details?.can_be_proven === true;
  const kept = task.status === "queued" && task.result !== null;
  const prove = (): void =>
    run.mutate(
      { intent: "test_app", project },
      {
        onSuccess: ({ confirmationNeeded, id }) => {
          toast(confirmationNeeded ? w.asks : w.proving);
          if (confirmationNeeded) void navigate({ to: "/app/approvals", search: { task: id ?? undefined } });
        },
        onError: (error) => toast(error.message, { tone: "wrong", hint: error.hint }),
      },
    );
  // What was refused waits in the queue; it must not run besides what takes its place.
  const leave = async (): Promise<void> => {
    if (kept) await cancel.mutateAsync({ id: task.id }).catch(() => undefined);
  };
  const again = async (more: Record<string, unknown> = {}): Promise<void> => {
    await leave();
    onPublish({ intent: task.intent, project, params: { ...params, ...more } });
  };
  if (!unproven && !kept) return null;
  return (
    <div className={css.remedy}>
      {unproven && <p>{provable ? w.unproven : w.unprovable}</p>}
      <div className={css.buttons}>
        {unproven && provable && (
          <Button kind="primary" size="small" busy={run.isPending} onClick={prove}>
            {w.prove}
          </Button>
        )}
        <Button size="small" disabled={busy} onClick={() => void again(unproven ? { unproven: true } : {})}>
          {unproven ? w.anyway : w.tryAgain}
        </Button>
        {kept && (
          <Button size="small" kind="ghost" busy={cancel.isPending} onClick={() => void leave()}>
            {w.leave}
          </Button>
        )}
      </div>
    </div>
  );
}
