import { useEffect, useRef, type ReactNode } from "react";
import { diff } from "@words/diff";
import { showDiff } from "./codemirror";
import css from "./Diff.module.css";

export default function CodeDiff({ path, before, after }: { path: string; before: string; after: string }): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const parent = place.current;
    return parent ? showDiff({ parent, path, label: diff.label(path) }, before, after) : undefined;
  }, [path, before, after]);
  return <div ref={place} className={css.editor} />;
}
