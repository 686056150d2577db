import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { queries } from "@/api/queries";
import { ScreenTitle } from "@/components/layout/Page";
import { Select } from "@/components/ui/Select";
import { Switch } from "@/components/ui/Switch";
import { timeline as w } from "@words/timeline";
import { Line } from "./Line";
import css from "./Timeline.module.css";

/** Everything that was done, in order; from here every change can be taken back and brought forward again. */
export function TimelineScreen(): ReactNode {
  const { project = null, changes = false } = useSearch({ from: "/app/timeline" });
  const navigate = useNavigate({ from: "/app/timeline" });
  const projects = useQuery(queries.projects());
  const choose = (next: { project?: string | undefined; changes?: boolean | undefined }): void =>
    void navigate({ search: (now) => ({ ...now, at: undefined, ...next }), replace: true });
  return (
    <div className={css.screen}>
      <ScreenTitle title={w.title} />
      <div className={css.filters}>
        <Select
          label={w.filter}
          value={project ?? ""}
          options={[
            { key: "", words: w.everywhere },
            ...(projects.data ?? []).map(({ name, title }) => ({ key: name, words: title || name })),
          ]}
          onChange={(name) => choose({ project: name || undefined })}
        />
        <Switch on={changes} onChange={(on) => choose({ changes: on || undefined })}>
          {w.changesOnly}
        </Switch>
      </div>
      <Line key={`${project ?? ""} ${String(changes)}`} filter={{ project, changes }} onAll={() => choose({ project: undefined, changes: undefined })} />
    </div>
  );
}
