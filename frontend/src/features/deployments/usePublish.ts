import { useRollback, useRun, type Command } from "@/api/actions";
import { toast } from "@/lib/toasts";
import { common } from "@words/common";
import { deployments as w } from "@words/deployments";

interface Publishing {
  publish: (command: Command) => void;
  busy: boolean;
}

/** Puts online, goes back, takes offline: each through the gate, which asks where it has to. */
export function usePublish(onAsked: (id: string) => void): Publishing {
  const run = useRun();
  const rollback = useRollback();
  const undo = (id: string): void =>
    rollback.mutate(
      { id },
      {
        onSuccess: (reply) => toast(reply.confirmationNeeded ? w.asks : w.undone, { hint: reply.message }),
        onError: (error) => toast(error.message, { tone: "wrong", hint: error.hint }),
      },
    );
  const publish = (command: Command): void =>
    run.mutate(
      // Long enough to hear whether it asks, so that the person is led to the card.
      { ...command, wait: 5 },
      {
        onSuccess: (reply) => {
          const { id } = reply;
          if (!id) return;
          onAsked(id);
          if (reply.confirmationNeeded) toast(w.asks);
          else if (reply.status === "succeeded") toast(reply.message, { tone: "good", act: { words: common.undo, run: () => undo(id) } });
          else if (reply.success) toast(w.began);
        },
        onError: (error) => {
          toast(w.failed, { tone: "wrong", hint: error.message });
          // What helps stands with what has failed, above everything else.
          document.getElementById("content")?.scrollTo({ top: 0 });
        },
      },
    );
  return { publish, busy: run.isPending };
}
