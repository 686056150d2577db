/** Everything that the agent can do, with the parameters of each: trust names its kinds by it, forms are drawn from it. */
import { queryOptions } from "@tanstack/react-query";
import { answered, api } from "./client";
import type { components } from "./schema";

export type ActionShape = components["schemas"]["ActionShape"];

export const catalogue = () =>
  queryOptions({
    queryKey: ["actions"] as const,
    queryFn: async ({ signal }) => (await answered(api().GET("/actions", { signal }))).actions,
    staleTime: Infinity,
  });

/** What an action is called on the surface: its sentence, without the full stop. */
export function calledOf(action: Pick<ActionShape, "summary">): string {
  return action.summary.replace(/\.$/, "");
}
