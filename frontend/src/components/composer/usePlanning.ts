/** From a sentence to a plan: what is said, what comes of it, and what is asked back. */
import { useEffect, useRef, useState } from "react";
import { run, type Command } from "@/api/actions";
import { ApiError } from "@/api/error";
import type { Question, TaskReply } from "@/api/model";

export type Stage =
  | { name: "idle" }
  | { name: "thinking"; goal: string }
  /** It is not clear yet what to build. */
  | { name: "asking"; goal: string; words: string; questions: Question[] }
  /** Nothing was to be planned, and this is the answer. */
  | { name: "answered"; goal: string; words: string }
  | { name: "failed"; goal: string; error: ApiError };

export interface Planning {
  stage: Stage;
  plan: (goal: string, answers?: Record<string, string>) => void;
  reset: () => void;
}

/** How long to wait for a plan; making one takes a second or two. */
const WAIT_SECONDS = 20;

/** What a plan was made of. By then something else may stand in the box, and another screen may be open. */
export interface Made {
  words: string;
  isHere: boolean;
}

/** `onPlanned` gets the task that came of it: one that waits for a yes, or one that runs already. */
export function usePlanning(onPlanned: (reply: TaskReply, made: Made) => void, project?: string): Planning {
  const [stage, setStage] = useState<Stage>({ name: "idle" });
  const isHere = useRef(false);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);

  const plan = (goal: string, answers?: Record<string, string>): void => {
    const words = goal.trim();
    if (!words) return;
    setStage({ name: "thinking", goal: words });
    const { pathname } = window.location;
    const command: Command = { goal: words, wait: WAIT_SECONDS };
    if (project) command.project = project;
    if (answers) command.answers = answers;
    run(command).then(
      (reply) => {
        const next = after(words, reply);
        setStage(next);
        // The address changes first: this screen stands until the next one has been loaded.
        const stayed = isHere.current && window.location.pathname === pathname;
        if (next.name === "idle") onPlanned(reply, { words, isHere: stayed });
      },
      (error: unknown) => setStage({ name: "failed", goal: words, error: ApiError.from(error) }),
    );
  };

  return { stage, plan, reset: () => setStage({ name: "idle" }) };
}

function after(goal: string, reply: TaskReply): Stage {
  if (reply.id) return { name: "idle" };
  if (reply.questions && reply.questions.length > 0) {
    return { name: "asking", goal, words: reply.message, questions: reply.questions };
  }
  return { name: "answered", goal, words: reply.message };
}
