/** The service's own shapes, under short names. They come from its API document; only what it leaves open is said here. */
import type { components } from "./schema";

type Schemas = components["schemas"];

export type TaskReply = Schemas["TaskReply"];
export type Status = Schemas["Task"]["status"];
export type Autonomy = Schemas["Autonomy"]["mode"];
export type AutonomyView = Schemas["Autonomy"];
export type Decision = Schemas["Decision"];
export type Card = Schemas["Card"];
export type CardFile = Schemas["CardFile"];
export type Question = Schemas["Question"];
export type Problem = Schemas["Problem"];
export type Result = Schemas["Result"];
export type Project = Schemas["Project"];
export type ProjectInFull = Schemas["ProjectInFull"];
export type Preview = Schemas["Preview"];
export type Commit = Schemas["Commit"];
export type FileEntry = Schemas["FileEntry"];
export type FileText = Schemas["File"];
export type DiffFile = Schemas["DiffFile"];
export type DiffText = Schemas["DiffText"];
export type Check = Schemas["ProofCheck"];
export type Exchange = Schemas["Exchange"];
export type TestCase = Schemas["TestCase"];
export type LogLine = Schemas["LogLine"];
export type UndoPreview = Schemas["UndoPreview"];
export type TimelineEntry = Schemas["TimelineEntry"];
export type Deployment = Schemas["Deployment"];
export type DeploymentPlace = Schemas["Place"];
export type Release = Schemas["Release"];
export type LogEntry = Schemas["LogEntry"];
export type BackupStanding = Schemas["BackupShape"];
export type DriveCopy = Schemas["DriveCopy"];
export type Day = Schemas["DayShape"];
export type Setting = Schemas["SettingShape"];
export type Health = Schemas["Health"];
export type Sandbox = Schemas["Sandbox"];
export type AgentEvent = Schemas["EventShape"];
export type Details = Record<string, unknown>;

/** What was made of a person's words; a plan keeps it among its parameters and on its card. */
export type Understood = Pick<Card, "understood" | "assumptions" | "questions" | "cannot" | "checks" | "needs">;

/** A proof as the step that made it keeps it, or as the project has it. */
export type Proof = Pick<Schemas["ProofShape"], "ok" | "words"> &
  Partial<Pick<Schemas["ProofShape"], "checks" | "tests" | "variants" | "at" | "current">> & { trouble?: string };

export interface Progress {
  message: string;
  done: number | null;
  total: number | null;
}

export type Task = Omit<Schemas["Task"], "params"> & {
  params: Details & Understood & { goal?: string; about_project?: string };
  /** Only here: the newest word of a step that runs. */
  progress?: Progress | undefined;
};

export const STATUSES = [
  "queued",
  "awaiting_approval",
  "running",
  "succeeded",
  "failed",
  "rejected",
  "cancelled",
  "interrupted",
  "undone",
] as const satisfies readonly Status[];
export const WAITING: readonly Status[] = ["awaiting_approval", "interrupted"];
export const OPEN: readonly Status[] = ["queued", "awaiting_approval", "running", "interrupted"];

export const isWaiting = (task: Pick<Task, "status">): boolean => WAITING.includes(task.status);
export const isOpen = (task: Pick<Task, "status">): boolean => OPEN.includes(task.status);

const OTHERWISE: ReadonlySet<string> = new Set(["allowed_by_owner", "allow_all", "action_rule", "only_looks"]);

/** Whether the record decided; where something else did, the decision's own reasons say what. */
export function fromRecord(decision: { code?: string } | null | undefined): boolean {
  return !OTHERWISE.has(decision?.code ?? "");
}
