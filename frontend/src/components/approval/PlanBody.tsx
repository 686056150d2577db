import { Check, ChevronDown, Circle, Pencil } from "lucide-react";
import { useState, type ReactNode } from "react";
import { run, useAnswer, useCancel } from "@/api/actions";
import { ApiError } from "@/api/error";
import type { Question, Task, TaskReply, Understood } from "@/api/model";
import { Button } from "@/components/ui/Button";
import { Dialog } from "@/components/ui/Dialog";
import { Input } from "@/components/ui/Field";
import { Fold } from "@/components/ui/Fold";
import { Menu, MenuChoice, MenuItem, MenuLine } from "@/components/ui/Menu";
import { Words } from "@/components/ui/Words";
import { toast } from "@/lib/toasts";
import { approval } from "@words/approval";
import { common } from "@words/common";
import css from "./Approval.module.css";

const w = approval.plan;

interface PlanBodyProps {
  task: Task;
  onReplanned?: ((id: string) => void) | undefined;
}

/** What was understood, as chips to change; what will be done, what it costs, and what has to hold. */
export function PlanBody({ task, onReplanned }: PlanBodyProps): ReactNode {
  const about: Understood = { ...task.params, ...(task.card ?? {}) };
  const steps = task.card?.what.steps ?? [];
  const replan = useReplan(task, onReplanned);
  return (
    <>
      <p className={css.understood}>
        <Words text={about.understood ?? ""} />
      </p>
      <Questions questions={replan.questions} busy={replan.busy} onAnswer={replan.answer} />
      <Assumptions assumptions={about.assumptions ?? []} busy={replan.busy} onChange={replan.correct} />
      <LeftOut about={about} />
      {steps.length > 0 && (
        <ol className={css.steps}>
          {steps.map((step, at) => (
            <li key={at}>
              <Circle aria-hidden />
              <Words text={step.title} />
            </li>
          ))}
        </ol>
      )}
      {task.card?.worst && (
        <p className={css.worst}>
          {approval.facts.worst}: <Words text={task.card.worst} />
        </p>
      )}
      <p className={css.price}>{[w.steps(steps.length), task.card?.cost, task.card?.undo && w.undo(task.card.undo)].filter(Boolean).join(" · ")}</p>
    </>
  );
}

/** What was answered already, by the plan that came of it: as long as that waits, an answer can be changed. */
const answered = new Map<string, Question[]>();

interface Replan {
  busy: boolean;
  questions: Question[];
  answer: (key: string, value: string) => void;
  correct: (words: string) => void;
}

/** Planning again, with an answer to a question or with other words for the whole. */
function useReplan(task: Task, onReplanned: PlanBodyProps["onReplanned"]): Replan {
  const answers = useAnswer();
  const cancel = useCancel();
  const [busy, setBusy] = useState(false);

  const settle = async (planned: Promise<TaskReply>): Promise<void> => {
    setBusy(true);
    try {
      const { id } = await planned;
      if (id && id !== task.id) onReplanned?.(id);
    } catch (error) {
      const { message, hint } = ApiError.from(error);
      toast(message, { tone: "wrong", hint });
    } finally {
      setBusy(false);
    }
  };

  const open = task.card?.questions ?? task.params.questions ?? [];
  const settled = answered.get(task.id) ?? [];
  const questions = open.length > 0 ? open : settled;
  const goal = task.params.goal ?? task.title;

  const anew = async (words: string, given: Question[]): Promise<TaskReply> => {
    const about = task.params.about_project;
    const known = given.length > 0 ? { answers: Object.fromEntries(given.map((question) => [question.key, question.default])) } : {};
    const planned = await run({ goal: words, wait: 20, ...known, ...(about ? { project: about } : {}) });
    await cancel.mutateAsync({ id: task.id });
    if (planned.id) answered.set(planned.id, given);
    return planned;
  };

  const answer = async (key: string, value: string): Promise<TaskReply> => {
    const given = questions.map((question) => (question.key === key ? { ...question, default: value } : question));
    if (open.length === 0) return anew(goal, given);
    const planned = await answers.mutateAsync({ id: task.id, answers: { [key]: value } });
    if (planned.id) answered.set(planned.id, given);
    return planned;
  };

  return {
    busy,
    questions,
    answer: (key, value) => void settle(answer(key, value)),
    correct: (words) => void settle(anew(`${goal}. ${words}`, settled)),
  };
}

function Questions({ questions, busy, onAnswer }: { questions: Question[]; busy: boolean; onAnswer: Replan["answer"] }): ReactNode {
  const [own, setOwn] = useState<Question | null>(null);
  if (questions.length === 0) return null;
  return (
    <div className={css.group}>
      <h3>{w.ask}</h3>
      <div className={css.chips}>
        {questions.map((question) => (
          <Menu
            key={question.key}
            align="start"
            trigger={
              <button type="button" className={`${css.chip ?? ""} ${css.question ?? ""}`} disabled={busy}>
                <span>
                  <Words text={question.text} /> <b>{question.default}</b>
                </span>
                <ChevronDown aria-hidden />
              </button>
            }
          >
            <MenuChoice
              label={question.text}
              value={question.default}
              options={[...new Set([question.default, ...question.options])].filter(Boolean).map((key) => ({ key, words: key }))}
              onChange={(value) => value !== question.default && onAnswer(question.key, value)}
            />
            <MenuLine />
            <MenuItem onSelect={() => setOwn(question)}>{w.own}</MenuItem>
          </Menu>
        ))}
      </div>
      <Ask title={own?.text ?? ""} open={own !== null} onClose={() => setOwn(null)} onSay={(words) => own && onAnswer(own.key, words)} />
    </div>
  );
}

function Assumptions({ assumptions, busy, onChange }: { assumptions: string[]; busy: boolean; onChange: Replan["correct"] }): ReactNode {
  const [open, setOpen] = useState<string | null>(null);
  if (assumptions.length === 0) return null;
  return (
    <div className={css.group}>
      <h3>{w.assumed}</h3>
      <div className={css.chips}>
        {assumptions.map((assumption) => (
          <button key={assumption} type="button" className={css.chip} disabled={busy} onClick={() => setOpen(assumption)}>
            <span>
              <Words text={assumption} />
            </span>
            <Pencil aria-label={w.change} />
          </button>
        ))}
      </div>
      <Ask title={w.instead} words={open ? w.insteadWords(open) : undefined} open={open !== null} onClose={() => setOpen(null)} onSay={onChange} />
    </div>
  );
}

interface AskProps {
  title: string;
  words?: string | undefined;
  open: boolean;
  onClose: () => void;
  onSay: (words: string) => void;
}

function Ask({ title, words, open, onClose, onSay }: AskProps): ReactNode {
  const [value, setValue] = useState("");
  const say = (): void => {
    if (!value.trim()) return;
    onSay(value.trim());
    setValue("");
    onClose();
  };
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      title={title}
      words={words}
      foot={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" onClick={say} disabled={!value.trim()}>
            {w.instead_submit}
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          say();
        }}
      >
        <Input label={w.instead} hideLabel placeholder={w.insteadPlaceholder} value={value} onChange={(event) => setValue(event.target.value)} maxLength={500} />
      </form>
    </Dialog>
  );
}

function LeftOut({ about }: { about: Understood }): ReactNode {
  return (
    <>
      {about.needs?.map((need) => (
        <p key={need.what} className={css.need}>
          <b>
            <Words text={need.what} />
          </b>
          . <Words text={need.remedy} />
        </p>
      ))}
      {about.cannot && about.cannot.length > 0 && (
        <div className={css.group}>
          <h3>{w.cannot}</h3>
          <ul className={css.left}>
            {about.cannot.map((one) => (
              <li key={one}>
                <Words text={one} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

export function Checks({ checks }: { checks: string[] }): ReactNode {
  if (checks.length === 0) return null;
  return (
    <Fold words={w.checks(checks.length)}>
      <p>{w.checksTitle}</p>
      <ul className={css.checks}>
        {checks.map((check) => (
          <li key={check}>
            <Check aria-hidden />
            <span>
              <Words text={check} />
            </span>
          </li>
        ))}
      </ul>
    </Fold>
  );
}
