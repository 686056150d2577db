/** One box: what shall I build? Below it what came of it, and what was built before. */
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { useEffect, useEffectEvent, type ReactNode } from "react";
import { isWaiting, type TaskReply } from "@/api/model";
import { queries } from "@/api/queries";
import { ApprovalCard } from "@/components/approval/ApprovalCard";
import { Outcome } from "@/components/composer/Outcome";
import { usePlanning } from "@/components/composer/usePlanning";
import { ScreenTitle } from "@/components/layout/Page";
import { Button } from "@/components/ui/Button";
import { Card } from "@/components/ui/Card";
import { Skeleton } from "@/components/ui/Skeleton";
import { ErrorState } from "@/components/ui/States";
import { Status } from "@/components/ui/Status";
import { Words } from "@/components/ui/Words";
import { draft, early } from "@/lib/draft";
import { home } from "@words/home";
import { Ask } from "./Ask";
import { FirstStart } from "./FirstStart";
import css from "./Home.module.css";
import { Projects } from "./Projects";

export function HomeScreen(): ReactNode {
  const { plan: planned } = useSearch({ from: "/" });
  const navigate = useNavigate({ from: "/" });
  const show = (id: string | undefined): void => void navigate({ search: { plan: id }, replace: true });

  const open = (reply: TaskReply): void => {
    draft.set("");
    if (reply.confirmationNeeded && reply.id) show(reply.id);
    else if (reply.project) void navigate({ to: "/app/projects/$project", params: { project: reply.project } });
  };
  const { stage, plan, reset } = usePlanning(open);
  const planEarly = useEffectEvent(() => {
    if (early.sent) plan(draft.get());
    early.sent = false;
  });
  useEffect(() => planEarly(), []);
  const asked = stage.name === "idle" ? null : stage.goal;

  return (
    <div className={css.home}>
      <ScreenTitle title={home.title} />
      <FirstStart />
      <section className={css.ask}>
        {planned && stage.name === "idle" ? (
          <Planned id={planned} onShow={show} />
        ) : (
          <>
            <Ask onSend={() => plan(draft.get())} busy={stage.name === "thinking"} examples={stage.name === "idle"} />
            {asked && <p className={css.said}>{asked}</p>}
            <Outcome stage={stage} onPlan={plan} onReset={reset} />
          </>
        )}
      </section>
      <Projects />
    </div>
  );
}

/** The plan that waits for its yes. */
function Planned({ id, onShow }: { id: string; onShow: (id: string | undefined) => void }): ReactNode {
  const navigate = useNavigate();
  const { data, error } = useQuery(queries.task(id));
  const again = (
    <Button kind="ghost" size="small" icon={<ArrowLeft aria-hidden />} onClick={() => onShow(undefined)}>
      {home.again}
    </Button>
  );
  if (error) return <ErrorState error={error} kept="" other={again} />;
  if (!data) return <Skeleton lines={4} />;
  const { task } = data;
  const { project } = task;
  const enter = (): void => {
    if (project) void navigate({ to: "/app/projects/$project", params: { project } });
  };
  return (
    <>
      <div className={css.top}>{again}</div>
      {task.params.goal && <p className={css.said}>{task.params.goal}</p>}
      {isWaiting(task) ? (
        <ApprovalCard task={task} onReplanned={onShow} onDecided={(approved) => (approved ? enter() : onShow(undefined))} />
      ) : (
        <Card className={css.decided ?? ""}>
          <Status status={task.status} />
          <Words text={task.result?.message ?? task.title} />
          {project && <Button onClick={enter}>{home.open}</Button>}
        </Card>
      )}
    </>
  );
}
