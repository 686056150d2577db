import type { ReactNode } from "react";
import type { Deployment } from "@/api/model";
import { Badge, type Tone } from "@/components/ui/Badge";
import { Button } from "@/components/ui/Button";
import { Fold } from "@/components/ui/Fold";
import { Time } from "@/components/ui/Time";
import { Words } from "@/components/ui/Words";
import { duration, size } from "@/lib/format";
import { deployments as w } from "@words/deployments";
import css from "./Deployments.module.css";

const TONES: Record<string, Tone> = { live: "good", "brought back": "good", wrong: "wrong", failed: "wrong", refused: "wrong", unknown: "waiting" };

/** All that was put there, brought back and taken down, also what did not work. */
export function Happened({ events, onLog }: { events: Deployment[]; onLog: (id: string, what: string) => void }): ReactNode {
  if (events.length === 0) return null;
  return (
    <Fold words={w.events(events.length)}>
      <ul className={css.rows}>
        {events.map((event, at) => (
          <Row key={event.id ?? at} event={event} onLog={onLog} />
        ))}
      </ul>
    </Fold>
  );
}

function Row({ event, onLog }: { event: Deployment; onLog: (id: string, what: string) => void }): ReactNode {
  const outcome = event.outcome ?? (event.success ? "live" : "failed");
  const did = event.provider === "export" ? w.did.zip : w.did[outcome];
  const facts = [
    event.files && event.size !== undefined ? w.sent(event.files, size(event.size)) : "",
    event.seconds ? w.took(duration(event.seconds)) : "",
  ];
  return (
    <li className={css.event}>
      <div className={css.eventHead}>
        <Badge tone={TONES[outcome] ?? "plain"}>{did}</Badge>
        <span className={css.soft}>{facts.filter(Boolean).join(" · ")}</span>
        <span className={css.when}>{event.timestamp && <Time at={event.timestamp} />}</span>
        {event.id && (
          <Button size="small" kind="ghost" onClick={() => onLog(event.id ?? "", did ?? "")}>
            {w.log}
          </Button>
        )}
      </div>
      {event.note && (
        <p className={css.soft}>
          <Words text={event.note} />
        </p>
      )}
    </li>
  );
}
