import { useState, type ReactNode, type SubmitEvent } from "react";
import { ApiError } from "@/api/error";
import { redeem, trySignIn } from "@/api/session";
import { codeIn } from "@/api/token";
import { CopyButton } from "@/components/Technical";
import { Button } from "@/components/ui/Button";
import { Input } from "@/components/ui/Field";
import { signin } from "@words/signin";
import css from "./SignIn.module.css";

export function TokenForm({ onDone }: { onDone: () => void }): ReactNode {
  const [value, setValue] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);

  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const typed = value.trim();
    if (!typed) {
      setError(signin.missing);
      return;
    }
    setBusy(true);
    const code = typed.includes("#") ? codeIn(typed) : null;
    try {
      await (code ? redeem(code) : trySignIn(typed));
      onDone();
    } catch (failure) {
      const problem = ApiError.from(failure);
      setError(problem.unauthorized && !code ? `${signin.wrong}. ${signin.wrongHint}` : `${problem.message}. ${problem.hint}`);
      setBusy(false);
    }
  };

  return (
    <>
      <section className={css.easy}>
        <h2>{signin.byLink}</h2>
        <p>{signin.byLinkHint}</p>
        <div className={css.command}>
          <code>{signin.byLinkCommand}</code>
          <CopyButton text={signin.byLinkCommand} />
        </div>
      </section>
      <div className={css.line} />
      <form className={css.form} onSubmit={submit} noValidate>
        <h2>{signin.byToken}</h2>
        <Input
          label={signin.token}
          hideLabel
          hint={signin.tokenHint}
          error={error}
          type="password"
          autoComplete="off"
          spellCheck={false}
          placeholder={signin.token}
          value={value}
          onChange={(event) => {
            setValue(event.target.value);
            setError(null);
          }}
        />
        <Button type="submit" kind="primary" busy={busy}>
          {signin.submit}
        </Button>
      </form>
    </>
  );
}
