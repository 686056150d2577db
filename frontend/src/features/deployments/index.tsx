import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { KeyRound, Rocket } from "lucide-react";
import { useState, type ReactNode } from "react";
import type { Command } from "@/api/actions";
import type { Project } from "@/api/model";
import { queries } from "@/api/queries";
import { Page, ScreenTitle } from "@/components/layout/Page";
import { Button, buttonClass } from "@/components/ui/Button";
import { Card } from "@/components/ui/Card";
import { Bone } from "@/components/ui/Skeleton";
import { Empty, ErrorState } from "@/components/ui/States";
import { cx } from "@/lib/cx";
import { visible } from "@/lib/text";
import { deployments as w } from "@words/deployments";
import css from "./Deployments.module.css";
import { PlaceCard } from "./PlaceCard";
import { PutOnline } from "./PutOnline";
import { overview } from "./standing";
import { UnderWay } from "./UnderWay";
import { usePublish } from "./usePublish";
import { Zips } from "./Zips";

/** What is online where, what was there before, and how to change that. */
export function DeploymentsScreen(): ReactNode {
  const [asked, setAsked] = useState("");
  const { publish, busy } = usePublish(setAsked);
  return (
    <Page>
      <ScreenTitle title={w.title}>
        <Link to="/app/settings/accounts" className={cx(buttonClass({ kind: "ghost", size: "small" }), css.accounts)}>
          <KeyRound aria-hidden /> {w.accounts}
        </Link>
      </ScreenTitle>
      <div className={css.screen}>
        <UnderWay asked={asked} busy={busy} onPublish={publish} />
        <Places busy={busy} onPublish={publish} />
      </div>
    </Page>
  );
}

interface PlacesProps {
  busy: boolean;
  onPublish: (command: Command) => void;
}

function Places({ busy, onPublish }: PlacesProps): ReactNode {
  const listed = useQuery(queries.deployments());
  const projects = useQuery(queries.projects());
  const error = listed.error ?? projects.error;
  if (!listed.data || !projects.data) {
    if (!error) return <Waiting />;
    return <ErrorState error={error} onRetry={() => void Promise.all([listed.refetch(), projects.refetch()])} />;
  }
  const { online, zips, rest } = overview(listed.data, projects.data);
  if (online.length + zips.length + rest.length === 0) return <Nothing />;
  return (
    <>
      {online.length > 0 && (
        <section className={css.section} aria-labelledby="online">
          <h2 id="online" className="sr-only">
            {w.online}
          </h2>
          {online.map((standing) => (
            <PlaceCard key={standing.key} standing={standing} busy={busy} onPublish={onPublish} />
          ))}
        </section>
      )}
      <Rest projects={rest} busy={busy} onPublish={onPublish} />
      <Zips zips={zips} busy={busy} onPublish={onPublish} />
    </>
  );
}

function Rest({ projects, busy, onPublish }: PlacesProps & { projects: Project[] }): ReactNode {
  const [chosen, setChosen] = useState<Project | null>(null);
  if (projects.length === 0) return null;
  return (
    <section className={css.section} aria-labelledby="rest">
      <div>
        <h2 id="rest">{w.notOnline}</h2>
        <p className={css.soft}>{w.notOnlineHint}</p>
      </div>
      <Card padded={false}>
        <ul className={css.list}>
          {projects.map((project) => (
            <li key={project.name} className={css.item} data-item tabIndex={-1}>
              <span className={css.what}>
                <Link to="/app/projects/$project" params={{ project: project.name }}>
                  <bdi>{visible(project.title)}</bdi>
                </Link>
              </span>
              <Button size="small" disabled={busy} aria-label={w.putTitle(project.title)} onClick={() => setChosen(project)}>
                {w.put}
              </Button>
            </li>
          ))}
        </ul>
      </Card>
      {chosen && <PutOnline project={chosen} onClose={() => setChosen(null)} onPublish={onPublish} />}
    </section>
  );
}

function Nothing(): ReactNode {
  return (
    <Empty
      icon={<Rocket aria-hidden />}
      title={w.none}
      action={
        <Link to="/" className={buttonClass({ kind: "primary" })}>
          {w.build}
        </Link>
      }
    >
      {w.noneWords}
    </Empty>
  );
}

function Waiting(): ReactNode {
  return (
    <div className={css.section}>
      <Bone height={210} />
      <Bone height={96} />
    </div>
  );
}
