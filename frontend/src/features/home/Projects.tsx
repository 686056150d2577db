import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { LayoutGrid } from "lucide-react";
import type { ReactNode } from "react";
import type { Project } from "@/api/model";
import { queries } from "@/api/queries";
import { Picture } from "@/components/Picture";
import { Badge } from "@/components/ui/Badge";
import { Bone } from "@/components/ui/Skeleton";
import { Empty, ErrorState } from "@/components/ui/States";
import { Time } from "@/components/ui/Time";
import { cx } from "@/lib/cx";
import { visible } from "@/lib/text";
import { home } from "@words/home";
import css from "./Home.module.css";

const newest = (a: Project, b: Project): number => (b.updated ?? "").localeCompare(a.updated ?? "");

/** What was built, newest first, each with its picture. */
export function Projects({ quiet }: { quiet: boolean }): ReactNode {
  const { data, error, refetch } = useQuery(queries.projects());
  // There is something else to look at.
  if (quiet && !data?.length) return null;
  return (
    <section aria-labelledby="projects">
      <div className={css.head}>
        <h2 id="projects">{home.recent}</h2>
      </div>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Waiting />}
      {data?.length === 0 && (
        <Empty icon={<LayoutGrid aria-hidden />} title={home.none}>
          {home.noneHint}
        </Empty>
      )}
      <div className={css.grid}>
        {data?.toSorted(newest).map((project) => (
          <ProjectCard key={project.name} project={project} />
        ))}
      </div>
    </section>
  );
}

function Waiting(): ReactNode {
  return (
    <div className={css.grid}>
      {[0, 1, 2].map((at) => (
        <Bone key={at} height={220} />
      ))}
    </div>
  );
}

function ProjectCard({ project }: { project: Project }): ReactNode {
  const { title } = project;
  const { state } = project.preview;
  return (
    <Link to="/app/projects/$project" params={{ project: project.name }} className={css.project} data-item>
      <div className={css.picture}>
        <span className={css.letter} aria-hidden>
          {title.slice(0, 1).toUpperCase()}
        </span>
        {project.picture && <Picture project={project.name} version={project.picture} alt={home.picture(title)} />}
      </div>
      <div className={css.about}>
        <span className={css.name}>
          <bdi>{visible(title)}</bdi>
        </span>
        <span className={cx(css.facts, css[state])}>
          {home.states[state] && (
            <>
              <span className={css.dot} aria-hidden /> {home.states[state]}
            </>
          )}
          {project.updated && <Time at={project.updated} />}
          {project.waiting_count > 0 && <Badge tone="waiting">{home.waiting(project.waiting_count)}</Badge>}
        </span>
      </div>
    </Link>
  );
}
