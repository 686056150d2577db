/** The queue in groups: loose steps, and the steps of each plan; a step moves within its own group. */
import type { components } from "@/api/schema";

export type QueuedStep = components["schemas"]["QueuedStep"];

export interface Group {
  /** Null for steps that belong to no plan. */
  plan: QueuedStep["plan"];
  steps: QueuedStep[];
}

export function groupsOf(steps: readonly QueuedStep[]): Group[] {
  const groups = new Map<string, Group>();
  for (const step of steps) {
    const key = step.plan?.id ?? "";
    const group = groups.get(key) ?? { plan: step.plan, steps: [] };
    group.steps.push(step);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** The queue with one step put where another one of its group stands; null if that changes nothing. */
export function moved(steps: readonly QueuedStep[], id: string, to: string): { steps: QueuedStep[]; before: string | null } | null {
  const step = steps.find((one) => one.id === id);
  const target = steps.find((one) => one.id === to);
  if (!step || !target || step === target || step.plan?.id !== target.plan?.id) return null;
  const group = steps.filter((one) => one.plan?.id === step.plan?.id);
  const from = group.indexOf(step);
  const place = group.indexOf(target);
  const rest = group.filter((one) => one !== step);
  rest.splice(place, 0, step);
  const before = rest[place + 1]?.id ?? null;
  const order = rest.values();
  return from === place ? null : { steps: steps.map((one) => (group.includes(one) ? (order.next().value ?? one) : one)), before };
}

/** A step as a form takes it: what to do, where, and with which parameters. */
export function partsOf(step: QueuedStep["step"]): { intent: string; project: string; params: Record<string, unknown> } {
  const { intent, project, ...params } = step as { intent?: unknown; project?: unknown } & Record<string, unknown>;
  return { intent: typeof intent === "string" ? intent : "", project: typeof project === "string" ? project : "", params };
}
