/** What a person can have done: each call goes through the service's gate, and its events bring the outcome. */
import { useMutation, useQueryClient, type UseMutationResult } from "@tanstack/react-query";
import { byHand } from "./byHand";
import { answered, api } from "./client";
import type { ApiError } from "./error";
import type { Autonomy, Details, Task, TaskReply } from "./model";
import { queries } from "./queries";
import type { components } from "./schema";

type Schemas = components["schemas"];

/** The panel follows events, so it does not wait in the request for what takes long. */
const WAIT = 0;

export type Doing<V, T = TaskReply> = UseMutationResult<T, ApiError, V>;

export interface Command {
  goal?: string;
  intent?: string;
  project?: string | null;
  params?: Details;
  answers?: Record<string, string>;
  /** Seconds to wait for the result. */
  wait?: number;
}

/** Sent twice by a nervous thumb or a broken line, a command with the same key acts once. */
function onceOnly(): string {
  // Not `randomUUID`: a page from plain http, as on a phone in the same network, does not have it.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export async function run({ wait = WAIT, ...command }: Command, key: string = onceOnly()): Promise<TaskReply> {
  const given = { ...command, wait };
  return answered(api().POST("/run", { body: given, params: { header: { "Idempotency-Key": key } } }));
}

export function useRun(): Doing<Command> {
  return useMutation({ mutationFn: (command: Command) => run(command) });
}

/** The same from a button that says all there is to it, and touches no file: pressing it is the yes. */
export function usePress(): Doing<Command> {
  // Long enough to hear whether it asks.
  return useMutation({ mutationFn: async (command: Command) => byHand(await run({ wait: 3, ...command }), { paths: [] }) });
}

export interface Verdict {
  id: string;
  approve: boolean;
  reason?: string;
}

/** Yes or no to what waits. The card goes at once, and comes back if the service could not be told. */
export function useConfirm(): Doing<Verdict> {
  const client = useQueryClient();
  const { queryKey } = queries.waiting();
  return useMutation<TaskReply, ApiError, Verdict, { before: Task[] | undefined }>({
    mutationFn: ({ id, approve, reason }) =>
      answered(api().POST("/confirm", { body: { id, approve, reason: reason ?? "", wait: WAIT } })),
    onMutate: async ({ id }) => {
      await client.cancelQueries({ queryKey });
      const before = client.getQueryData<Task[]>(queryKey);
      client.setQueryData<Task[]>(queryKey, (tasks) => tasks?.filter((task) => task.id !== id));
      return { before };
    },
    onError: (_error, _verdict, kept) => client.setQueryData(queryKey, kept?.before),
    onSettled: () => void client.invalidateQueries({ queryKey }),
  });
}

export function useAnswer(): Doing<{ id: string; answers: Record<string, string> }> {
  return useMutation({ mutationFn: (body) => answered(api().POST("/answer", { body: { ...body, wait: 10 } })) });
}

/** Goes on with what is queued in a project, such as a plan that stopped. */
export function useGoOn(): Doing<{ project: string | null }> {
  return useMutation({ mutationFn: ({ project }) => answered(api().POST("/run_all", { body: { project, wait: WAIT } })) });
}

/** Stops a task or plan; without an id, everything that is queued. */
export function useCancel(): Doing<{ id?: string }, unknown> {
  return useMutation({ mutationFn: (body: { id?: string }) => answered(api().POST("/cancel_plan", { body })) });
}

export interface Rollback {
  id?: string;
  commit?: string;
  project?: string | null;
  only?: boolean;
  exact?: boolean;
}

export function useRollback(): Doing<Rollback> {
  return useMutation({
    mutationFn: (asked: Rollback) =>
      answered(api().POST("/rollback", { body: { only: false, exact: false, ...asked, wait: 20 } })),
  });
}

type Kept = Schemas["Settings"];

export function useSetAutonomy(): Doing<{ mode: Autonomy; minutes?: number | null }, unknown> {
  const client = useQueryClient();
  const { queryKey } = queries.settings();
  return useMutation<unknown, ApiError, { mode: Autonomy; minutes?: number | null }, { before: Kept | undefined }>({
    mutationFn: ({ mode, minutes }) => answered(api().PUT("/settings", { body: { autonomy: mode, minutes: minutes ?? null } })),
    onMutate: async ({ mode, minutes }) => {
      await client.cancelQueries({ queryKey });
      const before = client.getQueryData<Kept>(queryKey);
      const until = minutes ? new Date(Date.now() + minutes * 60_000).toISOString() : null;
      client.setQueryData<Kept>(queryKey, (data) => data && { ...data, autonomy: { ...data.autonomy, mode, until } });
      return { before };
    },
    onError: (_error, _asked, kept) => client.setQueryData(queryKey, kept?.before),
    onSettled: () => void client.invalidateQueries({ queryKey }),
  });
}

/** Writes a file of a project, as any action: gated, committed, undoable. */
export async function saveFile(project: string, path: string, content: Blob | string): Promise<TaskReply> {
  const body = typeof content === "string" ? new Blob([content]) : content;
  return answered(
    api().PUT("/projects/{project}/files/{path}", {
      params: { path: { project, path }, query: { wait: 20 } },
      body: body as unknown as string,
      bodySerializer: () => body,
      headers: { "Content-Type": "application/octet-stream" },
    }),
  );
}
