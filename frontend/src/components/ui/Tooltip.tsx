import { Tooltip as Radix } from "radix-ui";
import type { ReactNode } from "react";
import css from "./Tooltip.module.css";

export function Tooltip({ words, children }: { words: string; children: ReactNode }): ReactNode {
  return (
    <Radix.Root delayDuration={350}>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className={css.tooltip ?? ""} sideOffset={6} collisionPadding={8}>
          {words}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
