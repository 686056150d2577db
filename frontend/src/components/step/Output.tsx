import type { ReactNode } from "react";
import { Printed } from "@/components/Technical";
import { step as w } from "@words/step";
import css from "./Step.module.css";

export function Section({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <section className={css.section}>
      <h4>{title}</h4>
      {children}
    </section>
  );
}

/** What a step printed, if it printed anything. */
export function Output({ data }: { data: Record<string, unknown> }): ReactNode {
  const logged = Array.isArray(data.log) ? (data.log as { text?: string }[]).map((line) => line.text ?? "").join("\n") : "";
  const text = [data.stdout, data.stderr, data.output, logged].filter((one) => typeof one === "string" && one !== "").join("\n");
  if (!text) return null;
  const code = data.exit_code;
  const cut = data.cut as { stdout?: number; stderr?: number } | undefined;
  return (
    <Section title={w.output}>
      {typeof code === "number" && <p className={css.soft}>{w.exit(code)}</p>}
      <Printed text={text} label={w.output} />
      {(cut?.stdout ?? cut?.stderr) ? <p className={css.soft}>{w.cutOff}</p> : null}
    </Section>
  );
}
