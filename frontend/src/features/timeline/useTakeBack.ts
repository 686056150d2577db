import { useMutation } from "@tanstack/react-query";
import { answered, api } from "@/api/client";
import { ApiError } from "@/api/error";
import type { Doing } from "@/api/actions";
import type { TaskReply, UndoPreview } from "@/api/model";
import { toast } from "@/lib/toasts";
import { timeline as w } from "@words/timeline";
import { isForeseen } from "./foreseen";

const SECONDS = 25;

interface Asked {
  /** What to undo: a step, or an undo that is to be undone. */
  lever: string;
  only: boolean;
  /** What the person saw before pressing the button. */
  seen: UndoPreview;
  /** What to say when it has been done. */
  done: string;
}

/** The service asks about larger undos; the button under the preview is the answer, if it is still about the same. */
async function takeBack({ lever, only, seen }: Asked): Promise<TaskReply> {
  const body = { id: lever, only, exact: false, wait: SECONDS };
  const reply = await answered(api().POST("/rollback", { body }));
  if (!reply.confirmationNeeded || !isForeseen(reply.card, seen)) return reply;
  return answered(api().POST("/confirm", { body: { id: reply.id ?? null, approve: true, reason: "", wait: SECONDS } }));
}

export function useTakeBack(onLookAt: (id: string) => void): { busy: boolean; run: (asked: Asked) => Promise<void> } {
  const doing: Doing<Asked> = useMutation({ mutationFn: takeBack });
  const run = async (asked: Asked): Promise<void> => {
    try {
      told(await doing.mutateAsync(asked), asked.done, onLookAt);
    } catch (error) {
      const { message, hint } = ApiError.from(error);
      toast(message, { tone: "wrong", hint });
    }
  };
  return { busy: doing.isPending, run };
}

function told(reply: TaskReply, done: string, onLookAt: (id: string) => void): void {
  if (reply.confirmationNeeded) {
    toast(w.movedOn, { hint: w.movedOnHint, act: { words: w.look, run: () => onLookAt(reply.id ?? "") } });
    return;
  }
  if (!reply.success) {
    toast(reply.message || w.failed, { tone: "wrong" });
    return;
  }
  toast(done, { tone: "good" });
}
