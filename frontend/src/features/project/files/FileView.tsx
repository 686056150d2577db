import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Download, EllipsisVertical, FileQuestion, Pencil, Trash2 } from "lucide-react";
import { lazy, Suspense, useEffect, useState, type ReactNode } from "react";
import { run, saveFile, type Command } from "@/api/actions";
import { byHand } from "@/api/byHand";
import { download } from "@/api/download";
import { ApiError } from "@/api/error";
import type { TaskReply } from "@/api/model";
import { queries } from "@/api/queries";
import { Lines } from "@/components/diff/Lines";
import { Button, IconButton } from "@/components/ui/Button";
import { Dialog } from "@/components/ui/Dialog";
import { Menu, MenuItem, MenuLine } from "@/components/ui/Menu";
import { Skeleton } from "@/components/ui/Skeleton";
import { Empty, ErrorState } from "@/components/ui/States";
import { arriving } from "@/lib/arriving";
import { size } from "@/lib/format";
import { visible } from "@/lib/text";
import { toast } from "@/lib/toasts";
import { common } from "@words/common";
import { files as w } from "@words/files";
import { project as pw } from "@words/project";
import { useUndo } from "../useUndo";
import css from "./Files.module.css";
import { PathDialog } from "./PathDialog";

const CodeEditor = lazy(() => arriving(() => import("@/components/diff/CodeEditor")));
/** Beyond this, an editor would stand still. */
const LONGEST = 1_000_000;

interface FileViewProps {
  project: string;
  path: string;
  onGone: () => void;
  onMoved: (path: string) => void;
  onAsked: () => void;
  back: ReactNode;
}

export function FileView({ project, path, onGone, onMoved, onAsked, back }: FileViewProps): ReactNode {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(queries.file(project, path));
  const { text, dirty, edit, theirs, discard, keep, saved } = useDraft(`${project}/${path}`, data?.text ?? "");
  const [busy, setBusy] = useState(false);
  const { undo } = useUndo(project);

  const said = (reply: TaskReply, words: string): boolean => {
    if (reply.confirmationNeeded) toast(w.asked, { act: { words: pw.look, run: onAsked } });
    else {
      const { id } = reply;
      const act = reply.success && id ? { words: common.undo, run: () => undo(id) } : undefined;
      toast(reply.success ? words : reply.message, { tone: reply.success ? "good" : "wrong", act });
    }
    return reply.success && !reply.confirmationNeeded;
  };
  const save = async (): Promise<void> => {
    if (!dirty) return;
    setBusy(true);
    try {
      const done = said(await byHand(await saveFile(project, path, text), { paths: [path] }), w.saved(path));
      await client.invalidateQueries({ queryKey: ["files", project] });
      if (done) saved(text);
    } catch (failure) {
      const { message, hint } = ApiError.from(failure);
      toast(message, { tone: "wrong", hint });
    } finally {
      setBusy(false);
    }
  };

  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={8} />;
  return (
    <div className={css.file}>
      <div className={css.head}>
        {back}
        <span className={css.name}>
          <bdi>{visible(path)}</bdi>
        </span>
        {dirty && <span className={css.state}>{w.unsaved}</span>}
        {dirty && (
          <Button size="small" kind="ghost" onClick={discard}>
            {w.discard}
          </Button>
        )}
        {data.text !== undefined && (
          <Button size="small" kind="primary" disabled={!dirty} busy={busy} onClick={save}>
            {w.save}
          </Button>
        )}
        <FileMenu project={project} path={path} onGone={onGone} onMoved={onMoved} said={said} />
      </div>
      {theirs ? (
        <div className={css.theirs} role="alert">
          <span>{w.theirs}</span>
          <Button size="small" onClick={discard}>
            {w.takeTheirs}
          </Button>
          <Button size="small" onClick={keep}>
            {w.keepMine}
          </Button>
        </div>
      ) : (
        <div />
      )}
      <Body path={path} stored={data.text} size={data.size} text={text} onEdit={edit} onSave={save} />
    </div>
  );
}

interface BodyProps {
  path: string;
  stored: string | undefined;
  size: number;
  text: string;
  onEdit: (text: string) => void;
  onSave: () => Promise<void>;
}

function Body({ path, stored, size: bytes, text, onEdit, onSave }: BodyProps): ReactNode {
  if (stored === undefined) {
    return (
      <Empty icon={<FileQuestion aria-hidden />} title={w.binary}>
        {w.binaryWords(size(bytes))}
      </Empty>
    );
  }
  if (stored.length > LONGEST) {
    return (
      <div className={css.plain}>
        <p>{w.large}</p>
        <Lines text={stored} label={w.editor(path)} tall />
      </div>
    );
  }
  return (
    <div className={css.editor}>
      <Suspense fallback={<Skeleton lines={8} />}>
        <CodeEditor path={path} label={w.editor(path)} text={text} onChange={onEdit} onSave={() => void onSave()} />
      </Suspense>
    </div>
  );
}

interface Draft {
  /** What the editor shows: what is typed, or what the service has. */
  text: string;
  dirty: boolean;
  /** Somebody else has changed the file while it was being edited. */
  theirs: boolean;
  edit: (text: string) => void;
  discard: () => void;
  keep: () => void;
  /** This text is what the service has now; what was typed since then is not. */
  saved: (text: string) => void;
}

interface Typed {
  /** What it was when the typing began. */
  base: string;
  text: string;
}

/** What is typed and not saved yet, by file: it is still there after a look at another file or screen. */
const unsaved = new Map<string, Typed>();

/** What a person types, beside what the service has. */
function useDraft(file: string, stored: string): Draft {
  const [draft, setDraft] = useState<Typed | null>(() => unsaved.get(file) ?? null);
  useEffect(() => {
    if (draft) unsaved.set(file, draft);
    else unsaved.delete(file);
  }, [file, draft]);
  const [kept, setKept] = useState<string | null>(null);
  // Equal to what is stored: it was saved, here or by a yes that it waited for.
  const dirty = draft !== null && draft.text !== draft.base && draft.text !== stored;
  return {
    text: dirty ? draft.text : stored,
    dirty,
    theirs: dirty && stored !== draft.base && stored !== draft.text && stored !== kept,
    edit: (text) => setDraft((before) => ({ base: before?.base ?? stored, text })),
    discard: () => setDraft(null),
    keep: () => setKept(stored),
    saved: (text) => setDraft((now) => (now && now.text !== text ? { base: text, text: now.text } : null)),
  };
}

interface FileMenuProps {
  project: string;
  path: string;
  onGone: () => void;
  onMoved: (path: string) => void;
  said: (reply: TaskReply, words: string) => boolean;
}

function FileMenu({ project, path, onGone, onMoved, said }: FileMenuProps): ReactNode {
  const [asking, setAsked] = useState<"remove" | "move" | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  const setAsking = (what: typeof asking): void => {
    setTrouble(null);
    setAsked(what);
  };
  const act = async (command: Command, paths: string[], words: string, after: () => void): Promise<void> => {
    try {
      const reply = await byHand(await run({ ...command, project, wait: 20 }), { paths });
      if (said(reply, words)) after();
      setAsking(null);
    } catch (error) {
      const { message, hint } = ApiError.from(error);
      setTrouble(`${message}. ${hint}`);
    }
  };
  return (
    <>
      <Menu
        trigger={
          <IconButton label={w.menu(path)} size="small">
            <EllipsisVertical aria-hidden />
          </IconButton>
        }
      >
        <MenuItem onSelect={() => void download(project, path)}>
          <Download aria-hidden /> {w.download}
        </MenuItem>
        <MenuItem onSelect={() => setAsking("move")}>
          <Pencil aria-hidden /> {w.rename}
        </MenuItem>
        <MenuLine />
        <MenuItem danger onSelect={() => setAsking("remove")}>
          <Trash2 aria-hidden /> {w.remove}
        </MenuItem>
      </Menu>
      <Dialog
        open={asking === "remove"}
        onOpenChange={(open) => setAsking(open ? "remove" : null)}
        title={w.removing(visible(path))}
        words={w.removingWords}
        foot={
          <>
            <Button onClick={() => setAsking(null)}>{common.cancel}</Button>
            <Button kind="danger" onClick={() => void act({ intent: "delete_file", params: { path } }, [path], w.removed(path), onGone)}>
              {w.remove}
            </Button>
          </>
        }
      >
        {trouble && <p role="alert">{trouble}</p>}
      </Dialog>
      {asking === "move" && (
        <PathDialog
          title={w.rename}
          submit={w.rename}
          start={path}
          error={trouble}
          onTyped={() => setTrouble(null)}
          onClose={() => setAsking(null)}
          onPath={(to) => act({ intent: "move_file", params: { path, to } }, [path, to], w.renamed(to), () => onMoved(to))}
        />
      )}
    </>
  );
}
