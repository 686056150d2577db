import { Ban, CircleAlert, CircleCheck, CircleDashed, CirclePause, CircleX, Hourglass, LoaderCircle, Undo2, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import type { Status as Name } from "@/api/model";
import { cx } from "@/lib/cx";
import { statuses } from "@words/statuses";
import { Badge, type Tone } from "./Badge";
import css from "./Status.module.css";

const LOOKS: Record<Name, { icon: LucideIcon; tone: Tone }> = {
  queued: { icon: CircleDashed, tone: "plain" },
  awaiting_approval: { icon: Hourglass, tone: "waiting" },
  running: { icon: LoaderCircle, tone: "accent" },
  succeeded: { icon: CircleCheck, tone: "good" },
  failed: { icon: CircleX, tone: "wrong" },
  rejected: { icon: Ban, tone: "plain" },
  cancelled: { icon: CirclePause, tone: "plain" },
  interrupted: { icon: CircleAlert, tone: "waiting" },
  undone: { icon: Undo2, tone: "plain" },
};

/** The picture of a status. Beside it, or for screen readers inside it, stands its word. */
export function StatusIcon({ status, silent = false }: { status: Name; silent?: boolean }): ReactNode {
  const { icon: Icon, tone } = LOOKS[status];
  return (
    <>
      <Icon aria-hidden className={cx(css.icon, css[tone], status === "running" && css.turning)} />
      {!silent && <span className="sr-only">{statuses[status]}</span>}
    </>
  );
}

export function Status({ status, words }: { status: Name; words?: string }): ReactNode {
  return (
    <Badge tone={LOOKS[status].tone} icon={<StatusIcon status={status} silent />}>
      {words ?? statuses[status]}
    </Badge>
  );
}
