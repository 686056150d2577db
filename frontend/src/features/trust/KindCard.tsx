import type { ReactNode } from "react";
import { useProjectNames } from "@/api/projectNames";
import { Card } from "@/components/ui/Card";
import { Words } from "@/components/ui/Words";
import { trust as w } from "@words/trust";
import { Choice } from "./Choice";
import { Dots } from "./Dots";
import { Ladder } from "./Ladder";
import { ownWord, rungOf, type Kind, type Overrides, type OwnWord, type TrustRecord } from "./standing";
import css from "./Trust.module.css";

/** One kind of action, and how it stands in each project. */
export function KindCard({ kind, overrides }: { kind: Kind; overrides: Overrides }): ReactNode {
  const everywhere = ownWord(overrides, kind.intent, "");
  const several = new Set(kind.records.map((record) => record.project)).size > 1 || everywhere !== null;
  return (
    <Card as="section" padded={false} className={css.kind}>
      <h2>
        <Words text={kind.title} />
      </h2>
      <ul>
        {kind.records.map((record) => (
          <RecordRow key={record.scope} title={kind.title} record={record} own={ownWord(overrides, kind.intent, record.project)} />
        ))}
        {several && (
          <li className={css.all}>
            <span>{w.everyProject}</span>
            <Choice intent={kind.intent} title={kind.title} project={null} own={everywhere} />
          </li>
        )}
      </ul>
    </Card>
  );
}

function RecordRow({ title, record, own }: { title: string; record: TrustRecord; own: OwnWord | null }): ReactNode {
  const nameOf = useProjectNames();
  const here = own && !own.everywhere ? own : null;
  return (
    <li className={css.record} data-scope={record.scope}>
      <span className={css.where}>
        <bdi>{record.project ? nameOf(record.project) : w.anywhere}</bdi>
      </span>
      <Ladder rung={rungOf(record, own)} />
      <Dots outcomes={record.recent} />
      <span className={css.choice}>
        <Choice
          intent={record.intent}
          title={title}
          project={record.project || null}
          own={record.project ? here : own}
          follows={Boolean(record.project && own?.everywhere)}
          floor={record.code === "floor" ? record.reasons : []}
        />
      </span>
      <p className={css.rule}>
        <Rule record={record} own={own} />
      </p>
    </li>
  );
}

/** The rule in one sentence; what lies behind it stands one fold below. */
function Rule({ record, own }: { record: TrustRecord; own: OwnWord | null }): ReactNode {
  if (own) {
    const stays = own.verdict === "auto" && record.code === "floor" && !own.lifted;
    return [w.said[own.verdict], own.everywhere && w.saidEverywhere, stays && w.floorStays].filter(Boolean).join(" ");
  }
  if (record.state === "asks" && record.code === "not_earned" && record.runs_needed !== null) {
    return <span title={record.words.replaceAll("`", "")}>{w.runs(record.runs_needed)}</span>;
  }
  return <Words text={record.words} />;
}
