/** Accounts elsewhere: how each stands, and entering what opens it. Secrets go out, and never come back. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Doing } from "./actions";
import { answered, api } from "./client";
import type { components } from "./schema";

export type Credential = components["schemas"]["CredentialShape"];
type Saved = components["schemas"]["Credential"];

export const credentials = () =>
  queryOptions({
    queryKey: ["credentials"] as const,
    queryFn: ({ signal }) => answered(api().GET("/credentials", { signal })),
  });

export function useSetCredential(name: string): Doing<Record<string, string>, Saved> {
  const client = useQueryClient();
  return useMutation({
    // What was sent is a secret: nothing keeps it once it has been sent.
    gcTime: 0,
    mutationFn: (values) => answered(api().PUT("/credentials/{account}", { params: { path: { account: name } }, body: { values } })),
    onSettled: () => void client.invalidateQueries({ queryKey: ["credentials"] }),
  });
}

/** Asks the host whether what is kept still opens the account. */
export function useTestCredential(name: string): Doing<void, Saved> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => answered(api().POST("/credentials/{account}/test", { params: { path: { account: name } } })),
    onSettled: () => void client.invalidateQueries({ queryKey: ["credentials"] }),
  });
}

export function useForgetCredential(name: string): Doing<void, Saved> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => answered(api().DELETE("/credentials/{account}", { params: { path: { account: name } } })),
    onSettled: () => void client.invalidateQueries({ queryKey: ["credentials"] }),
  });
}
