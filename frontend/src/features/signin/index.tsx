/** The way in: by a one-time link, or by the token. On another host it first asks where the service is. */
import { LoaderCircle } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";
import { apiOrigin, forgetOrigin, isService } from "@/api/address";
import { ApiError } from "@/api/error";
import { redeem } from "@/api/session";
import { token } from "@/api/token";
import { Button } from "@/components/ui/Button";
import { Card } from "@/components/ui/Card";
import { ErrorState } from "@/components/ui/States";
import { common } from "@words/common";
import { signin } from "@words/signin";
import { AddressForm } from "./AddressForm";
import css from "./SignIn.module.css";
import { TokenForm } from "./TokenForm";

type Stage = "looking" | "address" | "gone" | "code" | "token";

interface SignInProps {
  /** The one-time code of the link that was opened. */
  code: string | null;
  onDone: () => void;
}

export function SignIn({ code, onDone }: SignInProps): ReactNode {
  const [stage, setStage] = useState<Stage>("looking");
  const [trouble, setTrouble] = useState<ApiError | null>(null);
  const [round, setRound] = useState(0);

  useEffect(() => {
    document.title = `${signin.title} · ${common.product}`;
    const away = new AbortController();
    const enter = async (): Promise<void> => {
      const there = await isService(apiOrigin(), away.signal);
      if (away.signal.aborted) return;
      if (!there) setStage(apiOrigin() === window.location.origin ? "address" : "gone");
      else if (!code) setStage("token");
      else await exchange(code);
    };
    const exchange = async (value: string): Promise<void> => {
      setStage("code");
      setTrouble(null);
      try {
        await once(value);
        onDone();
      } catch (error) {
        // A link that was opened before does no harm to somebody who is signed in.
        if (token.get()) onDone();
        setTrouble(ApiError.from(error));
        setStage("token");
      }
    };
    void enter();
    return () => away.abort();
  }, [code, onDone, round]);

  return (
    <main className={css.screen}>
      <div className={css.box}>
        <div className={css.head}>
          <img src="/favicon.svg" alt="" />
          <h1>{common.product}</h1>
          <p>{signin.welcome}</p>
        </div>
        {trouble && <ErrorState inline error={trouble} kept="" />}
        <Body stage={stage} onAgain={() => setRound(round + 1)} onDone={onDone} />
      </div>
    </main>
  );
}

/** React may run an effect twice; a code works once. */
const exchanges = new Map<string, Promise<void>>();

function once(code: string): Promise<void> {
  const begun = exchanges.get(code) ?? redeem(code);
  exchanges.set(code, begun);
  return begun;
}

function Body({ stage, onAgain, onDone }: { stage: Stage; onAgain: () => void; onDone: () => void }): ReactNode {
  if (stage === "looking" || stage === "code") {
    return (
      <p className={css.busy} role="status">
        <LoaderCircle aria-hidden /> {stage === "code" ? signin.signingIn : signin.looking}
      </p>
    );
  }
  if (stage === "address") {
    return (
      <Card className={css.card ?? ""}>
        <AddressForm onFound={onAgain} />
      </Card>
    );
  }
  const other = apiOrigin() !== window.location.origin && (
    <Button
      kind="ghost"
      size="small"
      className={css.other ?? ""}
      onClick={() => {
        forgetOrigin();
        onAgain();
      }}
    >
      {signin.address.change}
    </Button>
  );
  if (stage === "gone") {
    return (
      <>
        <ErrorState error={new ApiError(signin.gone, { code: "offline", hint: signin.goneHint })} kept="" onRetry={onAgain} />
        {other}
      </>
    );
  }
  return (
    <>
      <Card className={css.card ?? ""}>
        <TokenForm onDone={onDone} />
      </Card>
      {other}
    </>
  );
}
