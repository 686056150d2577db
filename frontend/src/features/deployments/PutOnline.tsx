import { useQuery } from "@tanstack/react-query";
import { RadioGroup } from "radix-ui";
import { useState, type ReactNode } from "react";
import type { Command } from "@/api/actions";
import { credentials, type Credential } from "@/api/credentials";
import type { Project } from "@/api/model";
import { Button } from "@/components/ui/Button";
import { Dialog } from "@/components/ui/Dialog";
import { cx } from "@/lib/cx";
import { common } from "@words/common";
import { deployments as w } from "@words/deployments";
import css from "./Deployments.module.css";

const CHOICES = ["auto", "vercel", "netlify", "render", "demo", "export"] as const;
type Choice = (typeof CHOICES)[number];

interface PutOnlineProps {
  project: Pick<Project, "name" | "title">;
  onClose: () => void;
  onPublish: (command: Command) => void;
}

/** Where it shall go. What that means is on the card that comes next. */
export function PutOnline({ project, onClose, onPublish }: PutOnlineProps): ReactNode {
  const [choice, setChoice] = useState<Choice>("auto");
  const { data } = useQuery(credentials());
  const send = (): void => {
    onClose();
    onPublish({ intent: "deploy_app", project: project.name, params: { provider: choice } });
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={w.putTitle(project.title)}
      words={w.putWords}
      foot={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" onClick={send}>
            {choice === "export" ? w.goZip : w.go}
          </Button>
        </>
      }
    >
      <RadioGroup.Root className={css.choices ?? ""} aria-label={w.where} value={choice} onValueChange={(next) => setChoice(next as Choice)}>
        {CHOICES.map((key) => (
          <RadioGroup.Item key={key} value={key} className={css.choice ?? ""}>
            <span className={css.radio} aria-hidden />
            <span>
              <b>{w.choices[key].words}</b>
              <span className={css.soft}>{w.choices[key].hint}</span>
            </span>
            <Connected account={data?.credentials.find((one) => one.name === key)} />
          </RadioGroup.Item>
        ))}
      </RadioGroup.Root>
    </Dialog>
  );
}

function Connected({ account }: { account: Credential | undefined }): ReactNode {
  if (!account) return null;
  const refused = account.state === "refused";
  const words = refused ? w.refused : account.set ? w.connected(account.who) : w.notConnected;
  return <span className={cx(css.connected, refused ? css.wrong : account.set && css.good)}>{words}</span>;
}
