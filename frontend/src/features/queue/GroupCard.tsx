import { Link } from "@tanstack/react-router";
import { ListChecks } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useCancel } from "@/api/actions";
import { Badge } from "@/components/ui/Badge";
import { Button, buttonClass } from "@/components/ui/Button";
import { Card } from "@/components/ui/Card";
import { Dialog } from "@/components/ui/Dialog";
import { Words } from "@/components/ui/Words";
import { toast } from "@/lib/toasts";
import { common } from "@words/common";
import { queue as w } from "@words/queue";
import { complain } from "./data";
import { GroupList } from "./GroupList";
import { partsOf, type Group } from "./order";
import css from "./Queue.module.css";
import type { Wanted } from "./StepDialog";

/** The steps of one plan, or those that belong to none. */
export function GroupCard({ group, onWant }: { group: Group; onWant: (wanted: Wanted) => void }): ReactNode {
  const places = new Set(group.steps.map(({ step }) => partsOf(step).project));
  return (
    <Card as="section" padded={false} className={css.group}>
      {group.plan ? (
        <PlanHead plan={group.plan} left={group.steps.length} />
      ) : (
        <header className={css.head}>
          <div>
            <h2>{w.loose}</h2>
            <p className={css.soft}>{w.looseWords}</p>
          </div>
        </header>
      )}
      <GroupList steps={group.steps} withProject={!group.plan || places.size > 1} onWant={onWant} />
    </Card>
  );
}

function PlanHead({ plan, left }: { plan: NonNullable<Group["plan"]>; left: number }): ReactNode {
  const [asking, setAsking] = useState(false);
  const cancel = useCancel();
  const waits = plan.status === "awaiting_approval";
  const stop = async (): Promise<void> => {
    setAsking(false);
    try {
      await cancel.mutateAsync({ id: plan.id });
      toast(w.cancelling.done);
    } catch (error) {
      complain(error);
    }
  };
  return (
    <header className={css.head}>
      <div>
        <h2>
          <ListChecks aria-hidden />
          <span>
            <Words text={plan.title} />
          </span>
        </h2>
        <Badge tone={waits ? "waiting" : plan.status === "running" ? "accent" : "plain"}>
          {waits ? w.planWaits : plan.status === "running" ? w.planGoes : w.planStands}
        </Badge>
      </div>
      <div className={css.buttons}>
        {waits && (
          <Link to="/app/approvals" search={{ task: plan.id }} className={buttonClass({ kind: "primary", size: "small" })}>
            {w.decide}
          </Link>
        )}
        <Button size="small" busy={cancel.isPending} onClick={() => setAsking(true)}>
          {w.cancelPlan}
        </Button>
      </div>
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title={w.cancelling.title}
        words={w.cancelling.words(plan.title, left)}
        foot={
          <>
            <Button onClick={() => setAsking(false)}>{common.back}</Button>
            <Button kind="danger" onClick={() => void stop()}>
              {w.cancelling.submit}
            </Button>
          </>
        }
      />
    </header>
  );
}
