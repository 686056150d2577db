import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { DiffFile } from "@/api/model";
import { queries } from "@/api/queries";
import { DiffView } from "@/components/diff/DiffView";
import { Fold } from "@/components/ui/Fold";
import { Skeleton } from "@/components/ui/Skeleton";
import { ErrorState } from "@/components/ui/States";
import { visible } from "@/lib/text";
import { diff } from "@words/diff";
import css from "./Step.module.css";

/** The files that a task changed, each to be opened. */
export function TaskDiff({ id }: { id: string }): ReactNode {
  const { data, error, refetch } = useQuery(queries.diff(id));
  if (error) return <ErrorState inline error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={3} />;
  if (data.files.length === 0) return <p>{diff.none}</p>;
  return (
    <div>
      {data.files.map((file) => (
        <Fold
          key={`${file.project}/${file.path}`}
          words={
            <>
              <bdi>{visible(file.path)}</bdi> <DiffSize file={file} />
            </>
          }
        >
          <OneFile id={id} file={file} />
        </Fold>
      ))}
    </div>
  );
}

/** How many lines came and went. */
function DiffSize({ file }: { file: DiffFile }): ReactNode {
  return (
    <span className={css.size}>
      <span>{diff.change[file.change]}</span>
      {file.added ? <span className={css.plus}>+{file.added}</span> : null}
      {file.removed ? <span className={css.minus}>−{file.removed}</span> : null}
    </span>
  );
}

function OneFile({ id, file }: { id: string; file: DiffFile }): ReactNode {
  const readable = !file.binary && !file.too_large;
  const { data, error, refetch } = useQuery({ ...queries.diffFile(id, file), enabled: readable });
  if (!readable) return <p>{file.binary ? diff.binary : diff.tooLarge}</p>;
  if (error) return <ErrorState inline error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={3} />;
  return <DiffView path={file.path} before={data.before} after={data.after} />;
}
