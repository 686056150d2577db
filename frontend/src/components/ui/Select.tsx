import { ChevronDown } from "lucide-react";
import { useId, type ReactNode } from "react";
import { cx } from "@/lib/cx";
import css from "./Select.module.css";

interface SelectProps<K extends string> {
  label: string;
  value: K;
  options: { key: K; words: string }[];
  onChange: (value: K) => void;
  /** The label above it, as in a form; else it is only heard. */
  labelled?: boolean;
  hint?: string | undefined;
  disabled?: boolean;
}

/** One of many. The system's own list, which every phone and screen reader knows. */
export function Select<K extends string>({ label, value, options, onChange, labelled = false, hint, disabled = false }: SelectProps<K>): ReactNode {
  const id = useId();
  return (
    <div className={cx(css.field, labelled && css.wide)}>
      <label htmlFor={id} className={labelled ? css.label : "sr-only"}>
        {label}
      </label>
      <span className={css.box}>
        <select
          id={id}
          className={css.select}
          value={value}
          disabled={disabled}
          aria-describedby={hint ? `${id}-hint` : undefined}
          onChange={(event) => onChange(event.target.value as K)}
        >
          {options.map(({ key, words }) => (
            <option key={key} value={key}>
              {words}
            </option>
          ))}
        </select>
        <ChevronDown aria-hidden />
      </span>
      {hint && (
        <p id={`${id}-hint`} className={css.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}
