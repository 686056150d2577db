import { Switch as Radix } from "radix-ui";
import { useId, type ReactNode } from "react";
import css from "./Switch.module.css";

interface SwitchProps {
  on: boolean;
  onChange: (on: boolean) => void;
  disabled?: boolean;
  children: ReactNode;
}

export function Switch({ on, onChange, disabled = false, children }: SwitchProps): ReactNode {
  const id = useId();
  return (
    <div className={css.row}>
      <Radix.Root id={id} className={css.switch ?? ""} checked={on} onCheckedChange={onChange} disabled={disabled}>
        <Radix.Thumb className={css.thumb ?? ""} />
      </Radix.Root>
      <label htmlFor={id}>{children}</label>
    </div>
  );
}
