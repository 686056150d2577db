/** What projects are called: their titles, made harmless to look at. A name that is not known yet stands for itself. */
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { visible } from "@/lib/text";
import type { Project } from "./model";
import { queries } from "./queries";

/** Projects that share a title are told apart by their names. */
export function namesOf(projects: readonly Pick<Project, "name" | "title">[]): (name: string) => string {
  const titles = new Map(projects.map(({ name, title }) => [name, title]));
  const uses = new Map<string, number>();
  for (const title of titles.values()) uses.set(title, (uses.get(title) ?? 0) + 1);
  return (name) => {
    const title = titles.get(name) ?? name;
    return visible((uses.get(title) ?? 0) > 1 && title !== name ? `${title} (${name})` : title);
  };
}

export function useProjectNames(): (name: string) => string {
  const { data } = useQuery(queries.projects());
  return useMemo(() => namesOf(data ?? []), [data]);
}
