import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ChevronsRight, ListOrdered, Play, Plus } from "lucide-react";
import { useMemo, useState, type ReactNode } from "react";
import { useCancel } from "@/api/actions";
import { Page, ScreenTitle } from "@/components/layout/Page";
import { Button } from "@/components/ui/Button";
import { Dialog } from "@/components/ui/Dialog";
import { Skeleton } from "@/components/ui/Skeleton";
import { Empty, ErrorState } from "@/components/ui/States";
import { toast } from "@/lib/toasts";
import { common } from "@words/common";
import { queue as w } from "@words/queue";
import { complain, queued, useTake } from "./data";
import { GroupCard } from "./GroupCard";
import { groupsOf } from "./order";
import css from "./Queue.module.css";
import { StepDialog, type Wanted } from "./StepDialog";

/** What comes next: run it, change it, put it in another order. */
export function QueueScreen(): ReactNode {
  const { data, error, refetch } = useQuery(queued());
  const [wanted, setWanted] = useState<Wanted | null>(null);
  const groups = useMemo(() => groupsOf(data ?? []), [data]);
  const add = (
    <Button kind={data?.length === 0 ? "primary" : "plain"} icon={<Plus aria-hidden />} onClick={() => setWanted({ target: null })}>
      {w.add}
    </Button>
  );
  return (
    <Page>
      <ScreenTitle title={w.title} />
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={6} />}
      {data?.length === 0 && (
        <Empty icon={<ListOrdered aria-hidden />} title={w.empty.title} action={add}>
          {w.empty.words}
        </Empty>
      )}
      {data && data.length > 0 && (
        <div className={css.screen}>
          <Controls loose={groups.some((group) => group.plan === null)} count={data.length} add={add} />
          {groups.map((group) => (
            <GroupCard key={group.plan?.id ?? ""} group={group} onWant={setWanted} />
          ))}
        </div>
      )}
      <StepDialog wanted={wanted} onClose={() => setWanted(null)} />
    </Page>
  );
}

function Controls({ loose, count, add }: { loose: boolean; count: number; add: ReactNode }): ReactNode {
  const take = useTake();
  const cancel = useCancel();
  const navigate = useNavigate();
  const [clearing, setClearing] = useState(false);

  const go = async (how: "next" | "all"): Promise<void> => {
    try {
      const reply = await take.mutateAsync(how);
      const look = (): void => void navigate({ to: "/app/approvals", search: { task: reply.id ?? undefined } });
      if (reply.confirmationNeeded) toast(w.asks, { hint: reply.title, act: { words: w.look, run: look } });
      else toast(reply.id ? w.started : reply.message);
    } catch (error) {
      complain(error);
    }
  };
  const clear = async (): Promise<void> => {
    setClearing(false);
    try {
      await cancel.mutateAsync({});
      toast(w.cancelling.done);
    } catch (error) {
      complain(error);
    }
  };

  return (
    <div className={css.controls}>
      {loose && (
        <>
          <Button kind="primary" icon={<Play aria-hidden />} busy={take.isPending && take.variables === "next"} onClick={() => void go("next")}>
            {w.next}
          </Button>
          <Button icon={<ChevronsRight aria-hidden />} busy={take.isPending && take.variables === "all"} onClick={() => void go("all")}>
            {w.all}
          </Button>
        </>
      )}
      {add}
      <span className={css.space} />
      <Button kind="ghost" busy={cancel.isPending} onClick={() => setClearing(true)}>
        {w.clear}
      </Button>
      <Dialog
        open={clearing}
        onOpenChange={setClearing}
        title={w.cancelling.allTitle}
        words={w.cancelling.all(count)}
        foot={
          <>
            <Button onClick={() => setClearing(false)}>{common.back}</Button>
            <Button kind="danger" onClick={() => void clear()}>
              {w.cancelling.submitAll}
            </Button>
          </>
        }
      />
    </div>
  );
}
