import { useId, type ReactNode } from "react";
import { Switch } from "@/components/ui/Switch";
import { cx } from "@/lib/cx";
import { notifying, turnOff, turnOn } from "@/lib/notifications";
import { useSignal } from "@/lib/signal";
import { toast } from "@/lib/toasts";
import { approvals } from "@words/approvals";
import css from "./Approvals.module.css";

const w = approvals.notify;

/** Whether this browser says so when something waits. It asks for the right to do so on the click, not before. */
export function NotifySwitch({ plain = false }: { plain?: boolean }): ReactNode {
  const state = useSignal(notifying);
  const id = useId();
  const change = async (on: boolean): Promise<void> => {
    if (!on) {
      turnOff();
      return;
    }
    const now = await turnOn();
    if (now === "on") toast(w.test, { tone: "good" });
    else if (now === "blocked") toast(w.blocked, { tone: "wrong" });
  };
  const hint = state === "blocked" ? w.blocked : state === "unavailable" ? w.unavailable : w.hint;
  return (
    <div className={cx(css.notify, plain && css.plain)} aria-describedby={id}>
      <Switch on={state === "on"} disabled={state === "blocked" || state === "unavailable"} onChange={(on) => void change(on)}>
        {w.label}
      </Switch>
      <p id={id}>{hint}</p>
    </div>
  );
}
