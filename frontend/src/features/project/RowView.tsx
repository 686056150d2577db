import { useNavigate } from "@tanstack/react-router";
import { ExternalLink, RotateCw, Square, Undo2 } from "lucide-react";
import { memo, type ReactNode } from "react";
import { useCancel, useGoOn } from "@/api/actions";
import type { Task } from "@/api/model";
import { ApprovalCard } from "@/components/approval/ApprovalCard";
import { Said } from "@/components/Said";
import { StepItem } from "@/components/step/StepItem";
import { Button, buttonClass } from "@/components/ui/Button";
import { Status } from "@/components/ui/Status";
import { Words } from "@/components/ui/Words";
import { cx } from "@/lib/cx";
import { useIsWide } from "@/lib/media";
import { toast } from "@/lib/toasts";
import { project as w } from "@words/project";
import css from "./Project.module.css";
import type { Row } from "./rows";
import { useUndo } from "./useUndo";

interface RowViewProps {
  row: Row;
  open: boolean;
  onToggle: (id: string, open: boolean) => void;
}

export const RowView = memo(function RowView({ row, open, onToggle }: RowViewProps): ReactNode {
  switch (row.kind) {
    case "said":
      return (
        <div className={css.said}>
          <Said words={row.words} />
        </div>
      );
    case "plan":
      return <Plan task={row.task} done={row.done} total={row.total} />;
    case "card":
      return (
        <div className={css.card}>
          <ApprovalCard task={row.task} />
        </div>
      );
    case "step":
      return <StepItem task={row.task} quiet={row.quiet} open={open} onToggle={(next) => onToggle(row.task.id, next)} />;
    case "outcome":
      return <Outcome {...row} />;
    case "left":
      return (
        <p className={css.left}>
          <Status status={row.task.status} /> {w.left}
        </p>
      );
  }
});

function Plan({ task, done, total }: { task: Task; done: number; total: number }): ReactNode {
  const cancel = useCancel();
  const running = task.status === "running";
  return (
    <div className={css.plan}>
      <p>
        <Words text={task.params.understood ?? task.title} />
      </p>
      {running && (
        <div className={css.buttons}>
          <Status status="running" words={w.state.working(done, total)} />
          <Button
            size="small"
            kind="ghost"
            icon={<Square aria-hidden />}
            busy={cancel.isPending}
            onClick={() =>
              cancel.mutate(
                { id: task.id },
                { onSuccess: () => toast(w.stopping), onError: (error) => toast(error.message, { tone: "wrong", hint: error.hint }) },
              )
            }
          >
            {w.stop}
          </Button>
        </div>
      )}
    </div>
  );
}

function Outcome({ task, undone, changed, queued }: Row & { kind: "outcome" }): ReactNode {
  const { undo, busy } = useUndo(task.project);
  const navigate = useNavigate();
  const wide = useIsWide();
  const { link, said } = task.result?.data ?? {};
  const failed = task.status === "failed";
  const stopped = failed && typeof said === "string";
  const words = stopped ? said + (queued > 0 ? `. ${w.kept(queued)}` : "") : (task.result?.message ?? task.title);
  if (undone) {
    return (
      <p className={css.left}>
        <Status status="undone" /> {w.undone}
      </p>
    );
  }
  return (
    <div className={cx(css.outcome, failed && css.failed)}>
      <div className={css.buttons}>
        <Status status={task.status} />
      </div>
      <p>
        <Words text={task.status === "cancelled" ? w.stopped : words} />
      </p>
      {task.result?.error?.hint && (
        <p>
          <Words text={task.result.error.hint} />
        </p>
      )}
      <div className={css.buttons}>
        {typeof link === "string" && task.status === "succeeded" && (
          <>
            {!wide && (
              <Button size="small" onClick={() => void navigate({ to: ".", search: { tab: "preview" } })}>
                {w.tabs.preview}
              </Button>
            )}
            <a href={link} target="_blank" rel="noopener noreferrer" className={buttonClass({ size: "small" })}>
              <ExternalLink aria-hidden /> {w.open}
            </a>
          </>
        )}
        {failed && queued > 0 && <GoOn project={task.project} />}
        {(task.status === "succeeded" || failed || (changed && task.status === "cancelled")) && (
          <Button size="small" kind="ghost" icon={<Undo2 aria-hidden />} busy={busy} onClick={() => undo(task.id)}>
            {w.undoThis}
          </Button>
        )}
      </div>
    </div>
  );
}

/** From where it stopped, with the step that did not work. */
function GoOn({ project }: { project: string | null }): ReactNode {
  const goOn = useGoOn();
  return (
    <Button
      size="small"
      kind="primary"
      icon={<RotateCw aria-hidden />}
      busy={goOn.isPending}
      onClick={() => goOn.mutate({ project }, { onError: (error) => toast(error.message, { tone: "wrong", hint: error.hint }) })}
    >
      {w.tryAgain}
    </Button>
  );
}
