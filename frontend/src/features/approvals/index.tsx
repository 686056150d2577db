import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { CircleCheckBig } from "lucide-react";
import { useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import type { Task } from "@/api/model";
import { queries } from "@/api/queries";
import { ApprovalCard } from "@/components/approval/ApprovalCard";
import { Page, ScreenTitle } from "@/components/layout/Page";
import { buttonClass } from "@/components/ui/Button";
import { Kbd } from "@/components/ui/Kbd";
import { Skeleton } from "@/components/ui/Skeleton";
import { Empty, ErrorState } from "@/components/ui/States";
import { useKey } from "@/lib/keys";
import { approvals as w } from "@words/approvals";
import { shell } from "@words/shell";
import css from "./Approvals.module.css";
import { inOrder, placeOf } from "./choice";
import { Decided } from "./Decided";
import { NotifySwitch } from "./NotifySwitch";
import { Stepper, WaitingList } from "./WaitingList";

/** What needs a person, one decision in front and the others beside it. */
export function ApprovalsScreen(): ReactNode {
  const { data, error, refetch } = useQuery(queries.waiting());
  const tasks = useMemo(() => inOrder(data ?? []), [data]);
  return (
    <>
      <ScreenTitle title={w.title} />
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Page>
          <Skeleton lines={6} />
        </Page>
      ) : tasks.length === 0 ? (
        <Nothing />
      ) : (
        <Waiting tasks={tasks} />
      )}
    </>
  );
}

function Waiting({ tasks }: { tasks: Task[] }): ReactNode {
  const { task: chosen } = useSearch({ from: "/app/approvals" });
  const navigate = useNavigate({ from: "/app/approvals" });
  const [near, setNear] = useState(0);
  const at = placeOf(tasks, chosen, near);
  if (at !== near) setNear(at);
  const task = tasks[at];
  const place = useRef<HTMLDivElement>(null);

  const choose = (next: number): void => {
    const id = tasks[Math.min(Math.max(next, 0), tasks.length - 1)]?.id;
    void navigate({ search: { task: id }, replace: true });
  };
  useKey("j", shell.help.next, () => choose(at + 1));
  useKey("k", shell.help.previous, () => choose(at - 1));

  // The keys for yes and no work on the card in focus, so the card in front has it.
  const id = task?.id;
  useEffect(() => {
    if (document.querySelector('[role="dialog"]')) return;
    const current = place.current;
    if (window.matchMedia("(hover: hover)").matches) current?.querySelector<HTMLElement>("article")?.focus({ preventScroll: true });
    current?.scrollTo({ top: 0 });
  }, [id]);

  if (!task) return null;
  return (
    <div className={css.screen}>
      <div className={css.side}>
        <WaitingList tasks={tasks} chosen={task.id} onChoose={(next) => choose(tasks.findIndex((one) => one.id === next))} />
        <div className={css.below}>
          <Decided />
          <NotifySwitch />
        </div>
      </div>
      <div className={css.front} ref={place}>
        <Stepper at={at} of={tasks.length} onStep={(by) => choose(at + by)} />
        <ApprovalCard key={task.id} task={task} thumb onReplanned={(next) => void navigate({ search: { task: next }, replace: true })} />
        <p className={css.keys} aria-hidden>
          {!task.card?.what.credential && (
            <>
              <Kbd>a</Kbd> {w.keys.yes}{" "}
            </>
          )}
          <Kbd>r</Kbd> {w.keys.no} <Kbd>j</Kbd> <Kbd>k</Kbd> {w.keys.move}
        </p>
        <div className={css.phoneOnly}>
          <Decided />
          <NotifySwitch />
        </div>
      </div>
    </div>
  );
}

function Nothing(): ReactNode {
  return (
    <Page>
      <Empty
        icon={<CircleCheckBig aria-hidden />}
        title={w.none.title}
        action={
          <Link to="/" className={buttonClass()}>
            {w.none.action}
          </Link>
        }
      >
        {w.none.words}
      </Empty>
      <div className={css.calm}>
        <NotifySwitch />
        <Decided />
      </div>
    </Page>
  );
}
