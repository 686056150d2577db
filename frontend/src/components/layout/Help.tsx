import { useState, type ReactNode } from "react";
import { Dialog } from "@/components/ui/Dialog";
import { Kbd } from "@/components/ui/Kbd";
import { shortcuts, useKey } from "@/lib/keys";
import { useSignal } from "@/lib/signal";
import { shell } from "@words/shell";
import css from "./Shell.module.css";

/** All keys that do something on this screen. */
export function Help(): ReactNode {
  const [open, setOpen] = useState(false);
  const known = useSignal(shortcuts);
  useKey("?", shell.help.help, () => setOpen(true));
  const shown = [...new Map(known.map((one) => [one.key, one])).values()];
  return (
    <Dialog open={open} onOpenChange={setOpen} title={shell.help.title} words={shell.help.words}>
      <dl className={css.keys}>
        {shown.map(({ key, words }) => (
          <div key={key}>
            <dt>
              <Kbd>{key}</Kbd>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
