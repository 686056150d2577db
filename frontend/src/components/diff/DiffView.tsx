import { lazy, Suspense, type ReactNode } from "react";
import { Skeleton } from "@/components/ui/Skeleton";
import { arriving } from "@/lib/arriving";
import { diff } from "@words/diff";
import css from "./Diff.module.css";
import { Lines } from "./Lines";

const CodeDiff = lazy(() => arriving(() => import("./CodeDiff")));

/** From here on, comparing and colouring would make the page stand still. */
const LARGE = 1_000_000;

interface DiffViewProps {
  path: string;
  before: string | null;
  after: string | null;
}

/** One file before and after. What is too long for a comparison is shown as it is now. */
export function DiffView({ path, before, after }: DiffViewProps): ReactNode {
  if ((before?.length ?? 0) + (after?.length ?? 0) > LARGE) {
    return (
      <>
        <p className={css.note}>{diff.large}</p>
        <Lines text={after ?? before ?? ""} label={diff.text(path)} />
      </>
    );
  }
  return (
    <Suspense fallback={<Skeleton lines={4} />}>
      <CodeDiff path={path} before={before ?? ""} after={after ?? ""} />
    </Suspense>
  );
}

/** A patch of one or more files, as git writes it. */
export function PatchView({ text, label }: { text: string; label: string }): ReactNode {
  return <Lines text={text} label={label} patch />;
}
