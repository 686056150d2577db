import { useQuery } from "@tanstack/react-query";
import { ScrollText } from "lucide-react";
import type { ReactNode } from "react";
import { ApiError } from "@/api/error";
import { queries } from "@/api/queries";
import { Lines } from "@/components/diff/Lines";
import { Skeleton } from "@/components/ui/Skeleton";
import { Empty, ErrorState } from "@/components/ui/States";
import { clockTime } from "@/lib/format";
import { project as w } from "@words/project";
import css from "./Project.module.css";

const OFTEN_MS = 2500;
const LINES = 1000;

/** What the app prints, as it prints it. */
export function LogPane({ project }: { project: string }): ReactNode {
  const { data, error, refetch } = useQuery({ ...queries.preview(project, LINES), refetchInterval: OFTEN_MS });
  const notYet = error !== null && ApiError.from(error).status === 404;
  if (error && !data && !notYet) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data && !notYet) {
    return (
      <div className={css.page}>
        <Skeleton lines={6} />
      </div>
    );
  }
  if (!data || data.log.length === 0) {
    return (
      <Empty icon={<ScrollText aria-hidden />} title={w.log.empty}>
        {w.log.emptyWords}
      </Empty>
    );
  }
  const text = data.log.map((line) => `${clockTime(line.at)}  ${line.text}`).join("\n");
  return (
    <div className={css.page}>
      <Lines text={text} label={w.log.label} tall follow />
    </div>
  );
}
