import { useState, type ReactNode } from "react";
import { useConfirm } from "@/api/actions";
import { answered, api } from "@/api/client";
import { ApiError } from "@/api/error";
import type { Task } from "@/api/model";
import { Button } from "@/components/ui/Button";
import { Dialog } from "@/components/ui/Dialog";
import { TextArea } from "@/components/ui/Field";
import { toast } from "@/lib/toasts";
import { approval as w } from "@words/approval";
import { common } from "@words/common";
import { alwaysFor } from "./allowance";

export interface Decision {
  approve: (always?: boolean) => void;
  /** Opens the question for the reason. */
  askForReason: () => void;
  busy: boolean;
  dialog: ReactNode;
}

/** The owner's word for good, on this kind of action where it is done. */
async function allow(task: Task): Promise<void> {
  const allowed = alwaysFor(task);
  if (!allowed) return;
  const body = { intent: task.intent, project: allowed.project, verdict: "auto" as const, lift_floor: allowed.lifts };
  await answered(api().PUT("/trust/overrides", { body }));
}

/** Yes and no to one task, said once for every place where a card stands. */
export function useDecision(task: Task, after?: (approved: boolean) => void): Decision {
  const confirm = useConfirm();
  const [asking, setAsking] = useState(false);
  const [reason, setReason] = useState("");
  // Its own, since a word for good is told before the yes itself.
  const [busy, setBusy] = useState(false);

  // Promises, not callbacks of the mutation: the card is gone from the screen before the answer is there.
  const tell = async (approve: boolean, { why = "", always = false } = {}): Promise<void> => {
    if (busy) return;
    setBusy(true);
    try {
      if (always) await allow(task);
      await confirm.mutateAsync({ id: task.id, approve, reason: why });
      toast(approve ? w.approved(task.title) : w.rejected(task.title), { tone: approve ? "good" : "plain" });
      after?.(approve);
    } catch (error) {
      const { message, hint, offline } = ApiError.from(error);
      toast(offline ? w.failed : message, { tone: "wrong", hint });
    } finally {
      setBusy(false);
    }
  };

  const dialog = (
    <Dialog
      open={asking}
      onOpenChange={setAsking}
      title={w.rejecting.title}
      words={w.rejecting.words(task.title)}
      foot={
        <>
          <Button onClick={() => setAsking(false)}>{common.cancel}</Button>
          <Button
            kind="primary"
            onClick={() => {
              setAsking(false);
              void tell(false, { why: reason.trim() });
            }}
          >
            {w.rejecting.submit}
          </Button>
        </>
      }
    >
      <TextArea
        label={w.rejecting.reason}
        placeholder={w.rejecting.placeholder}
        rows={3}
        maxLength={2000}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </Dialog>
  );

  const approve = (always = false): void => void tell(true, { always });
  return { approve, askForReason: () => setAsking(true), busy, dialog };
}
