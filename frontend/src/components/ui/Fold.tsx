import { ChevronRight } from "lucide-react";
import { Collapsible } from "radix-ui";
import { useState, type ReactNode } from "react";
import { cx } from "@/lib/cx";
import css from "./Fold.module.css";

interface FoldProps {
  words: ReactNode;
  children: ReactNode;
  open?: boolean;
  /** The words take all of the width. */
  wide?: boolean;
}

/** One fold below the surface; what is inside is made when it is opened. */
export function Fold({ words, children, open: atFirst = false, wide = false }: FoldProps): ReactNode {
  const [open, setOpen] = useState(atFirst);
  return (
    <Collapsible.Root open={open} onOpenChange={setOpen}>
      <Collapsible.Trigger className={cx(css.trigger, wide && css.wide)}>
        <ChevronRight aria-hidden className={css.chevron} />
        {words}
      </Collapsible.Trigger>
      <Collapsible.Content className={css.content ?? ""}>{open && children}</Collapsible.Content>
    </Collapsible.Root>
  );
}
