import { useQuery } from "@tanstack/react-query";
import { CircleAlert, CircleCheck, CircleDashed, CircleX } from "lucide-react";
import { useState, type ReactNode } from "react";
import { credentials, useForgetCredential, useTestCredential, type Credential } from "@/api/credentials";
import { CredentialForm } from "@/components/credential/CredentialForm";
import { Badge, type Tone } from "@/components/ui/Badge";
import { Button } from "@/components/ui/Button";
import { Card } from "@/components/ui/Card";
import { Dialog } from "@/components/ui/Dialog";
import { Bone } from "@/components/ui/Skeleton";
import { ErrorState } from "@/components/ui/States";
import { Time } from "@/components/ui/Time";
import { Words } from "@/components/ui/Words";
import { toast } from "@/lib/toasts";
import { common } from "@words/common";
import { settings } from "@words/settings";
import { Notices } from "./Notices";
import css from "./Settings.module.css";

const w = settings.accounts;
const LOOKS: Record<Credential["state"], { tone: Tone; icon: ReactNode }> = {
  missing: { tone: "plain", icon: <CircleDashed aria-hidden /> },
  untested: { tone: "waiting", icon: <CircleAlert aria-hidden /> },
  works: { tone: "good", icon: <CircleCheck aria-hidden /> },
  refused: { tone: "wrong", icon: <CircleX aria-hidden /> },
};

/** Accounts elsewhere: how each stands, how to get what opens it, and entering, trying and forgetting that. */
export function AccountsPart(): ReactNode {
  const { data, error, refetch } = useQuery(credentials());
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <p className={css.lead}>{w.words}</p>
      <Notices notices={data?.notices ?? []} />
      {!data && [0, 1, 2, 3].map((at) => <Bone key={at} height={92} />)}
      {data?.credentials.map((account) => (
        <Account key={account.name} account={account} />
      ))}
    </>
  );
}

function Account({ account }: { account: Credential }): ReactNode {
  const [entering, setEntering] = useState(false);
  const [forgetting, setForgetting] = useState(false);
  const test = useTestCredential(account.name);
  const { title, state } = account;
  const tryIt = (): void =>
    test.mutate(undefined, {
      onSuccess: ({ credential }) =>
        credential.state === "works"
          ? toast(w.works(title), { tone: "good", hint: credential.words })
          : toast(w.refused(title), { tone: "wrong", hint: credential.words }),
      onError: (error) => toast(error.message, { tone: "wrong", hint: error.hint }),
    });
  return (
    <Card as="section" className={css.part} aria-labelledby={`account-${account.name}`} data-item tabIndex={-1}>
      <div className={css.partHead}>
        <div>
          <div className={css.accountHead}>
            <h2 id={`account-${account.name}`}>{title}</h2>
            <Badge {...LOOKS[state]}>{w.states[state]}</Badge>
          </div>
          <p className={css.soft}>{account.purpose}.</p>
        </div>
        <div className={css.side}>
          {account.set && (
            <Button busy={test.isPending} onClick={tryIt} aria-label={`${w.test} ${title}`}>
              {w.test}
            </Button>
          )}
          {!entering && (
            <Button aria-label={`${account.set ? w.change : w.connect} ${title}`} onClick={() => setEntering(true)}>
              {account.set ? w.change : w.connect}
            </Button>
          )}
          {account.source === "stored" && (
            <Button kind="quietDanger" aria-label={`${w.forget} ${title}`} onClick={() => setForgetting(true)}>
              {w.forget}
            </Button>
          )}
        </div>
      </div>
      {account.set && <Stands account={account} />}
      {entering && (
        <div className={css.form}>
          <CredentialForm name={account.name} then={w.goesOn} onDone={() => setEntering(false)} />
          <Button kind="ghost" onClick={() => setEntering(false)}>
            {common.cancel}
          </Button>
        </div>
      )}
      {forgetting && <Forget account={account} onClose={() => setForgetting(false)} />}
    </Card>
  );
}

function Stands({ account }: { account: Credential }): ReactNode {
  return (
    <div className={css.stands}>
      <p>
        <Words text={account.words} />
      </p>
      {account.tested && (
        <p className={css.soft}>
          {w.tested}: <Time at={account.tested} />
        </p>
      )}
      {account.source === "environment" && <p className={css.soft}>{w.fromEnvironment}</p>}
    </div>
  );
}

function Forget({ account, onClose }: { account: Credential; onClose: () => void }): ReactNode {
  const forget = useForgetCredential(account.name);
  const { title } = account;
  const go = (): void =>
    forget.mutate(undefined, {
      onSuccess: () => {
        toast(w.forgotten(title));
        onClose();
      },
      onError: (error) => toast(error.message, { tone: "wrong", hint: error.hint }),
    });
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={w.forgetTitle(title)}
      words={w.forgetWords(title)}
      foot={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="danger" busy={forget.isPending} onClick={go}>
            {w.forget}
          </Button>
        </>
      }
    />
  );
}
