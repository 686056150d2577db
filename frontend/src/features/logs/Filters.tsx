import { useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from "react";
import type { Status } from "@/api/model";
import { queries, type LogFilter } from "@/api/queries";
import { Button } from "@/components/ui/Button";
import { Select } from "@/components/ui/Select";
import { useKey } from "@/lib/keys";
import { logs as w } from "@words/logs";
import { statuses } from "@words/statuses";
import css from "./Logs.module.css";

const PAUSE_MS = 250;
const ENDED: Status[] = ["succeeded", "failed", "undone", "rejected", "cancelled", "interrupted", "awaiting_approval", "running"];

interface FiltersProps {
  filter: LogFilter;
  onChange: (filter: LogFilter) => void;
}

/** Which logs: words in them, how they ended, a project, a day. */
export function Filters({ filter, onChange }: FiltersProps): ReactNode {
  const { data: projects } = useQuery(queries.projects());
  const set = (more: { [K in keyof LogFilter]: LogFilter[K] | "" }): void => {
    const all = Object.entries({ ...filter, ...more }).filter(([, value]) => value);
    onChange(Object.fromEntries(all));
  };
  return (
    <div className={css.filters} role="search">
      <Box value={filter.q ?? ""} onChange={(q) => set({ q })} />
      <Select
        label={w.status}
        value={filter.status ?? ""}
        options={[{ key: "", words: w.anyStatus }, ...ENDED.map((key) => ({ key, words: statuses[key] }))]}
        onChange={(status) => set({ status })}
      />
      <Select
        label={w.project}
        value={filter.project ?? ""}
        options={[{ key: "", words: w.anyProject }, ...(projects ?? []).map(({ name, title }) => ({ key: name, words: title }))]}
        onChange={(project) => set({ project })}
      />
      <input
        type="date"
        className={css.day}
        aria-label={w.day}
        value={filter.date ?? ""}
        onChange={(event) => set({ date: event.target.value })}
      />
      {Object.keys(filter).length > 0 && (
        <Button kind="ghost" size="small" onClick={() => onChange({})}>
          {w.clear}
        </Button>
      )}
    </div>
  );
}

/** Looks once the typing pauses. */
function Box({ value, onChange }: { value: string; onChange: (value: string) => void }): ReactNode {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  const place = useRef<HTMLInputElement>(null);
  useKey("/", w.search, () => place.current?.focus());
  const tell = useEffectEvent((words: string) => {
    if (words.trim() !== value) onChange(words.trim());
  });
  if (known !== value) {
    // Changed from elsewhere: by the button beside it, or by going back.
    setKnown(value);
    if (typed.trim() !== value) setTyped(value);
  }
  useEffect(() => {
    const timer = setTimeout(() => tell(typed), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <span className={css.search}>
      <Search aria-hidden />
      <input
        ref={place}
        type="search"
        aria-label={w.search}
        placeholder={w.searchHint}
        maxLength={200}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </span>
  );
}
