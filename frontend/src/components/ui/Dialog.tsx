import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { useRef, type ReactNode } from "react";
import { cx } from "@/lib/cx";
import { common } from "@words/common";
import { IconButton } from "./Button";
import css from "./Dialog.module.css";
import { Words } from "./Words";

interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  words?: string | undefined;
  children?: ReactNode;
  foot?: ReactNode;
  wide?: boolean;
  /** Where the focus goes afterwards, if not to where it was. */
  then?: (() => HTMLElement | null) | undefined;
}

/** Floats above the page; on a phone it comes from below. */
export function Dialog({ open, onOpenChange, title, words, children, foot, wide = false, then }: DialogProps): ReactNode {
  const content = useRef<HTMLDivElement>(null);
  const before = useRef<HTMLElement | null>(null);
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={css.scrim ?? ""} />
        <Radix.Content
          ref={content}
          className={cx(css.dialog, wide && css.wide)}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            before.current = document.activeElement instanceof HTMLElement ? document.activeElement : null;
            (content.current?.querySelector<HTMLElement>("input, textarea, select") ?? content.current)?.focus();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            // If the place is gone, the screen itself, so that the next key does not begin at the top.
            const back = before.current?.isConnected ? before.current : document.getElementById("content");
            (then?.() ?? back)?.focus({ preventScroll: true });
          }}
          {...(words ? {} : { "aria-describedby": undefined })}
        >
          <div className={css.head}>
            <Radix.Title asChild>
              <h2>{title}</h2>
            </Radix.Title>
            <Radix.Close asChild>
              <IconButton label={common.close} size="small">
                <X aria-hidden />
              </IconButton>
            </Radix.Close>
          </div>
          {words && <Radix.Description className={css.words ?? ""}>
              <Words text={words} />
            </Radix.Description>}
          {children !== undefined && <div className={css.body}>{children}</div>}
          {foot !== undefined && <div className={css.foot}>{foot}</div>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
