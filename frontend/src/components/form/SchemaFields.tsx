import { useState, type ReactNode } from "react";
import { Input, TextArea } from "@/components/ui/Field";
import { Fold } from "@/components/ui/Fold";
import { Select } from "@/components/ui/Select";
import { Switch } from "@/components/ui/Switch";
import { form as w } from "@words/form";
import css from "./Form.module.css";
import { isMain, type FormField, type Values } from "./schema";

interface SchemaFieldsProps {
  fields: readonly FormField[];
  values: Values;
  /** In words, by field. */
  problems: Record<string, string>;
  onChange: (values: Values) => void;
}

/** The fields of an action: what it cannot do without at once, the rest one fold below. */
export function SchemaFields({ fields, values, problems, onChange }: SchemaFieldsProps): ReactNode {
  const one = (field: FormField): ReactNode => (
    <OneField
      key={field.name}
      field={field}
      value={values[field.name] ?? ""}
      error={problems[field.name]}
      onChange={(value) => onChange({ ...values, [field.name]: value })}
    />
  );
  const more = fields.filter((field) => !isMain(field));
  // Opened by what is wrong inside, and left open: it must not close over the field in which somebody mends it.
  const [troubled, setTroubled] = useState(false);
  if (!troubled && more.some((field) => problems[field.name])) setTroubled(true);
  return (
    <div className={css.fields}>
      {fields.filter(isMain).map(one)}
      {more.length > 0 && (
        <Fold key={String(troubled)} words={w.more} open={troubled}>
          <div className={css.fields}>{more.map(one)}</div>
        </Fold>
      )}
    </div>
  );
}

interface OneFieldProps {
  field: FormField;
  value: string | boolean;
  error: string | undefined;
  onChange: (value: string | boolean) => void;
}

function OneField({ field, value, error, onChange }: OneFieldProps): ReactNode {
  const text = typeof value === "string" ? value : "";
  const shared = { label: field.required ? field.label : w.optional(field.label), hint: field.hint, error };
  if (field.kind === "yes_no") {
    return (
      <Switch on={value === true} onChange={onChange}>
        {field.label}
        {field.hint && <small className={css.hint}>{field.hint}</small>}
      </Switch>
    );
  }
  if (field.kind === "choice") {
    const options = field.required && field.fallback === undefined ? ["", ...field.options] : field.options;
    return (
      <Select
        labelled
        label={field.label}
        hint={error ?? field.hint}
        value={text}
        options={options.map((key) => ({ key, words: key || w.choose }))}
        onChange={onChange}
      />
    );
  }
  if (field.kind === "text" || field.kind === "number") {
    return (
      <Input
        {...shared}
        inputMode={field.kind === "number" ? "decimal" : "text"}
        spellCheck={false}
        autoCapitalize="none"
        value={text}
        onChange={(event) => onChange(event.target.value)}
      />
    );
  }
  const hint = field.kind === "lines" ? w.lines : field.kind === "data" ? w.data : "";
  return (
    <TextArea
      {...shared}
      hint={[field.hint, hint].filter(Boolean).join(" ")}
      rows={field.kind === "long" ? 4 : 3}
      className={field.kind === "data" ? css.data : undefined}
      spellCheck={field.kind === "long"}
      value={text}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
