import { LoaderCircle } from "lucide-react";
import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";
import { cx } from "@/lib/cx";
import css from "./Button.module.css";
import { Tooltip } from "./Tooltip";

export type ButtonKind = "primary" | "plain" | "ghost" | "danger" | "quietDanger";
export type ButtonSize = "small" | "medium" | "large";

interface Look {
  kind?: ButtonKind;
  size?: ButtonSize;
}

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement>, Look {
  /** It is being done: the button says so and cannot be pressed again. */
  busy?: boolean;
  icon?: ReactNode;
  ref?: Ref<HTMLButtonElement>;
}

/** The classes of a button, for links that look like one. */
export function buttonClass({ kind = "plain", size = "medium" }: Look = {}): string {
  return cx(css.button, css[kind], size !== "medium" && css[size]);
}

export function Button({ kind, size, busy = false, icon, children, className, type, onClick, ...rest }: ButtonProps): ReactNode {
  return (
    <button
      {...rest}
      type={type ?? "button"}
      className={cx(buttonClass({ kind: kind ?? "plain", size: size ?? "medium" }), className)}
      // Not `disabled` while it is busy: a browser takes the focus away from such a button, and a person loses the place.
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {busy ? <LoaderCircle aria-hidden className={css.spin} /> : icon}
      {children}
    </button>
  );
}

interface IconButtonProps extends Omit<ButtonProps, "icon" | "children" | "busy"> {
  label: string;
  children: ReactNode;
}

/** A button that is only a picture: its name is its tooltip. */
export function IconButton({ label, kind = "ghost", size, children, className, type, ...rest }: IconButtonProps): ReactNode {
  return (
    <Tooltip words={label}>
      <button
        {...rest}
        type={type ?? "button"}
        aria-label={label}
        className={cx(buttonClass({ kind, size: size ?? "medium" }), css.icon, className)}
      >
        {children}
      </button>
    </Tooltip>
  );
}
