import { X } from "lucide-react";
import type { ReactNode } from "react";
import { ApiError } from "@/api/error";
import { Button, IconButton } from "@/components/ui/Button";
import { Card } from "@/components/ui/Card";
import { Skeleton } from "@/components/ui/Skeleton";
import { ErrorState } from "@/components/ui/States";
import { Words } from "@/components/ui/Words";
import { common } from "@words/common";
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
      return stage.error.status === 400 ? (
        <Card role="alert" className={css.unclear ?? ""}>
          <b>
            <Words text={stage.error.message} />
          </b>
          <IconButton label={common.close} size="small" onClick={onReset}>
            <X aria-hidden />
          </IconButton>
          <p>
            <Words text={stage.error.hint} />
          </p>
        </Card>
      ) : (
        <ErrorState
          inline
          error={stage.error.offline ? new ApiError(stage.error.message, { code: stage.error.code, hint: w.notSent }) : stage.error}
          kept=""
          onRetry={() => onPlan(stage.goal)}
          other={
            <Button size="small" kind="ghost" onClick={onReset}>
              {common.close}
            </Button>
          }
        />
      );
  }
}
