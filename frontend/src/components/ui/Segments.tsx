import { RadioGroup } from "radix-ui";
import type { ReactNode } from "react";
import css from "./Segments.module.css";
import { Tooltip } from "./Tooltip";

interface SegmentsProps<K extends string> {
  label: string;
  value: K;
  options: { key: K; words: string; icon?: ReactNode; short?: string }[];
  onChange: (value: K) => void;
  /** Show pictures only; the words are their tooltips. The chosen one also shows its short name, where there is room. */
  iconsOnly?: boolean;
}

/** One of a few, all in view. */
export function Segments<K extends string>({ label, value, options, onChange, iconsOnly = false }: SegmentsProps<K>): ReactNode {
  return (
    <RadioGroup.Root
      className={css.segments ?? ""}
      aria-label={label}
      orientation="horizontal"
      value={value}
      onValueChange={(next) => onChange(next as K)}
    >
      {options.map(({ key, words, icon, short }) => {
        const segment = (
          <RadioGroup.Item key={key} value={key} className={css.segment ?? ""} {...(iconsOnly ? { "aria-label": words } : {})}>
            {icon}
            {!iconsOnly && words}
            {iconsOnly && short && key === value && (
              <span className={css.short} aria-hidden>
                {short}
              </span>
            )}
          </RadioGroup.Item>
        );
        return iconsOnly ? (
          <Tooltip key={key} words={words}>
            {segment}
          </Tooltip>
        ) : (
          segment
        );
      })}
    </RadioGroup.Root>
  );
}
