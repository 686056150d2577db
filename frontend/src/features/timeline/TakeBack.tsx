import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Redo2, Undo2 } from "lucide-react";
import { useState, type ReactNode } from "react";
import { ApiError } from "@/api/error";
import type { TimelineEntry, UndoPreview } from "@/api/model";
import { queries } from "@/api/queries";
import { Button } from "@/components/ui/Button";
import { Kbd } from "@/components/ui/Kbd";
import { Segments } from "@/components/ui/Segments";
import { Skeleton } from "@/components/ui/Skeleton";
import { Words } from "@/components/ui/Words";
import { useKey } from "@/lib/keys";
import { visible } from "@/lib/text";
import { timeline as w } from "@words/timeline";
import css from "./Moment.module.css";
import { fateOf, type Find } from "./line";
import { useTakeBack } from "./useTakeBack";

const FILES = 12;

/** What an undo would change, and the button for it: the same one takes back and brings forward again. */
export function TakeBack({ entry, lever, find }: { entry: TimelineEntry; lever: string; find: Find }): ReactNode {
  const [only, setOnly] = useState(false);
  const whole = useQuery(queries.undo(lever));
  const alone = useQuery({ ...queries.undo(lever, true), enabled: only });
  const { data: seen, error } = only ? alone : whole;
  const navigate = useNavigate();
  const back = useTakeBack((id) => void navigate({ to: "/app/approvals", search: { task: id } }));
  const fate = seen && fateOf(seen, find);
  const forward = (fate?.comes.length ?? 0) > 0;
  const act = (): void => void (seen && fate && back.run({ lever, only, seen, done: doneWords(fate) }));
  useKey("u", w.keys.take, act, seen !== undefined && !back.busy);

  return (
    <section className={css.box} aria-busy={!seen && !error}>
      <h3>{headWords(entry, forward)}</h3>
      {(whole.data?.changes.length ?? 0) > 1 && (
        <Segments
          label={w.back.how}
          value={only ? "only" : "all"}
          options={[
            { key: "all", words: w.back.all },
            { key: "only", words: w.back.only },
          ]}
          onChange={(how) => setOnly(how === "only")}
        />
      )}
      {error ? <Refused error={error} /> : seen && fate ? <Foreseen seen={seen} fate={fate} /> : <Skeleton lines={4} />}
      {!error && (
        <div className={css.act}>
          <Button
            kind="primary"
            className={css.go}
            busy={back.busy}
            disabled={!seen}
            icon={forward ? <Redo2 aria-hidden /> : <Undo2 aria-hidden />}
            onClick={act}
          >
            {fate ? buttonWords(fate) : w.back.one}
          </Button>
          <span className={css.hint}>
            {w.undoable} <Kbd>u</Kbd>
          </span>
        </div>
      )}
    </section>
  );
}

function headWords(entry: TimelineEntry, forward: boolean): string {
  if (entry.undone) return w.forward.title;
  if (forward) return w.forward.undo;
  return entry.redoes.length > 0 ? w.forward.again : w.back.title;
}

type Fate = ReturnType<typeof fateOf>;

function buttonWords({ goes, comes }: Fate): string {
  if (comes.length > 0) return comes.length === 1 ? w.forward.one : w.forward.many(comes.length);
  return goes.length <= 1 ? w.back.one : w.back.many(goes.length);
}

const doneWords = ({ goes, comes }: Fate): string => (comes.length > 0 ? w.forward.done(comes.length) : w.back.done(goes.length));

function Refused({ error }: { error: unknown }): ReactNode {
  const { message, hint } = ApiError.from(error);
  return (
    <div className={css.refused} role="alert">
      <p>
        <Words text={message} />. {w.refusedKept}
      </p>
      {hint && (
        <p className={css.soft}>
          <Words text={hint} />
        </p>
      )}
    </div>
  );
}

function Foreseen({ seen, fate: { goes, comes } }: { seen: UndoPreview; fate: Fate }): ReactNode {
  return (
    <>
      {comes.length > 0 && <Titles words={w.forward.comes(comes.length)} changes={comes} />}
      {(goes.length > 1 || (comes.length > 0 && goes.length > 0)) && <Titles words={w.back.goes(goes.length)} changes={goes} />}
      {seen.online.map((words) => (
        <p key={words} className={css.online}>
          <Words text={words} />
        </p>
      ))}
      {seen.files.length === 0 && seen.online.length === 0 && <p className={css.soft}>{w.back.none}</p>}
      {seen.files.length > 0 && <FileList seen={seen} />}
      {seen.kept.length > 0 && (
        <div className={css.kept}>
          <p>{w.kept}</p>
          <ul>
            {seen.kept.map((path) => (
              <li key={path}>
                <bdi>{visible(path)}</bdi>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

const TITLES = 6;

function Titles({ words, changes }: { words: string; changes: UndoPreview["changes"] }): ReactNode {
  const [all, setAll] = useState(false);
  const shown = all ? changes : changes.slice(0, TITLES);
  return (
    <div>
      <p className={css.soft}>{words}</p>
      <ul className={css.titles}>
        {shown.map((change) => (
          <li key={change.id}>
            <Words text={change.title} />
          </li>
        ))}
      </ul>
      {shown.length < changes.length && (
        <Button kind="ghost" size="small" onClick={() => setAll(true)}>
          {w.moreFiles(changes.length - shown.length)}
        </Button>
      )}
    </div>
  );
}

function FileList({ seen }: { seen: UndoPreview }): ReactNode {
  const [all, setAll] = useState(false);
  const shown = all ? seen.files : seen.files.slice(0, FILES);
  const left = seen.files.length - shown.length;
  return (
    <div>
      <p className={css.soft}>{w.filesChange(seen.files.length + seen.more_files)}</p>
      <ul className={css.files}>
        {shown.map((file) => (
          <li key={`${file.project}/${file.path}`} className={css[file.change]}>
            <bdi>{visible(file.path)}</bdi>
            <span>{w.fileChange[file.change]}</span>
          </li>
        ))}
      </ul>
      {left > 0 && (
        <Button kind="ghost" size="small" onClick={() => setAll(true)}>
          {w.moreFiles(left)}
        </Button>
      )}
      {all && seen.more_files > 0 && <p className={css.soft}>{w.moreFiles(seen.more_files)}</p>}
    </div>
  );
}
