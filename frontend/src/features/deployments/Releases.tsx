import { useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleDashed } from "lucide-react";
import type { ReactNode } from "react";
import type { Command } from "@/api/actions";
import type { Release } from "@/api/model";
import { queries } from "@/api/queries";
import { Badge } from "@/components/ui/Badge";
import { Button } from "@/components/ui/Button";
import { Time } from "@/components/ui/Time";
import { cx } from "@/lib/cx";
import { exactTime } from "@/lib/format";
import { visible } from "@/lib/text";
import { deployments as w } from "@words/deployments";
import css from "./Deployments.module.css";
import type { Standing } from "./standing";

interface ReleasesProps {
  standing: Standing;
  busy: boolean;
  onPublish: (command: Command) => void;
  onLog: (id: string, what: string) => void;
}

/** The versions that visitors saw, the newest first; each can be brought back. */
export function Releases({ standing, busy, onPublish, onLog }: ReleasesProps): ReactNode {
  const { place } = standing;
  const { data: commits } = useQuery(queries.history(place.project));
  const titles = new Map(commits?.map(({ id, title }) => [id, title]));
  const { project, provider } = place;
  return (
    <div>
      <h4 className={css.label}>{w.releases}</h4>
      <ul className={css.rows}>
        {place.releases.map((release) => {
          const live = place.live?.id === release.id;
          const logged = standing.events.some((event) => event.id === release.key);
          return (
            <li key={release.id} className={cx(css.row, live && css.live)}>
              <Checked release={release} />
              <span className={css.what}>
                <bdi>{visible(titles.get(release.commit) ?? w.version(release.commit.slice(0, 7)))}</bdi>
              </span>
              <span className={css.when}>{release.at && <Time at={release.at} />}</span>
              <span className={css.rowButtons}>
                {logged && (
                  <Button size="small" kind="ghost" onClick={() => onLog(release.key, standing.title)}>
                    {w.log}
                  </Button>
                )}
                <span className={css.turn}>
                  {live ? (
                    <Badge tone="good">{w.current}</Badge>
                  ) : (
                    <Button
                      size="small"
                      disabled={busy}
                      aria-label={w.bringBackWords(release.at ? exactTime(release.at) : release.commit.slice(0, 7))}
                      onClick={() => onPublish({ intent: "roll_back_deployment", project, params: { provider, to: release.id } })}
                    >
                      {w.bringBack}
                    </Button>
                  )}
                </span>
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function Checked({ release }: { release: Release }): ReactNode {
  const Icon = release.verified ? CircleCheck : CircleDashed;
  const words = release.verified ? w.checked : w.unchecked;
  return (
    <span className={cx(css.mark, release.verified && css.good)} title={words}>
      <Icon aria-hidden />
      <span className="sr-only">{words}</span>
    </span>
  );
}
