import { useNavigate } from "@tanstack/react-router";
import { useRollback, type Rollback } from "@/api/actions";
import { toast } from "@/lib/toasts";
import { project as w } from "@words/project";

/** Takes a change back, and offers to bring it forward again. */
export function useUndo(project: string | null): { undo: (id?: string) => void; busy: boolean } {
  const rollback = useRollback();
  const navigate = useNavigate();
  const look = { words: w.look, run: () => void navigate({ to: ".", search: { tab: "steps" } }) };

  const take = (asked: Rollback, forward = false): void => {
    rollback.mutate(asked, {
      onSuccess: (reply) => {
        if (reply.confirmationNeeded) {
          toast(w.asksFirst, { hint: reply.message, act: look });
          return;
        }
        const { id } = reply;
        const act = id ? { words: forward ? w.undo : w.redo, run: () => take({ id }, !forward) } : undefined;
        toast(reply.message, { tone: reply.success ? "good" : "wrong", act });
      },
      onError: (error) => toast(error.message, { tone: "wrong", hint: error.hint }),
    });
  };

  return { undo: (id) => take(id ? { id } : { project }), busy: rollback.isPending };
}
