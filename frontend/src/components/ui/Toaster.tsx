import { CircleCheck, CircleX, X } from "lucide-react";
import { Toast as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { cx } from "@/lib/cx";
import { useSignal } from "@/lib/signal";
import { dismiss, toasts, type Toast } from "@/lib/toasts";
import { common } from "@words/common";
import { Button, IconButton } from "./Button";
import css from "./Toaster.module.css";
import { Words } from "./Words";

const SECONDS = 6;
const SECONDS_WITH_BUTTON = 12;

export function Toaster(): ReactNode {
  const shown = useSignal(toasts);
  return (
    <Radix.Provider label={common.notification} swipeDirection="right">
      {shown.map((one) => (
        <One key={one.id} toast={one} />
      ))}
      <Radix.Viewport className={css.view ?? ""} />
    </Radix.Provider>
  );
}

function One({ toast }: { toast: Toast }): ReactNode {
  const seconds = toast.act || toast.tone === "wrong" ? SECONDS_WITH_BUTTON : SECONDS;
  return (
    <Radix.Root
      // What went wrong is said at once, everything else when there is time.
      type={toast.tone === "wrong" ? "foreground" : "background"}
      className={cx(css.toast, toast.tone !== "plain" && css[toast.tone])}
      duration={seconds * 1000}
      onOpenChange={(open) => {
        if (!open) dismiss(toast.id);
      }}
    >
      {toast.tone === "good" && <CircleCheck aria-hidden />}
      {toast.tone === "wrong" && <CircleX aria-hidden />}
      <Radix.Title className={css.words ?? ""}>
        <Words text={toast.words} />
        {toast.hint && (
          <span className={css.hint}>
            {/* Not to be seen, but to be heard: without it, both would be read as one word. */}
            {" "}
            <Words text={toast.hint} />
          </span>
        )}
      </Radix.Title>
      {toast.act && (
        <Radix.Action altText={toast.act.words} asChild>
          <Button size="small" onClick={toast.act.run}>
            {toast.act.words}
          </Button>
        </Radix.Action>
      )}
      <Radix.Close asChild>
        <IconButton label={common.close} size="small">
          <X aria-hidden />
        </IconButton>
      </Radix.Close>
    </Radix.Root>
  );
}
