/** A project: what was asked and done on one side, the running app, its proof, files and log on the other. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { BadgeCheck, Files, ListChecks, MonitorSmartphone, ScrollText, Undo2 } from "lucide-react";
import { lazy, Suspense, type ReactNode } from "react";
import type { ProjectInFull } from "@/api/model";
import { queries } from "@/api/queries";
import { ScreenTitle } from "@/components/layout/Page";
import { Button } from "@/components/ui/Button";
import { Skeleton } from "@/components/ui/Skeleton";
import { Status } from "@/components/ui/Status";
import { Tabs, type Tab } from "@/components/ui/Tabs";
import { arriving } from "@/lib/arriving";
import { useKey } from "@/lib/keys";
import { useIsWide } from "@/lib/media";
import { project as w } from "@words/project";
import { shell } from "@words/shell";
import { ChangeBox } from "./ChangeBox";
import { Conversation } from "./Conversation";
import { LogPane } from "./LogPane";
import { PreviewPane } from "./PreviewPane";
import css from "./Project.module.css";
import { ProjectMenu } from "./ProjectMenu";
import { ProofPane } from "./ProofPane";
import { standing } from "./rows";
import { useUndo } from "./useUndo";

const FilesPane = lazy(() => arriving(() => import("./files/FilesPane")));

type Key = "steps" | "preview" | "proof" | "files" | "log";

export function ProjectScreen(): ReactNode {
  const { project: name } = useParams({ from: "/app/projects/$project" });
  const { tab, file } = useSearch({ from: "/app/projects/$project" });
  const navigate = useNavigate({ from: "/app/projects/$project" });
  const wide = useIsWide();
  // While a plan has not written anything, there are tasks of a project that is not there yet.
  const { data: project, isPending } = useQuery({ ...queries.project(name), retry: false });
  const { undo, busy } = useUndo(name);
  useKey("u", shell.help.undo, () => undo(), !busy);
  const title = project?.title ?? (isPending ? "" : name);
  const go = (next: Key, path?: string): void => void navigate({ search: { tab: next, file: path }, replace: true });

  const views: Tab<Key>[] = [
    {
      key: "preview",
      words: w.tabs.preview,
      icon: <MonitorSmartphone aria-hidden />,
      content: <PreviewPane project={name} title={title} empty={project?.files === 0} onShowLog={() => go("log")} />,
    },
    { key: "proof", words: w.tabs.proof, icon: <BadgeCheck aria-hidden />, content: <ProofPane project={name} /> },
    {
      key: "files",
      words: w.tabs.files,
      icon: <Files aria-hidden />,
      content: (
        <Suspense fallback={<Skeleton lines={5} />}>
          <FilesPane project={name} file={file} onOpen={(path) => go("files", path)} onAsked={() => go("steps")} />
        </Suspense>
      ),
    },
    { key: "log", words: w.tabs.log, icon: <ScrollText aria-hidden />, content: <LogPane project={name} /> },
  ];
  const talk = (
    <section className={css.talk} aria-label={w.tabs.steps}>
      {wide && <Strip name={name} project={project} onUndo={() => undo()} busy={busy} />}
      <Conversation key={name} project={name} />
      <ChangeBox key={`${name}:box`} project={name} />
    </section>
  );

  if (wide) {
    const shown = tab && tab !== "steps" ? tab : "preview";
    return (
      <div className={css.screen}>
        <ScreenTitle title={title} />
        {talk}
        <Tabs label={w.views} tabs={views} value={shown} onChange={(next) => go(next)} className={css.view} panelClassName={css.panel} />
      </div>
    );
  }
  const steps: Tab<Key> = { key: "steps", words: w.tabs.steps, icon: <ListChecks aria-hidden />, content: talk };
  return (
    <div className={css.phoneScreen}>
      <ScreenTitle title={title} />
      <Strip name={name} project={project} onUndo={() => undo()} busy={busy} />
      <Tabs
        label={w.views}
        tabs={[steps, ...views]}
        value={tab ?? "steps"}
        onChange={(next) => go(next)}
        className={css.phone}
        panelClassName={css.panel}
      />
    </div>
  );
}

interface StripProps {
  name: string;
  project: ProjectInFull | undefined;
  onUndo: () => void;
  busy: boolean;
}

/** How it stands, and the way back. */
function Strip({ name, project, onUndo, busy }: StripProps): ReactNode {
  const { data } = useInfiniteQuery(queries.tasks({ project: name }));
  const status = standing(data?.pages.flat() ?? []);
  return (
    <div className={css.strip}>
      <span>{status && <Status status={status} />}</span>
      <Button size="small" kind="ghost" icon={<Undo2 aria-hidden />} onClick={onUndo} busy={busy}>
        {w.undo}
      </Button>
      {project && <ProjectMenu project={project} />}
    </div>
  );
}
