import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useSetAutonomy } from "@/api/actions";
import { queries } from "@/api/queries";
import { Card } from "@/components/ui/Card";
import { Switch } from "@/components/ui/Switch";
import { toast } from "@/lib/toasts";
import { shell } from "@words/shell";
import { trust } from "@words/trust";
import { summary } from "./data";
import css from "./Trust.module.css";

const w = trust.now;

/** How much it does alone altogether, in words and in numbers. */
export function Overall(): ReactNode {
  const { data: settings } = useQuery(queries.settings());
  const { data: counts } = useQuery(summary());
  const set = useSetAutonomy();
  const mode = settings?.autonomy.mode ?? "earned";
  const ask = (on: boolean): void =>
    set.mutate(
      { mode: on ? "ask_all" : "earned" },
      {
        onSuccess: () => toast(shell.autonomy.set[on ? "ask_all" : "earned"]),
        onError: (error) => toast(shell.autonomy.failed, { tone: "wrong", hint: error.message }),
      },
    );
  return (
    <Card as="section" className={css.overall}>
      <div>
        <h2>{w.title}</h2>
        <p>{w.modes[mode]}</p>
        <p className={css.soft}>{w.never}</p>
        <Switch on={mode === "ask_all"} onChange={ask}>
          {w.askAll}
        </Switch>
      </div>
      {counts && (
        <dl className={css.counts}>
          <Figure value={counts.auto_confirmed_count} words={w.alone} />
          <Figure value={counts.confirmed_count} words={w.approved} />
          <Figure value={counts.rejected_count} words={w.refused} />
        </dl>
      )}
    </Card>
  );
}

function Figure({ value, words }: { value: number; words: string }): ReactNode {
  return (
    <div>
      <dt>{words}</dt>
      <dd>{value}</dd>
    </div>
  );
}
