import { ChevronLeft, ChevronRight, CircleAlert, FilePen, Globe, KeyRound, ListChecks, PackagePlus, SquareTerminal, Trash2, Undo2, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import type { Task } from "@/api/model";
import { useProjectNames } from "@/api/projectNames";
import { IconButton } from "@/components/ui/Button";
import { Time } from "@/components/ui/Time";
import { Words } from "@/components/ui/Words";
import { approvals as w } from "@words/approvals";
import css from "./Approvals.module.css";

const BY_EFFECT: [string, LucideIcon][] = [
  ["publish", Globe],
  ["install", PackagePlus],
  ["delete", Trash2],
  ["execute_sandboxed", SquareTerminal],
  ["write_project", FilePen],
];

/** A picture for the kind of decision; the words stand beside it. */
export function kindIcon(task: Task): LucideIcon {
  if (task.card?.what.credential) return KeyRound;
  if (task.status === "interrupted") return CircleAlert;
  if (task.intent === "plan") return ListChecks;
  if (task.intent === "rollback") return Undo2;
  return BY_EFFECT.find(([effect]) => task.decision?.effects?.includes(effect))?.[1] ?? FilePen;
}

interface WaitingListProps {
  tasks: Task[];
  chosen: string;
  onChoose: (id: string) => void;
}

export function WaitingList({ tasks, chosen, onChoose }: WaitingListProps): ReactNode {
  const nameOf = useProjectNames();
  return (
    <nav className={css.list} aria-label={w.list}>
      <ul>
        {tasks.map((task) => {
          const Icon = kindIcon(task);
          return (
            <li key={task.id}>
              <button type="button" className={css.item} aria-current={task.id === chosen} onClick={() => onChoose(task.id)}>
                <Icon aria-hidden />
                <span className={css.title}>
                  <Words text={task.title} />
                </span>
                <span className={css.about}>
                  {task.project && <bdi>{nameOf(task.project)}</bdi>}
                  <Time at={task.created} />
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

/** On a phone: which of them is in front, and the way to the others. */
export function Stepper({ at, of, onStep }: { at: number; of: number; onStep: (by: 1 | -1) => void }): ReactNode {
  if (of < 2) return null;
  return (
    <div className={css.stepper}>
      <IconButton label={w.previous} disabled={at === 0} onClick={() => onStep(-1)}>
        <ChevronLeft aria-hidden />
      </IconButton>
      <span role="status">{w.place(at + 1, of)}</span>
      <IconButton label={w.next} disabled={at === of - 1} onClick={() => onStep(1)}>
        <ChevronRight aria-hidden />
      </IconButton>
    </div>
  );
}
