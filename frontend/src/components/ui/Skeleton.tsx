import type { ReactNode } from "react";
import { common } from "@words/common";
import css from "./Skeleton.module.css";

export function Bone({ width = "100%", height = 14 }: { width?: number | string; height?: number | string }): ReactNode {
  return <span className={css.bone} style={{ width, height }} aria-hidden data-loading />;
}

/** The shape of what will be here. */
export function Skeleton({ lines = 3, height = 14 }: { lines?: number; height?: number }): ReactNode {
  return (
    <div className={css.lines} role="status">
      <span className="sr-only">{common.loading}</span>
      {Array.from({ length: lines }, (_, at) => (
        <Bone key={at} height={height} width={`${95 - ((at * 23) % 40)}%`} />
      ))}
    </div>
  );
}
