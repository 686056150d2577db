import type { ReactNode } from "react";
import type { Task } from "@/api/model";
import { useProjectNames } from "@/api/projectNames";
import { approval as w } from "@words/approval";
import { alwaysFor } from "./allowance";
import css from "./Approval.module.css";

/** A yes for good: for this kind of action, in this project. */
export function Always({ task, on, onChange }: { task: Task; on: boolean; onChange: (on: boolean) => void }): ReactNode {
  const nameOf = useProjectNames();
  const allowed = alwaysFor(task);
  if (!allowed) return null;
  return (
    <label className={css.always}>
      <input type="checkbox" checked={on} onChange={(event) => onChange(event.target.checked)} />
      <span>
        {allowed.project === null ? w.alwaysEverywhere : w.always(nameOf(allowed.project))}
        {on && <small>{allowed.lifts ? w.alwaysLifts : w.alwaysHint}</small>}
      </span>
    </label>
  );
}
