/** One box: what shall I build? Below it what came of it, and what was built before. */
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { useEffect, useEffectEvent, type ReactNode } from "react";
import { useCancel } from "@/api/actions";
import { isWaiting, type TaskReply } from "@/api/model";
import { queries } from "@/api/queries";
import { ApprovalCard } from "@/components/approval/ApprovalCard";
import { Outcome } from "@/components/composer/Outcome";
import { usePlanning, type Made } from "@/components/composer/usePlanning";
import { ScreenTitle } from "@/components/layout/Page";
import { Said } from "@/components/Said";
import { Button } from "@/components/ui/Button";
import { Card } from "@/components/ui/Card";
import { Skeleton } from "@/components/ui/Skeleton";
import { ErrorState } from "@/components/ui/States";
import { Status } from "@/components/ui/Status";
import { Words } from "@/components/ui/Words";
import { done, draft, early } from "@/lib/draft";
import { home } from "@words/home";
import { Ask } from "./Ask";
import { FirstStart } from "./FirstStart";
import css from "./Home.module.css";
import { Projects } from "./Projects";

export function HomeScreen(): ReactNode {
  const { plan: planned } = useSearch({ from: "/" });
  const navigate = useNavigate({ from: "/" });
  const show = (id: string | undefined, replace = true): void => void navigate({ search: { plan: id }, replace });

  // The words stay in the box until the plan is decided on, for who goes back to say it better.
  const open = (reply: TaskReply, { words, isHere }: Made): void => {
    const asks = reply.confirmationNeeded && reply.id;
    if (!asks || !isHere) done(draft, words);
    // Nobody is led away from a screen that was opened meanwhile: what asks is found among the approvals.
    if (!isHere) return;
    if (asks) show(asks, false);
    else if (reply.project) void navigate({ to: "/app/projects/$project", params: { project: reply.project } });
  };
  const { stage, plan, reset } = usePlanning(open);
  const planEarly = useEffectEvent(() => {
    if (early.sent.get()) plan(draft.get());
    early.sent.set(false);
  });
  useEffect(() => planEarly(), []);
  const shownPlan = planned && stage.name === "idle";
  const examples = stage.name === "idle" || (stage.name === "failed" && stage.error.status === 400);

  return (
    <div className={css.home}>
      <ScreenTitle title={home.title} />
      <FirstStart />
      <section className={css.ask}>
        {shownPlan ? (
          <Planned id={planned} onShow={show} />
        ) : (
          <>
            <Ask onSend={() => plan(draft.get())} busy={stage.name === "thinking"} examples={examples} />
            <Outcome stage={stage} onPlan={plan} onReset={reset} />
          </>
        )}
      </section>
      <Projects quiet={stage.name !== "idle" || Boolean(planned)} />
    </div>
  );
}

/** The plan that waits for its yes. */
function Planned({ id, onShow }: { id: string; onShow: (id: string | undefined) => void }): ReactNode {
  const navigate = useNavigate();
  const cancel = useCancel();
  const { data, error } = useQuery(queries.task(id));
  const away = (words: string, leave: () => void): ReactNode => (
    <Button kind="ghost" size="small" icon={<ArrowLeft aria-hidden />} onClick={leave}>
      {words}
    </Button>
  );
  const anew = (): void => onShow(undefined);
  if (error) return <ErrorState error={error} kept="" other={away(home.again, anew)} />;
  if (!data) return <Skeleton lines={4} />;
  const { task } = data;
  const { project, params } = task;
  const enter = (): void => {
    // In place of the plan, so that the way back leads home.
    if (project) void navigate({ to: "/app/projects/$project", params: { project }, replace: true });
  };
  const reword = (): void => {
    draft.set(params.goal ?? "");
    // The plan made way for other words: it does not wait for an answer any more.
    cancel.mutate({ id });
    onShow(undefined);
  };
  const decided = (approved: boolean): void => {
    done(draft, params.goal ?? "");
    if (approved) enter();
    else onShow(undefined);
  };
  const waits = isWaiting(task);
  return (
    <>
      <div className={css.top}>{task.status === "awaiting_approval" ? away(home.reword, reword) : away(home.again, anew)}</div>
      {params.goal && <Said words={params.goal} />}
      {waits ? (
        <ApprovalCard thumb task={task} onReplanned={onShow} onDecided={decided} />
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
