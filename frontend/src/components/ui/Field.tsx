import { useId, type InputHTMLAttributes, type ReactNode, type Ref, type TextareaHTMLAttributes } from "react";
import { cx } from "@/lib/cx";
import css from "./Field.module.css";
import { Words } from "./Words";

interface About {
  label: string;
  hint?: string | undefined;
  error?: string | null | undefined;
  hideLabel?: boolean;
}

interface Wiring {
  id: string;
  "aria-invalid": true | undefined;
  "aria-describedby": string | undefined;
}

function Wrapped({ label, hint, error, hideLabel = false, children }: About & { children: (wiring: Wiring) => ReactNode }): ReactNode {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div className={css.field}>
      <label htmlFor={id} className={cx(css.label, hideLabel && "sr-only")}>
        {label}
      </label>
      {children({ id, "aria-invalid": error ? true : undefined, "aria-describedby": described || undefined })}
      {hint && (
        <p id={`${id}-hint`} className={css.hint}>
          <Words text={hint} />
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className={css.error} role="alert">
          <Words text={error} />
        </p>
      )}
    </div>
  );
}

type InputProps = InputHTMLAttributes<HTMLInputElement> & About & { ref?: Ref<HTMLInputElement> };

export function Input({ label, hint, error, hideLabel, className, ...rest }: InputProps): ReactNode {
  return (
    <Wrapped label={label} hint={hint} error={error} hideLabel={hideLabel ?? false}>
      {(wiring) => <input {...rest} {...wiring} className={cx(css.input, className)} />}
    </Wrapped>
  );
}

type TextProps = TextareaHTMLAttributes<HTMLTextAreaElement> & About & { ref?: Ref<HTMLTextAreaElement> };

export function TextArea({ label, hint, error, hideLabel, className, ...rest }: TextProps): ReactNode {
  return (
    <Wrapped label={label} hint={hint} error={error} hideLabel={hideLabel ?? false}>
      {(wiring) => <textarea {...rest} {...wiring} className={cx(css.input, className)} />}
    </Wrapped>
  );
}
