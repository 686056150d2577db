/** How each project stands on each host, from what the service lists. */
import type { Deployment, DeploymentPlace, Project, Task } from "@/api/model";
import { isOpen } from "@/api/model";
import type { Tone } from "@/components/ui/Badge";

export interface Standing {
  key: string;
  place: DeploymentPlace;
  /** The project's name as people know it. */
  title: string;
  /** What happened there, the newest first. */
  events: Deployment[];
  newest: Deployment | undefined;
  tone: Tone;
}

export const INTENTS: ReadonlySet<string> = new Set(["deploy_app", "roll_back_deployment", "take_down_app"]);
const ZIP = "export";
const WORRYING: ReadonlySet<string> = new Set(["wrong", "failed", "refused", "unknown"]);

function toneOf(place: DeploymentPlace, newest: Deployment | undefined): Tone {
  if (newest?.outcome && WORRYING.has(newest.outcome)) return newest.outcome === "wrong" ? "wrong" : "waiting";
  return place.live ? "good" : "plain";
}

interface Listed {
  places: DeploymentPlace[];
  deployments: Deployment[];
}

export interface Overview {
  online: Standing[];
  zips: Standing[];
  /** Projects that are on no host. */
  rest: Project[];
}

/** Live ones first, then by name; projects that are on no host are left. */
export function overview({ places, deployments }: Listed, projects: readonly Project[]): Overview {
  const titles = new Map(projects.map(({ name, title }) => [name, title]));
  const all = places.map((place): Standing => {
    const events = deployments.filter((one) => one.project === place.project && one.provider === place.provider);
    const [newest] = events;
    const title = titles.get(place.project) ?? place.project;
    return { key: `${place.project}@${place.provider}`, place, title, events, newest, tone: toneOf(place, newest) };
  });
  const online = all
    .filter(({ place }) => place.provider !== ZIP)
    .sort((a, b) => Number(b.place.live !== null) - Number(a.place.live !== null) || a.title.localeCompare(b.title));
  const hosted = new Set(online.map(({ place }) => place.project));
  return {
    online,
    zips: all.filter(({ place }) => place.provider === ZIP && place.live !== null),
    rest: projects.filter(({ name }) => !hosted.has(name)),
  };
}

/** What is being put online or taken back now, and what was refused or has failed since then: until it was tried again. */
export function underWay(tasks: readonly Task[], since: string): Task[] {
  return tasks.filter((task, at) => {
    if (!INTENTS.has(task.intent)) return false;
    const refused = task.status === "queued" && task.result !== null;
    const newer = tasks.slice(0, at).some((other) => INTENTS.has(other.intent) && other.project === task.project);
    if (refused && newer) return false;
    if (task.status === "failed") return !newer && (task.finished ?? "") > since;
    return isOpen(task) && !(task.status === "queued" && task.parent_id !== null);
  });
}

/** The name of a zip at the end of its address. */
export const zipName = (url: string): string => url.split("/").at(-1) ?? url;
