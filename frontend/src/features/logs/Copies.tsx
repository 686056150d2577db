import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CloudCheck, CloudOff, CloudUpload, ExternalLink, RefreshCw } from "lucide-react";
import type { ReactNode } from "react";
import { answered, api } from "@/api/client";
import type { BackupStanding, DriveCopy } from "@/api/model";
import { queries } from "@/api/queries";
import { Badge, type Tone } from "@/components/ui/Badge";
import { Button, buttonClass } from "@/components/ui/Button";
import { Card } from "@/components/ui/Card";
import { Fold } from "@/components/ui/Fold";
import { Skeleton } from "@/components/ui/Skeleton";
import { ErrorState } from "@/components/ui/States";
import { Time } from "@/components/ui/Time";
import { Words } from "@/components/ui/Words";
import { toast } from "@/lib/toasts";
import { visible } from "@/lib/text";
import { logs } from "@words/logs";
import css from "./Logs.module.css";
import { copyPlace } from "./reading";

const w = logs.copies;

/** Whether what is written down is also kept somewhere else. */
export function Copies(): ReactNode {
  const { data, error, refetch } = useQuery(queries.backups());
  return (
    <section className={css.dayGroup} aria-labelledby="copies">
      <h2 id="copies">{w.title}</h2>
      <Card className={css.copies}>
        {error && !data && <ErrorState inline error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton lines={2} />}
        {data && (data.configured ? <On standing={data} /> : <Off />)}
      </Card>
    </section>
  );
}

function Off(): ReactNode {
  return (
    <>
      <div className={css.standing}>
        <CloudOff aria-hidden />
        <span className={css.title}>{w.off}</span>
        <Link to="/app/settings/accounts" hash="account-drive" className={buttonClass({ size: "small" })}>
          {w.connect}
        </Link>
      </div>
      <Fold words={w.guideTitle}>
        <ol className={css.guide}>
          {w.guide.map((line) => (
            <li key={line}>
              <Words text={line} />
            </li>
          ))}
        </ol>
      </Fold>
    </>
  );
}

function On({ standing }: { standing: BackupStanding }): ReactNode {
  const client = useQueryClient();
  const retry = useMutation({
    mutationFn: () => answered(api().POST("/backups/retry", {})),
    onSuccess: () => toast(w.retried),
    onError: (error) => toast(error.message, { tone: "wrong" }),
    onSettled: () => void client.invalidateQueries({ queryKey: ["backups"] }),
  });
  const trouble = Boolean(standing.last_error);
  const tone: Tone = trouble ? "wrong" : standing.pending > 0 ? "waiting" : "good";
  const Icon = trouble ? CloudOff : standing.pending > 0 ? CloudUpload : CloudCheck;
  return (
    <>
      <div className={css.standing}>
        <Icon aria-hidden className={css[tone]} />
        <span className={css.title}>
          <Words text={standing.words} />
        </span>
        <Badge tone={tone}>{standing.pending > 0 ? w.waiting(standing.pending) : w.done(standing.uploaded)}</Badge>
        {(trouble || standing.pending > 0) && (
          <Button size="small" icon={<RefreshCw aria-hidden />} busy={retry.isPending} onClick={() => retry.mutate()}>
            {w.retry}
          </Button>
        )}
      </div>
      {trouble && (
        <p className={css.wrong}>
          <Words text={`${standing.last_error ?? ""}. ${standing.hint ?? ""}`} />
        </p>
      )}
      {standing.last_success && (
        <p className={css.soft}>
          {w.last}: <Time at={standing.last_success} />
        </p>
      )}
      <Fold words={w.recent}>
        <Recent />
      </Fold>
    </>
  );
}

function Recent(): ReactNode {
  const { data, error, refetch } = useQuery(queries.copies());
  if (error) return <ErrorState inline error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={3} />;
  if (data.length === 0) return <p className={css.soft}>{w.noCopies}</p>;
  return (
    <ul className={css.copyList}>
      {data.map((copy) => (
        <li key={copy.id}>
          <Opens copy={copy} />
          <span className={css.when}>
            <Time at={copy.time} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function Opens({ copy }: { copy: DriveCopy }): ReactNode {
  const place = copyPlace(copy);
  const name = visible(copy.name);
  if (place && "url" in place) {
    return (
      <a href={place.url} target="_blank" rel="noopener noreferrer" aria-label={w.open(name)}>
        {name} <ExternalLink aria-hidden />
      </a>
    );
  }
  if (place) {
    return (
      <Link to="/app/logs/$date/$name" params={place}>
        {name}
      </Link>
    );
  }
  return <span>{name}</span>;
}
