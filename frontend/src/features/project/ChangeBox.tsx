import type { ReactNode } from "react";
import { Composer } from "@/components/composer/Composer";
import { Outcome } from "@/components/composer/Outcome";
import { usePlanning } from "@/components/composer/usePlanning";
import { done, draftOf } from "@/lib/draft";
import { useSignal } from "@/lib/signal";
import { project as w } from "@words/project";
import css from "./Project.module.css";

/** Says what shall change; the plan for it appears in the conversation by itself. */
export function ChangeBox({ project }: { project: string }): ReactNode {
  const draft = draftOf(project);
  const goal = useSignal(draft);
  const { stage, plan, reset } = usePlanning((_, { words }) => done(draft, words), project);
  return (
    <div className={css.foot}>
      {stage.name !== "thinking" && <Outcome stage={stage} onPlan={plan} onReset={reset} />}
      <Composer
        label={w.box}
        placeholder={w.placeholder}
        send={w.send}
        value={goal}
        onChange={(words) => draft.set(words)}
        onSend={() => plan(goal)}
        busy={stage.name === "thinking"}
      />
    </div>
  );
}
