/** What is read from the service, under which key it is kept, and how. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { answered, api, fetchBytes } from "./client";
import type { DiffFile, FileText, Status, Task } from "./model";

export interface TaskFilter {
  status?: Status;
  project?: string;
}

/** Which logs are wanted: words in them, how they ended, a project, a day. */
export interface LogFilter {
  q?: string;
  status?: Status;
  project?: string;
  date?: string;
}

const PAGE = 200;
const LOGS = 50;

export const queries = {
  /** The newest tasks, with their steps, newest first; what is long in their results is left to `task`. */
  tasks: (filter: TaskFilter = {}) =>
    infiniteQueryOptions({
      queryKey: ["tasks", filter] as const,
      initialPageParam: "",
      queryFn: async ({ pageParam, signal }): Promise<Task[]> => {
        const query = { ...filter, limit: PAGE, brief: true, ...(pageParam ? { after: pageParam } : {}) };
        const answer = await answered(api().GET("/tasks", { params: { query }, signal }));
        return answer.tasks;
      },
      getNextPageParam: (page: Task[]) => (page.length < PAGE ? undefined : page.at(-1)?.id),
    }),

  task: (id: string) =>
    queryOptions({
      queryKey: ["task", id] as const,
      queryFn: async ({ signal }): Promise<{ task: Task; children: Task[] }> => {
        const answer = await answered(api().GET("/tasks/{id}", { params: { path: { id } }, signal }));
        return { task: answer.task, children: answer.children };
      },
    }),

  /** Everything that waits for a person. */
  waiting: () =>
    queryOptions({
      queryKey: ["waiting"] as const,
      queryFn: async ({ signal }): Promise<Task[]> => {
        const lists = await Promise.all(
          (["awaiting_approval", "interrupted"] as const).map((status) =>
            answered(api().GET("/tasks", { params: { query: { status, limit: PAGE } }, signal })),
          ),
        );
        return lists.flatMap((list) => list.tasks);
      },
    }),

  projects: () =>
    queryOptions({
      queryKey: ["projects"] as const,
      queryFn: async ({ signal }) => {
        const answer = await answered(api().GET("/projects", { signal }));
        return answer.projects;
      },
    }),

  project: (name: string) =>
    queryOptions({
      queryKey: ["project", name] as const,
      queryFn: async ({ signal }) => {
        const path = { project: name };
        const answer = await answered(api().GET("/projects/{project}", { params: { path }, signal }));
        return answer.project;
      },
    }),

  files: (project: string) =>
    queryOptions({
      queryKey: ["files", project] as const,
      queryFn: async ({ signal }) => {
        const params = { path: { project }, query: { recursive: true } };
        const answer = await answered(api().GET("/projects/{project}/files", { params, signal }));
        return answer.entries;
      },
    }),

  file: (project: string, path: string) =>
    queryOptions({
      queryKey: ["files", project, path] as const,
      queryFn: async ({ signal }): Promise<FileText> => {
        const params = { path: { project, path } };
        return (await answered(api().GET("/projects/{project}/files/{path}", { params, signal }))) as FileText;
      },
    }),

  history: (project: string) =>
    queryOptions({
      queryKey: ["history", project] as const,
      queryFn: async ({ signal }) => {
        const path = { project };
        const answer = await answered(api().GET("/projects/{project}/history", { params: { path }, signal }));
        return answer.commits;
      },
    }),

  /** The files that a task changed or, while it waits, would change. */
  diff: (id: string) =>
    queryOptions({
      queryKey: ["diff", id] as const,
      queryFn: ({ signal }) => answered(api().GET("/tasks/{id}/diff", { params: { path: { id } }, signal })),
    }),

  /** One of them, before and after. */
  diffFile: (id: string, file: Pick<DiffFile, "path" | "project">) =>
    queryOptions({
      queryKey: ["diff", id, file.project, file.path] as const,
      queryFn: async ({ signal }) => {
        const params = { path: { id }, query: { path: file.path, project: file.project } };
        return (await answered(api().GET("/tasks/{id}/diff/file", { params, signal }))).file;
      },
    }),

  /** What undoing a task would take back. */
  undo: (id: string, only = false) =>
    queryOptions({
      queryKey: ["undo", id, only] as const,
      queryFn: async ({ signal }) => {
        const params = { path: { id }, query: { only } };
        return (await answered(api().GET("/tasks/{id}/undo", { params, signal }))).undo;
      },
      staleTime: 0,
    }),

  /** Whether the project's app runs, and the last that it printed. */
  preview: (project: string, lines = 200) =>
    queryOptions({
      queryKey: ["preview", project, lines] as const,
      queryFn: ({ signal }) => {
        const params = { path: { project }, query: { lines } };
        return answered(api().GET("/projects/{project}/preview", { params, signal }));
      },
    }),

  proof: (project: string) =>
    queryOptions({
      queryKey: ["proof", project] as const,
      queryFn: async ({ signal }) => {
        const params = { path: { project } };
        return (await answered(api().GET("/projects/{project}/proof", { params, signal }))).proof;
      },
    }),

  /** A picture of the project's app; `version` changes with it. */
  picture: (project: string, version: string) =>
    queryOptions({
      queryKey: ["picture", project, version] as const,
      queryFn: async ({ signal }) => dataUrl(await fetchBytes(`/projects/${encodeURIComponent(project)}/picture?size=small`, signal)),
      staleTime: Infinity,
      retry: false,
    }),

  /** Logs that fit, newest first. */
  logs: (filter: LogFilter = {}) =>
    infiniteQueryOptions({
      queryKey: ["logs", filter] as const,
      initialPageParam: "",
      queryFn: async ({ pageParam, signal }) => {
        const query = { ...filter, limit: LOGS, ...(pageParam ? { before: pageParam } : {}) };
        return answered(api().GET("/logs", { params: { query }, signal }));
      },
      getNextPageParam: (page: { next: string | null }) => page.next ?? undefined,
    }),

  log: (date: string, name: string) =>
    queryOptions({
      queryKey: ["logs", date, name] as const,
      queryFn: async ({ signal }) => {
        const params = { path: { date, name } };
        return (await answered(api().GET("/logs/{date}/{name}", { params, signal }))).log;
      },
    }),

  /** How the copies of logs and memory stand. */
  backups: () =>
    queryOptions({
      queryKey: ["backups"] as const,
      queryFn: async ({ signal }) => (await answered(api().GET("/backups", { signal }))).backups,
      // No event says that a copy has arrived.
      refetchInterval: ({ state }) => (state.data && state.data.pending > 0 ? 2000 : false),
    }),

  copies: () =>
    queryOptions({
      queryKey: ["backups", "copies"] as const,
      queryFn: async ({ signal }) => (await answered(api().GET("/logs_from_drive", { signal }))).logs,
      retry: false,
    }),

  /** How each of the last days went, oldest first. */
  days: (days: number) =>
    queryOptions({
      queryKey: ["timeline", "days", days] as const,
      queryFn: async ({ signal }) => {
        const params = { query: { days } };
        return (await answered(api().GET("/timeline/days", { params, signal }))).days;
      },
    }),

  metrics: () =>
    queryOptions({
      queryKey: ["metrics"] as const,
      queryFn: async ({ signal }): Promise<Record<string, number>> => {
        const answer = await answered(api().GET("/metrics", { headers: { Accept: "application/json" }, signal }));
        return typeof answer === "string" ? {} : answer.metrics;
      },
    }),

  /** What is online where, and what became of each deployment. */
  deployments: () =>
    queryOptions({
      queryKey: ["deployments"] as const,
      queryFn: ({ signal }) => answered(api().GET("/deployments", { signal })),
    }),

  deploymentLog: (id: string) =>
    queryOptions({
      queryKey: ["deployments", id] as const,
      queryFn: ({ signal }) => answered(api().GET("/deployments/{id}/log", { params: { path: { id } }, signal })),
    }),

  settings: () =>
    queryOptions({
      queryKey: ["settings"] as const,
      queryFn: ({ signal }) => answered(api().GET("/settings", { signal })),
    }),

  health: () =>
    queryOptions({
      queryKey: ["health"] as const,
      queryFn: ({ signal }) => answered(api().GET("/health", { signal })),
    }),
};

/** Bytes as an address that an image can show, and that needs no cleaning up. */
function dataUrl(bytes: Blob): Promise<string> {
  return new Promise((done, refuse) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result as string);
    reader.onerror = () => refuse(reader.error ?? new Error("The picture cannot be read"));
    reader.readAsDataURL(bytes);
  });
}
