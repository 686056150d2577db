import { RadioGroup } from "radix-ui";
import type { ReactNode } from "react";
import css from "./Segments.module.css";
import { Tooltip } from "./Tooltip";

interface SegmentsProps<K extends string> {
  label: string;
  value: K;
  options: { key: K; words: string; icon?: ReactNode }[];
  onChange: (value: K) => void;
  /** Show pictures only; the words are their tooltips. */
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
      {options.map(({ key, words, icon }) => {
        const segment = (
          <RadioGroup.Item key={key} value={key} className={css.segment ?? ""} {...(iconsOnly ? { "aria-label": words } : {})}>
            {icon}
            {!iconsOnly && words}
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
