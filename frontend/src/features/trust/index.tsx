import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { ShieldCheck } from "lucide-react";
import type { ReactNode } from "react";
import { catalogue } from "@/api/catalogue";
import { useProjectNames } from "@/api/projectNames";
import { Page, ScreenTitle } from "@/components/layout/Page";
import { buttonClass } from "@/components/ui/Button";
import { Select } from "@/components/ui/Select";
import { Skeleton } from "@/components/ui/Skeleton";
import { Empty, ErrorState } from "@/components/ui/States";
import { trust as w } from "@words/trust";
import { trustView } from "./data";
import { Legend } from "./Dots";
import { KindCard } from "./KindCard";
import { Overall } from "./Overall";
import { kindsOf, untried } from "./standing";
import css from "./Trust.module.css";
import { Untried } from "./Untried";

/** What it may do alone, what it still asks about, and the record behind it. */
export function TrustScreen(): ReactNode {
  return (
    <Page>
      <ScreenTitle title={w.title} />
      <div className={css.screen}>
        <Overall />
        <Kinds />
      </div>
    </Page>
  );
}

function Kinds(): ReactNode {
  const { project = "" } = useSearch({ from: "/app/trust" });
  const navigate = useNavigate({ from: "/app/trust" });
  const nameOf = useProjectNames();
  const view = useQuery(trustView());
  const actions = useQuery(catalogue());
  const error = view.error ?? actions.error;
  if (error && !(view.data && actions.data)) return <ErrorState error={error} onRetry={() => void Promise.all([view.refetch(), actions.refetch()])} />;
  if (!view.data || !actions.data) return <Skeleton lines={8} />;

  const { records, overrides } = view.data;
  const projects = [...new Set(records.map((record) => record.project))].filter(Boolean).sort();
  const kinds = kindsOf(project ? records.filter((record) => record.project === project) : records, actions.data);
  return (
    <>
      {records.length > 0 && (
        <div className={css.bar}>
          <Select
            label={w.project}
            value={project}
            options={[{ key: "", words: w.everywhere }, ...projects.map((name) => ({ key: name, words: nameOf(name) }))]}
            onChange={(name) => void navigate({ search: { project: name || undefined }, replace: true })}
          />
          <Legend />
        </div>
      )}
      {kinds.length === 0 && <Nothing />}
      {kinds.map((kind) => (
        <KindCard key={kind.intent} kind={kind} overrides={overrides} />
      ))}
      <Untried {...untried(records, actions.data)} overrides={overrides} />
    </>
  );
}

function Nothing(): ReactNode {
  return (
    <Empty
      icon={<ShieldCheck aria-hidden />}
      title={w.empty.title}
      action={
        <Link to="/" className={buttonClass()}>
          {w.empty.action}
        </Link>
      }
    >
      {w.empty.words}
    </Empty>
  );
}
