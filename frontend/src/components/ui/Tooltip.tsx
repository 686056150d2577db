import { Tooltip as Radix } from "radix-ui";
import type { ReactNode } from "react";
import css from "./Tooltip.module.css";

export function Tooltip({ words, children }: { words: string; children: ReactNode }): ReactNode {
  return (
    <Radix.Root delayDuration={350}>
      <Radix.Trigger
        asChild
        onFocus={(event) => {
          // A finger that was there before, or a dialog that gave the focus back, did not ask for it.
          if (!event.currentTarget.matches(":focus-visible")) event.preventDefault();
        }}
      >
        {children}
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className={css.tooltip ?? ""} sideOffset={6} collisionPadding={8}>
          {words}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
