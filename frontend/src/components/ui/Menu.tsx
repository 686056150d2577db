import { Check } from "lucide-react";
import { DropdownMenu as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { cx } from "@/lib/cx";
import css from "./Menu.module.css";

interface MenuProps {
  trigger: ReactNode;
  children: ReactNode;
  align?: "start" | "end";
  side?: "top" | "bottom" | "right";
}

export function Menu({ trigger, children, align = "end", side = "bottom" }: MenuProps): ReactNode {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className={css.menu ?? ""} align={align} side={side} sideOffset={6} collisionPadding={8}>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

interface ItemProps {
  onSelect?: () => void;
  danger?: boolean;
  disabled?: boolean;
  asChild?: boolean;
  children: ReactNode;
}

export function MenuItem({ onSelect, danger = false, disabled = false, asChild = false, children }: ItemProps): ReactNode {
  return (
    <Radix.Item className={cx(css.item, danger && css.danger)} disabled={disabled} asChild={asChild} {...(onSelect ? { onSelect } : {})}>
      {children}
    </Radix.Item>
  );
}

interface ChoiceProps<K extends string> {
  label: string;
  value: K;
  options: { key: K; words: string; hint?: string }[];
  onChange: (value: K) => void;
}

export function MenuChoice<K extends string>({ label, value, options, onChange }: ChoiceProps<K>): ReactNode {
  return (
    <>
      <Radix.Label className={css.label ?? ""}>{label}</Radix.Label>
      <Radix.RadioGroup value={value} onValueChange={(next) => onChange(next as K)}>
        {options.map(({ key, words, hint }) => (
          <Radix.RadioItem key={key} value={key} className={css.item ?? ""}>
            <span className={css.mark}>
              <Radix.ItemIndicator>
                <Check aria-hidden />
              </Radix.ItemIndicator>
            </span>
            <span>
              {words}
              {hint && <span className={css.hint}>{hint}</span>}
            </span>
          </Radix.RadioItem>
        ))}
      </Radix.RadioGroup>
    </>
  );
}

export function MenuLine(): ReactNode {
  return <Radix.Separator className={css.line ?? ""} />;
}
