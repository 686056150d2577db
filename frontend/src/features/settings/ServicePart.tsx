import { useMutation, useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { useState, type ReactNode } from "react";
import { answered, api } from "@/api/client";
import { queries } from "@/api/queries";
import { Technical } from "@/components/Technical";
import { Button } from "@/components/ui/Button";
import { Dialog } from "@/components/ui/Dialog";
import { Bone } from "@/components/ui/Skeleton";
import { ErrorState } from "@/components/ui/States";
import { Words } from "@/components/ui/Words";
import { duration } from "@/lib/format";
import { toast } from "@/lib/toasts";
import { common } from "@words/common";
import { settings } from "@words/settings";
import { Notices } from "./Notices";
import { Part } from "./Part";
import css from "./Settings.module.css";
import { Values } from "./Values";

const w = settings.service;
const EVERY_MS = 15_000;

/** The service itself: how it is doing, how it is set up, and ending it. */
export function ServicePart(): ReactNode {
  return (
    <>
      <Doing />
      <Values />
      <Stop />
    </>
  );
}

function Doing(): ReactNode {
  const { data, error, refetch } = useQuery({ ...queries.health(), refetchInterval: EVERY_MS });
  const metrics = useQuery(queries.metrics());
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Bone height={140} />;
  const facts: [string, string | undefined][] = [
    [w.version, data.version],
    [w.running, data.uptime === undefined ? undefined : duration(data.uptime)],
    [w.working, data.workers && String(data.workers.running)],
    [w.queue, String(data.queue ?? 0)],
    [w.waiting, String(data.waiting ?? 0)],
  ];
  return (
    <Part title={w.health}>
      <Notices notices={data.notices ?? []} />
      {data.notices?.length === 0 && (
        <p className={css.well}>
          <CircleCheck aria-hidden /> {w.well}
        </p>
      )}
      <dl className={css.facts}>
        {facts.map(([name, value]) =>
          value ? (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ) : null,
        )}
      </dl>
      {data.backups && (
        <p className={css.soft}>
          <Words text={data.backups} />
        </p>
      )}
      {metrics.data && <Technical value={metrics.data} words={settings.metrics.figures} />}
    </Part>
  );
}

function Stop(): ReactNode {
  const [asking, setAsking] = useState(false);
  const stop = useMutation({
    mutationFn: () => answered(api().POST("/admin/stop", {})),
    onSuccess: () => toast(w.stopping),
    onError: (error) => toast(error.message, { tone: "wrong" }),
    onSettled: () => setAsking(false),
  });
  return (
    <Part
      danger
      title={w.stop}
      words={w.stopHint}
      side={
        <Button kind="quietDanger" onClick={() => setAsking(true)}>
          {w.stop}
        </Button>
      }
    >
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title={w.stopTitle}
        words={w.stopWords}
        foot={
          <>
            <Button onClick={() => setAsking(false)}>{common.cancel}</Button>
            <Button kind="danger" busy={stop.isPending} onClick={() => stop.mutate()}>
              {w.stopNow}
            </Button>
          </>
        }
      />
    </Part>
  );
}
