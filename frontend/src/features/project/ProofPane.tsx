import { useQuery } from "@tanstack/react-query";
import { BadgeCheck, History } from "lucide-react";
import type { ReactNode } from "react";
import { usePress } from "@/api/actions";
import { ApiError } from "@/api/error";
import { queries } from "@/api/queries";
import { ProofView } from "@/components/step/ProofView";
import { Badge } from "@/components/ui/Badge";
import { Button } from "@/components/ui/Button";
import { Skeleton } from "@/components/ui/Skeleton";
import { Empty, ErrorState } from "@/components/ui/States";
import { Time } from "@/components/ui/Time";
import { toast } from "@/lib/toasts";
import { project as w } from "@words/project";
import css from "./Project.module.css";

/** How the app was proven: every check with its real requests and answers. */
export function ProofPane({ project }: { project: string }): ReactNode {
  const { data, error, isPending, refetch } = useQuery(queries.proof(project));
  const run = usePress();
  const prove = (
    <Button
      size="small"
      busy={run.isPending}
      onClick={() =>
        run.mutate({ intent: "test_app", project }, { onError: (problem) => toast(problem.message, { tone: "wrong", hint: problem.hint }) })
      }
    >
      {w.prove}
    </Button>
  );
  if (error && ApiError.from(error).status !== 404) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (isPending) {
    return (
      <div className={css.page}>
        <Skeleton lines={6} />
      </div>
    );
  }
  if (!data) {
    return (
      <Empty icon={<BadgeCheck aria-hidden />} title={w.proof.none}>
        {w.proof.noneWords}
      </Empty>
    );
  }
  return (
    <div className={css.page}>
      <div className={css.note}>
        {data.current ? (
          <Badge tone="good" icon={<BadgeCheck aria-hidden />}>
            {w.proof.current}
          </Badge>
        ) : (
          <Badge tone="waiting" icon={<History aria-hidden />}>
            {w.proof.old}
          </Badge>
        )}
        <Time at={data.at} />
        {prove}
      </div>
      <div className={css.paper}>
        <ProofView proof={data} />
      </div>
    </div>
  );
}
