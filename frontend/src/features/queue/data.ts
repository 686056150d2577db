import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { run, type Doing } from "@/api/actions";
import { answered, api } from "@/api/client";
import { ApiError } from "@/api/error";
import type { TaskReply } from "@/api/model";
import { toast } from "@/lib/toasts";
import { queue as w } from "@words/queue";
import { moved, type QueuedStep } from "./order";

type Step = QueuedStep["step"];

export const queued = () =>
  queryOptions({
    queryKey: ["queue"] as const,
    queryFn: async ({ signal }) => (await answered(api().GET("/queue", { signal }))).steps,
  });

/** Where a step goes: in place of one, before one, or at the end. */
export type Target = { edit: string } | { before: string } | null;

export function useSaveStep(): Doing<{ step: Step; target: Target }, unknown> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ step, target }): Promise<unknown> => {
      if (target === null) return run({ intent: "queue_task", params: { step }, wait: 10 });
      const id = "edit" in target ? target.edit : target.before;
      const call = { params: { path: { id } }, body: { step } };
      return "edit" in target ? answered(api().PATCH("/tasks/{id}", call)) : answered(api().POST("/tasks/{id}/insert", call));
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ["queue"] }),
  });
}

/** Puts a step where another one stands: at once on screen, and back again if the service says no. */
export function useMove(): (id: string, to: string) => void {
  const client = useQueryClient();
  const { queryKey } = queued();
  return (id, to) => {
    const steps = client.getQueryData<QueuedStep[]>(queryKey);
    const made = steps && moved(steps, id, to);
    if (!made) return;
    client.setQueryData(queryKey, made.steps);
    answered(api().POST("/tasks/{id}/move", { params: { path: { id } }, body: { before: made.before } }))
      .catch((error: unknown) => {
        client.setQueryData(queryKey, steps);
        complain(error);
      })
      .finally(() => void client.invalidateQueries({ queryKey }));
  };
}

export function useSkip(): (step: QueuedStep) => Promise<void> {
  const client = useQueryClient();
  return async ({ id, title }) => {
    try {
      await answered(api().DELETE("/tasks/{id}", { params: { path: { id } } }));
      toast(w.skipped(title));
    } catch (error) {
      complain(error);
    }
    await client.invalidateQueries({ queryKey: ["queue"] });
  };
}

export function useTake(): Doing<"next" | "all"> {
  return useMutation({
    mutationFn: (how: "next" | "all"): Promise<TaskReply> => {
      const body = { wait: 0 };
      return how === "next" ? answered(api().POST("/run_next", { body })) : answered(api().POST("/run_all", { body }));
    },
  });
}

export function complain(error: unknown): void {
  const { message, hint } = ApiError.from(error);
  toast(message, { tone: "wrong", hint });
}
