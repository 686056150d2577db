import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import type { Setting } from "@/api/model";
import { queries } from "@/api/queries";
import { Badge } from "@/components/ui/Badge";
import { Input } from "@/components/ui/Field";
import { Fold } from "@/components/ui/Fold";
import { Skeleton } from "@/components/ui/Skeleton";
import { ErrorState } from "@/components/ui/States";
import { Words } from "@/components/ui/Words";
import { visible } from "@/lib/text";
import { settings } from "@words/settings";
import { Part } from "./Part";
import css from "./Settings.module.css";
import { fitting, isChanged, shown, valueOf } from "./ordering";

const w = settings.service;

/** Every setting in words: those that were changed, and the rest one fold below. */
export function Values(): ReactNode {
  const { data, error, refetch } = useQuery(queries.settings());
  const [words, setWords] = useState("");
  const found = fitting(data?.about ?? [], words);
  const changed = found.filter(isChanged);
  const rest = found.filter((one) => !isChanged(one));
  return (
    <Part title={w.values} words={w.valuesHint}>
      <Input label={w.search} hideLabel type="search" placeholder={w.search} value={words} onChange={(event) => setWords(event.target.value)} />
      {error && !data && <ErrorState inline error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={6} />}
      {data && found.length === 0 && <p className={css.soft}>{w.none}</p>}
      <List values={changed} />
      {words && <List values={rest} />}
      {!words && rest.length > 0 && (
        <Fold words={w.rest(rest.length)}>
          <List values={rest} />
        </Fold>
      )}
    </Part>
  );
}

function List({ values }: { values: Setting[] }): ReactNode {
  return (
    <ul className={css.values}>
      {values.map((one) => (
        <li key={one.name}>
          <div className={css.valueHead}>
            <code>{one.variable}</code>
            {isChanged(one) && <Badge tone="accent">{w.changed}</Badge>}
            <b>
              <bdi>{visible(valueOf(one))}</bdi>
            </b>
          </div>
          <p>
            <Words text={one.words} />
          </p>
          <p className={css.soft}>
            <Words text={w.allowed(one.allowed)} />
            {isChanged(one) && one.default !== null && `. ${w.standard(shown(one.default))}`}.
          </p>
        </li>
      ))}
    </ul>
  );
}
