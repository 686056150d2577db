import { ListChecks } from "lucide-react";
import type { ReactNode } from "react";
import { Words } from "@/components/ui/Words";
import { dayName } from "@/lib/format";
import { timeline as w } from "@words/timeline";
import css from "./Timeline.module.css";

export function DayRow({ at }: { at: string }): ReactNode {
  return <h2 className={css.day}>{dayName(at)}</h2>;
}

/** The plan that the steps below it belong to. */
export function PlanRow({ title }: { title: string }): ReactNode {
  return (
    <h3 className={css.plan}>
      <ListChecks aria-hidden />
      <Words text={w.plan(title)} />
    </h3>
  );
}
