import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { queries } from "@/api/queries";
import { Lines } from "@/components/diff/Lines";
import { Technical } from "@/components/Technical";
import { Dialog } from "@/components/ui/Dialog";
import { Fold } from "@/components/ui/Fold";
import { Skeleton } from "@/components/ui/Skeleton";
import { ErrorState } from "@/components/ui/States";
import { Words } from "@/components/ui/Words";
import { printed, sentence } from "@/lib/text";
import { deployments as w } from "@words/deployments";
import css from "./Deployments.module.css";

/** What was done for one deployment and what its host printed: first the lines that say why it did not work. */
export function LogDialog({ id, what, onClose }: { id: string; what: string; onClose: () => void }): ReactNode {
  return (
    <Dialog open wide onOpenChange={(open) => !open && onClose()} title={w.logOf(what)}>
      <Log id={id} />
    </Dialog>
  );
}

function Log({ id }: { id: string }): ReactNode {
  const { data, error, refetch } = useQuery(queries.deploymentLog(id));
  if (error) return <ErrorState inline error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={6} />;
  const { lines, matters, deployment } = data;
  const all = lines.length > 0 && <Lines text={lines.join("\n")} label={w.allLines(lines.length)} />;
  return (
    <div className={css.log}>
      {deployment.note && (
        <p>
          <Words text={sentence(deployment.note)} />
        </p>
      )}
      {matters.length > 0 && (
        <section className={css.matters} aria-label={w.matters}>
          <h3>{w.matters}</h3>
          <ul>
            {matters.map((line, at) => (
              <li key={at}>{printed(line)}</li>
            ))}
          </ul>
        </section>
      )}
      {lines.length === 0 && <p className={css.soft}>{w.logEmpty}</p>}
      {matters.length > 0 ? <Fold words={w.allLines(lines.length)}>{all}</Fold> : all}
      <Technical value={deployment} />
    </div>
  );
}
