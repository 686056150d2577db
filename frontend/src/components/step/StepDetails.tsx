import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { fromRecord, type Proof, type Task, type TestCase } from "@/api/model";
import { queries } from "@/api/queries";
import { Technical } from "@/components/Technical";
import { Words } from "@/components/ui/Words";
import { size } from "@/lib/format";
import { step as w } from "@words/step";
import { Output, Section } from "./Output";
import { ProofView, Tests } from "./ProofView";
import css from "./Step.module.css";
import { TaskDiff } from "./TaskDiff";

/** Everything that is known about a step, the most telling first. Lists of steps are brief, so it is read in full. */
export default function StepDetails({ task: listed }: { task: Task }): ReactNode {
  const { data: whole } = useQuery(queries.task(listed.id));
  const task = whole?.task ?? listed;
  const data = task.result?.data ?? {};
  const proof = data.proof as Proof | string | undefined;
  const tests = data.tests as TestCase[] | undefined;
  const packages = data.packages as { name: string; version: string; bytes?: number; licence?: string }[] | undefined;
  return (
    <>
      {task.retried && (
        <p className={css.soft}>
          {w.retried} <Words text={task.retried} />
        </p>
      )}
      {task.result?.error?.hint && (
        <p>
          <b>{w.hint}</b> <Words text={task.result.error.hint} />
        </p>
      )}
      {task.commit && <Section title={w.files}>{<TaskDiff id={task.id} />}</Section>}
      {proof && typeof proof === "object" && (
        <Section title={w.proof}>
          <ProofView brief proof={proof} />
        </Section>
      )}
      {Array.isArray(tests) && tests.length > 0 && <Tests cases={tests} />}
      {packages && packages.length > 0 && (
        <Section title={w.packages}>
          <ul className={css.rows}>
            {packages.map((one) => (
              <li key={one.name} className={css.row}>
                <code>
                  {one.name} {one.version}
                </code>
                <span className={css.soft}>
                  {one.licence} {one.bytes !== undefined && size(one.bytes)}
                </span>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Output data={data} />
      <Why task={task} />
      <Technical value={{ id: task.id, intent: task.intent, params: task.params, result: task.result, commit: task.commit }} />
    </>
  );
}

const BY: Record<string, string> = { owner: w.byYou, plan: w.byPlan, trust: w.byTrust };

/** Why it asked, or did not. */
function Why({ task }: { task: Task }): ReactNode {
  const approver = task.approval?.approved ? (task.approval.by ?? "") : "";
  const by = approver === "trust" && !fromRecord(task.decision) ? undefined : BY[approver];
  const reasons = task.decision?.reasons.filter((reason) => reason !== by && `${reason}.` !== by) ?? [];
  if (!by && reasons.length === 0) return null;
  return (
    <Section title={w.why}>
      {by && <p>{by}</p>}
      {reasons.map((reason) => (
        <p key={reason} className={css.soft}>
          <Words text={reason} />
        </p>
      ))}
    </Section>
  );
}
