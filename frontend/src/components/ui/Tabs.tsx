import { Tabs as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { cx } from "@/lib/cx";
import css from "./Tabs.module.css";

export interface Tab<K extends string> {
  key: K;
  words: ReactNode;
  icon?: ReactNode;
  content: ReactNode;
}

interface TabsProps<K extends string> {
  label: string;
  tabs: Tab<K>[];
  value: K;
  onChange: (value: K) => void;
  className?: string | undefined;
  panelClassName?: string | undefined;
}

export function Tabs<K extends string>({ label, tabs, value, onChange, className, panelClassName }: TabsProps<K>): ReactNode {
  return (
    <Radix.Root value={value} onValueChange={(next) => onChange(next as K)} className={className ?? ""}>
      <Radix.List aria-label={label} className={css.list ?? ""}>
        {tabs.map((tab) => (
          <Radix.Trigger key={tab.key} value={tab.key} className={css.tab ?? ""}>
            {tab.icon}
            {tab.words}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.key} value={tab.key} className={cx(css.panel, panelClassName)}>
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
