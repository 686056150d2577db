import { Link } from "@tanstack/react-router";
import { Download, EllipsisVertical, History, Play, ShieldCheck, Square } from "lucide-react";
import type { ReactNode } from "react";
import { usePress } from "@/api/actions";
import { download } from "@/api/download";
import type { ProjectInFull } from "@/api/model";
import { IconButton } from "@/components/ui/Button";
import { Menu, MenuItem } from "@/components/ui/Menu";
import { toast } from "@/lib/toasts";
import { project as w } from "@words/project";
import { shell } from "@words/shell";

export function ProjectMenu({ project }: { project: ProjectInFull }): ReactNode {
  const run = usePress();
  const act = (intent: string): void =>
    run.mutate(
      { intent, project: project.name },
      {
        onSuccess: (reply) => reply.confirmationNeeded && toast(w.asksFirst, { hint: reply.message }),
        onError: (error) => toast(error.message, { tone: "wrong", hint: error.hint }),
      },
    );
  const { state } = project.preview;
  return (
    <Menu
      trigger={
        <IconButton label={w.menu} size="small">
          <EllipsisVertical aria-hidden />
        </IconButton>
      }
    >
      <MenuItem asChild>
        <Link to="/app/timeline" search={{ project: project.name }}>
          <History aria-hidden /> {shell.nav.timeline}
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <Link to="/app/trust" search={{ project: project.name }}>
          <ShieldCheck aria-hidden /> {shell.nav.trust}
        </Link>
      </MenuItem>
      <MenuItem onSelect={() => void download(project.name)}>
        <Download aria-hidden /> {w.download}
      </MenuItem>
      {(state === "running" || state === "starting") && (
        <MenuItem onSelect={() => act("stop_app")}>
          <Square aria-hidden /> {w.stopApp}
        </MenuItem>
      )}
      {(state === "stopped" || state === "crashed") && (
        <MenuItem onSelect={() => act("start_app")}>
          <Play aria-hidden /> {w.start}
        </MenuItem>
      )}
    </Menu>
  );
}
