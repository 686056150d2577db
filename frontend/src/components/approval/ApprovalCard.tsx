import { Hourglass } from "lucide-react";
import { useRef, useState, type ReactNode } from "react";
import type { Card, Task } from "@/api/model";
import { PatchView } from "@/components/diff/DiffView";
import { CredentialForm } from "@/components/credential/CredentialForm";
import { Technical } from "@/components/Technical";
import { Button } from "@/components/ui/Button";
import { Fold } from "@/components/ui/Fold";
import { Words } from "@/components/ui/Words";
import { cx } from "@/lib/cx";
import { size } from "@/lib/format";
import { useKey } from "@/lib/keys";
import { visible } from "@/lib/text";
import { approval as w } from "@words/approval";
import { diff } from "@words/diff";
import { shell } from "@words/shell";
import { Always } from "./Always";
import css from "./Approval.module.css";
import { Checks, PlanBody } from "./PlanBody";
import { useDecision } from "./useDecision";

interface ApprovalCardProps {
  task: Task;
  onDecided?: (approved: boolean) => void;
  /** On a phone its buttons stay at the bottom of the screen, where the thumb is. */
  thumb?: boolean;
  /** Where the plan goes when it is planned again with another answer. */
  onReplanned?: (id: string) => void;
}

/** One decision, so that somebody who does not code can make it: what, where, what it costs, whether it can be undone. */
export function ApprovalCard({ task, onDecided, onReplanned, thumb = false }: ApprovalCardProps): ReactNode {
  const { approve, askForReason, busy, dialog } = useDecision(task, onDecided);
  const [focused, setFocused] = useState(false);
  const [always, setAlways] = useState(false);
  const place = useRef<HTMLElement>(null);
  const credential = task.card?.what.credential;
  useKey("a", shell.help.approve, () => approve(always), focused && !busy && !credential);
  useKey("r", shell.help.reject, askForReason, focused && !busy);
  const card: Partial<Card> & { title: string } = task.card ?? { title: task.title };
  const isPlan = task.intent === "plan";

  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it only notices where the focus is
    <article
      ref={place}
      className={css.card}
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keys for yes and no work on the card in focus
      tabIndex={0}
      data-item
      aria-label={`${w.asks}: ${card.title}`}
      onFocus={() => setFocused(true)}
      onBlur={(event) => setFocused(event.currentTarget.contains(event.relatedTarget))}
    >
      <div className={css.head}>
        <p className={css.tag}>
          <Hourglass aria-hidden /> {task.status === "interrupted" ? w.cutOff : w.asks}
        </p>
        <h2>
          <Words text={card.title} />
        </h2>
      </div>
      {task.status === "interrupted" && task.result?.message && (
        <p>
          <Words text={task.result.message} />
        </p>
      )}
      {card.blocked && (
        <p className={css.need}>
          <Words text={credential ? w.connectFirst(without(card.blocked, card.what?.remedy)) : card.blocked} />
        </p>
      )}
      {isPlan && card.understood ? (
        <PlanBody task={task} onReplanned={onReplanned} />
      ) : credential ? (
        <CredentialForm name={credential} then={w.goesOn} />
      ) : (
        <Facts card={card} reasons={isPlan ? [] : (card.why ?? task.decision?.reasons ?? [])} />
      )}
      <div className={css.folds}>
        {isPlan && <Checks checks={card.checks ?? []} />}
        <Files card={card} />
        <Technical value={{ id: task.id, call: card.call, decision: task.decision }} words={w.details} />
      </div>
      <div className={cx(css.foot, thumb && css.thumb)}>
        <Always task={task} on={always} onChange={setAlways} />
        <Button onClick={askForReason} disabled={busy}>
          {w.reject}
        </Button>
        {!credential && (
          <Button kind="primary" busy={busy} onClick={() => approve(always)}>
            {verb(task)}
          </Button>
        )}
      </div>
      {dialog}
    </article>
  );
}

/** What is missing, without the way to get it: that is on the card itself. */
function without(words: string, remedy = ""): string {
  const [missing = words] = remedy ? words.split(remedy) : [words];
  return missing.replace(/[:.\s]+$/, "");
}

function verb(task: Task): string {
  if (task.status === "interrupted") return w.again;
  if (task.decision?.effects?.includes("publish")) return w.publish;
  return w.verbs[task.intent] ?? w.approve;
}

function Facts({ card, reasons }: { card: Partial<Card>; reasons: string[] }): ReactNode {
  const { summary, files = [], effects = [], notes = [] } = card.what ?? {};
  const rows: [string, string | undefined][] = [
    [w.facts.changes, summary],
    [w.facts.where, card.where],
    // Where every file is known, what changes says it all.
    [w.facts.can, files.length > 0 ? undefined : effects.join(", ")],
    [w.facts.cost, card.cost],
    [w.facts.undo, card.undo],
    [w.facts.worst, card.worst],
    [w.facts.found, notes.filter((note) => !reasons.includes(note)).join(". ")],
    [w.why, card.blocked ? undefined : reasons.join(". ")],
  ];
  return (
    <dl className={css.facts}>
      {rows.map(([name, words]) =>
        words ? (
          <div key={name} className={css.row}>
            <dt>{name}</dt>
            <dd>
              <Words text={words} />
            </dd>
          </div>
        ) : null,
      )}
    </dl>
  );
}

export function Files({ card }: { card: Partial<Card> }): ReactNode {
  const files = card.what?.files.filter((file) => file.kind !== "directory") ?? [];
  if (files.length === 0) return null;
  return (
    <Fold words={w.files(files.length + (card.what?.more ?? 0))}>
      <ul className={css.files}>
        {files.slice(0, 200).map((file) => (
          <li key={`${file.project ?? ""}/${file.path}`}>
            <bdi>{visible(file.path)}</bdi>
            <span>
              {diff.cardChange[file.change]} {file.after_bytes !== null && size(file.after_bytes)}
            </span>
          </li>
        ))}
      </ul>
      {card.what?.diff && <PatchView text={card.what.diff} label={diff.label(card.title ?? "")} />}
    </Fold>
  );
}
