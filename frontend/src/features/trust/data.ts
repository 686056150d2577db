import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Doing } from "@/api/actions";
import { answered, api } from "@/api/client";
import type { Verdict } from "./standing";

export const trustView = () =>
  queryOptions({
    queryKey: ["trust"] as const,
    queryFn: ({ signal }) => answered(api().GET("/trust", { signal })),
  });

export const summary = () =>
  queryOptions({
    queryKey: ["trust", "summary"] as const,
    queryFn: ({ signal }) => answered(api().GET("/memory/summary", { signal })),
  });

export interface Wish {
  intent: string;
  /** Null for every project. */
  project: string | null;
  /** Null to go by the record. */
  verdict: Verdict | null;
  lift_floor: boolean;
}

export function useOverride(): Doing<Wish, unknown> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Wish) => answered(api().PUT("/trust/overrides", { body })),
    onSettled: () => void client.invalidateQueries({ queryKey: ["trust"] }),
  });
}
