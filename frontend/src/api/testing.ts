/** Tasks and events as the service makes them, for tests. */
import type { AgentEvent, Details, Task } from "./model";

export function aTask(id: string, more: Partial<Task> = {}): Task {
  return {
    id,
    intent: "create_file",
    params: {},
    status: "queued",
    title: `Task ${id}`,
    created: "2026-11-17T05:00:00.000Z",
    project: "notes",
    parent_id: null,
    children: [],
    decision: null,
    card: null,
    approval: null,
    result: null,
    cost: 0,
    commit: null,
    started: null,
    finished: null,
    seconds: null,
    undoes: [],
    redoes: [],
    undone_by: null,
    retried: null,
    tainted: false,
    ...more,
  };
}

export function anEvent(seq: number, type: string, task_id: string | null, data: Details = {}): AgentEvent {
  const at = new Date(Date.UTC(2026, 10, 17, 6, 0, seq)).toISOString();
  return { seq, at, type, task_id, data };
}
