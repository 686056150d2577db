import { Link } from "@tanstack/react-router";
import { ExternalLink, Globe, GlobeLock, RefreshCw } from "lucide-react";
import { useState, type ReactNode } from "react";
import type { Command } from "@/api/actions";
import { CopyButton } from "@/components/Technical";
import { Badge } from "@/components/ui/Badge";
import { Button, buttonClass } from "@/components/ui/Button";
import { Card } from "@/components/ui/Card";
import { Time } from "@/components/ui/Time";
import { Words } from "@/components/ui/Words";
import { sentence, visible } from "@/lib/text";
import { deployments as w } from "@words/deployments";
import css from "./Deployments.module.css";
import { Happened } from "./Happened";
import { LogDialog } from "./LogDialog";
import { Releases } from "./Releases";
import type { Standing } from "./standing";

/** Outcomes whose words say all that the note would say once more. */
const SAID: ReadonlySet<string> = new Set(["brought back", "taken down"]);

interface PlaceCardProps {
  standing: Standing;
  busy: boolean;
  onPublish: (command: Command) => void;
}

/** One project on one host: where, how it is, what was there before, and how to change that. */
export function PlaceCard({ standing, busy, onPublish }: PlaceCardProps): ReactNode {
  const { place, title, tone, events } = standing;
  const { project, provider } = place;
  const [log, setLog] = useState<{ id: string; what: string } | null>(null);
  const showLog = (id: string, what: string): void => setLog({ id, what });
  const isLive = place.live !== null;
  const safe = isLive && /^https?:\/\//.test(place.url);
  return (
    <Card as="article" className={css.place} aria-label={`${title}, ${w.hosts[provider] ?? provider}`} data-item tabIndex={-1}>
      <div className={css.head}>
        <h3>
          <Link to="/app/projects/$project" params={{ project }}>
            <bdi>{visible(title)}</bdi>
          </Link>
        </h3>
        <Badge>{w.hosts[provider] ?? provider}</Badge>
        <Badge tone={isLive ? tone : "plain"} icon={isLive ? <Globe aria-hidden /> : <GlobeLock aria-hidden />}>
          {w.state[place.state]}
        </Badge>
        <span className={css.when}>{place.at && <Time at={place.at} />}</span>
      </div>
      {safe && (
        <div className={css.address}>
          <a href={place.url} target="_blank" rel="noopener noreferrer" className={css.url}>
            <bdi>{visible(place.url.replace(/^https?:\/\//, ""))}</bdi>
          </a>
          <CopyButton text={place.url} label={w.copy} />
        </div>
      )}
      <p className={css.health}>
        <Health standing={standing} />
      </p>
      <div className={css.buttons}>
        {safe && (
          <a href={place.url} target="_blank" rel="noopener noreferrer" className={buttonClass({ kind: "primary", size: "small" })} aria-label={w.openWords(title)}>
            <ExternalLink aria-hidden /> {w.open}
          </a>
        )}
        <Button
          size="small"
          busy={busy}
          icon={<RefreshCw aria-hidden />}
          onClick={() => onPublish({ intent: "deploy_app", project, params: { provider } })}
        >
          {isLive ? w.again : w.back}
        </Button>
        {isLive && (
          <Button size="small" kind="quietDanger" disabled={busy} onClick={() => onPublish({ intent: "take_down_app", project, params: { provider } })}>
            {w.takeDown}
          </Button>
        )}
      </div>
      {place.releases.length > 0 && <Releases standing={standing} busy={busy} onPublish={onPublish} onLog={showLog} />}
      <Happened events={events} onLog={showLog} />
      {log && <LogDialog {...log} onClose={() => setLog(null)} />}
    </Card>
  );
}

/** How the last thing that was done there went; nothing that only held while it was online. */
function Health({ standing: { place, newest } }: { standing: Standing }): ReactNode {
  const outcome = newest?.outcome ?? "";
  if (outcome === "live" && place.live === null) return w.ended;
  return (
    <>
      {w.outcome[outcome] ?? <Words text={place.health} />} {place.note && !SAID.has(outcome) && <Words text={sentence(place.note)} />}{" "}
      {place.provider === "demo" && place.live !== null && w.demoHint}
    </>
  );
}
