import { useQuery } from "@tanstack/react-query";
import { ExternalLink, MonitorSmartphone, Monitor, Play, RotateCw, Smartphone } from "lucide-react";
import { useState, type ReactNode } from "react";
import { usePress } from "@/api/actions";
import { ApiError } from "@/api/error";
import type { Preview } from "@/api/model";
import { queries } from "@/api/queries";
import { Button, buttonClass, IconButton } from "@/components/ui/Button";
import { Segments } from "@/components/ui/Segments";
import { Skeleton } from "@/components/ui/Skeleton";
import { Empty, ErrorState } from "@/components/ui/States";
import { Words } from "@/components/ui/Words";
import { cx } from "@/lib/cx";
import { store } from "@/lib/storage";
import { toast } from "@/lib/toasts";
import { project as w } from "@words/project";
import css from "./Preview.module.css";

const KEY = "task-agent.preview-width";
/** What an app needs to work. It never has the panel's origin, so it cannot reach the token. */
const ALLOWED = "allow-scripts allow-forms allow-same-origin allow-popups";

type Width = "desktop" | "phone";

interface PreviewPaneProps {
  project: string;
  title: string;
  /** There is no file in the project, so there is no app. */
  empty: boolean;
  onShowLog: () => void;
}

/** The running app, in a frame on an origin of its own. */
export function PreviewPane({ project, title, empty, onShowLog }: PreviewPaneProps): ReactNode {
  const { data, error, refetch } = useQuery(queries.preview(project));
  if (error && !data) {
    // A project that is being planned is not there yet.
    const notYet = ApiError.from(error).status === 404;
    return notYet ? <Empty icon={<MonitorSmartphone aria-hidden />} title={w.preview.none.title}>{w.preview.none.words}</Empty> : <ErrorState error={error} onRetry={() => void refetch()} />;
  }
  if (!data) return <Skeleton lines={4} />;
  if (empty && data.preview.state !== "running") {
    return (
      <Empty icon={<MonitorSmartphone aria-hidden />} title={w.preview.empty.title}>
        {w.preview.empty.words}
      </Empty>
    );
  }
  const { preview } = data;
  const refused = preview.link ? refusal(preview.link) : null;
  if (preview.state !== "running" || !preview.link || refused) {
    return <NotShown project={project} preview={preview} refused={refused} onShowLog={onShowLog} />;
  }
  return <Frame key={preview.since ?? ""} link={preview.link} address={preview.url ?? preview.link} title={title} />;
}

/** Why an address may not or cannot be framed here. */
function refusal(link: string): "sameOrigin" | "mixed" | null {
  const { origin, protocol, hostname } = new URL(link, window.location.href);
  if (origin === window.location.origin) return "sameOrigin";
  const isLocal = hostname === "localhost" || hostname === "127.0.0.1";
  return window.location.protocol === "https:" && protocol === "http:" && !isLocal ? "mixed" : null;
}

function Frame({ link, address, title }: { link: string; address: string; title: string }): ReactNode {
  const [round, setRound] = useState(0);
  const [width, setWidth] = useState<Width>(() => (store.get(KEY) === "phone" ? "phone" : "desktop"));
  return (
    <div className={css.pane}>
      <div className={css.bar}>
        <div className={css.widths}>
          <Segments
            label={w.width}
            value={width}
            iconsOnly
            onChange={(next) => {
              store.set(KEY, next);
              setWidth(next);
            }}
            options={[
              { key: "desktop", words: w.desktop, icon: <Monitor aria-hidden /> },
              { key: "phone", words: w.phone, icon: <Smartphone aria-hidden /> },
            ]}
          />
        </div>
        <span className={css.address}>{address}</span>
        <IconButton label={w.reload} size="small" onClick={() => setRound(round + 1)}>
          <RotateCw aria-hidden />
        </IconButton>
        <a href={link} target="_blank" rel="noopener noreferrer" className={buttonClass({ kind: "ghost", size: "small" })}>
          <ExternalLink aria-hidden /> {w.open}
        </a>
      </div>
      <div className={cx(css.stage, width === "phone" && css.phone)}>
        <iframe key={round} className={css.frame} src={link} title={w.previewTitle(title)} sandbox={ALLOWED} referrerPolicy="no-referrer" />
      </div>
    </div>
  );
}

interface NotShownProps {
  project: string;
  preview: Preview;
  refused: "sameOrigin" | "mixed" | null;
  onShowLog: () => void;
}

function NotShown({ project, preview, refused, onShowLog }: NotShownProps): ReactNode {
  const run = usePress();
  const state = preview.state === "running" ? "none" : preview.state;
  const { title, words } = w.preview[refused ?? state];
  const start = (): void =>
    run.mutate({ intent: "start_app", project }, { onError: (error) => toast(error.message, { tone: "wrong", hint: error.hint }) });
  const canStart = !refused && (state === "stopped" || state === "crashed");
  return (
    <Empty
      icon={<MonitorSmartphone aria-hidden />}
      title={title}
      action={
        <>
          {canStart && (
            <Button kind="primary" icon={<Play aria-hidden />} busy={run.isPending} onClick={start}>
              {w.start}
            </Button>
          )}
          {state === "crashed" && <Button onClick={onShowLog}>{w.preview.showLog}</Button>}
          {refused && preview.link && (
            <a href={preview.link} target="_blank" rel="noopener noreferrer" className={buttonClass({ kind: "primary" })}>
              <ExternalLink aria-hidden /> {w.openIn}
            </a>
          )}
        </>
      }
    >
      <p>{words}</p>
      {state === "crashed" && preview.words && (
        <p>
          <Words text={preview.words} />
        </p>
      )}
    </Empty>
  );
}
