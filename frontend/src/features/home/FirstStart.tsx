import { MessageSquareText, ShieldCheck, Undo2 } from "lucide-react";
import { useState, type ReactNode } from "react";
import { Button } from "@/components/ui/Button";
import { Dialog } from "@/components/ui/Dialog";
import { store } from "@/lib/storage";
import { home } from "@words/home";
import css from "./Home.module.css";

const KEY = "task-agent.first-start";
const ICONS = [MessageSquareText, ShieldCheck, Undo2];
const w = home.start;

/** Three short steps at the first visit; everything works without them. */
export function FirstStart(): ReactNode {
  const [open, setOpen] = useState(() => store.get(KEY) === null);
  const [at, setAt] = useState(0);
  const close = (): void => {
    store.set(KEY, "done");
    setOpen(false);
  };
  const step = w.steps[at];
  const Icon = ICONS[at] ?? MessageSquareText;
  const last = at === w.steps.length - 1;
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      // Not on a phone: its keyboard would cover what there is to see.
      then={() => (window.matchMedia("(pointer: fine)").matches ? document.querySelector<HTMLElement>("main textarea") : null)}
      title={w.title}
      words={w.step(at + 1, w.steps.length)}
      foot={
        <>
          {!last && (
            <Button kind="ghost" onClick={close}>
              {w.skip}
            </Button>
          )}
          <Button kind="primary" onClick={last ? close : () => setAt(at + 1)}>
            {last ? w.done : w.next}
          </Button>
        </>
      }
    >
      <div className={css.welcome} aria-live="polite">
        <Icon aria-hidden />
        <h3>{step?.title}</h3>
        <p>{step?.words}</p>
      </div>
    </Dialog>
  );
}
