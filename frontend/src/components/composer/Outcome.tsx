import type { ReactNode } from "react";
import { Button } from "@/components/ui/Button";
import { Card } from "@/components/ui/Card";
import { Skeleton } from "@/components/ui/Skeleton";
import { ErrorState } from "@/components/ui/States";
import { Words } from "@/components/ui/Words";
import { composer as w } from "@words/composer";
import css from "./Composer.module.css";
import { QuestionForm } from "./QuestionForm";
import type { Stage } from "./usePlanning";

interface OutcomeProps {
  stage: Stage;
  onPlan: (goal: string, answers?: Record<string, string>) => void;
  onReset: () => void;
}

/** What came of the sentence, while it is not a plan. */
export function Outcome({ stage, onPlan, onReset }: OutcomeProps): ReactNode {
  switch (stage.name) {
    case "idle":
      return null;
    case "thinking":
      return (
        <Card className={css.thinking ?? ""} padded={false} role="status" aria-label={w.thinking}>
          <Skeleton lines={4} />
        </Card>
      );
    case "asking":
      return (
        <QuestionForm
          words={stage.words}
          questions={stage.questions}
          onAnswer={(answers) => onPlan(stage.goal, answers)}
          onCancel={onReset}
        />
      );
    case "answered":
      return (
        <Card>
          <Words text={stage.words} />
        </Card>
      );
    case "failed":
      return (
        <ErrorState
          inline
          error={stage.error}
          kept=""
          onRetry={stage.error.status === 400 ? undefined : () => onPlan(stage.goal)}
          other={
            <Button size="small" onClick={onReset}>
              {w.again}
            </Button>
          }
        />
      );
  }
}
