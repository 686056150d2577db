import { useState, type ReactNode, type SubmitEvent } from "react";
import { asOrigin, isService, rememberOrigin } from "@/api/address";
import { readToken } from "@/api/token";
import { Button } from "@/components/ui/Button";
import { Input } from "@/components/ui/Field";
import { signin } from "@words/signin";
import css from "./SignIn.module.css";

const w = signin.address;

/** Asked once, on a host that is not the service. */
export function AddressForm({ onFound }: { onFound: () => void }): ReactNode {
  const [value, setValue] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);

  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const origin = asOrigin(value);
    if (!origin) {
      setError(w.bad);
      return;
    }
    setBusy(true);
    const there = await isService(origin);
    setBusy(false);
    if (!there) {
      setError(isMixed(origin) ? w.mixed : w.nobody(origin));
      return;
    }
    rememberOrigin(origin);
    readToken();
    onFound();
  };

  return (
    <form className={css.form} onSubmit={submit} noValidate>
      <h2>{w.title}</h2>
      <p>{w.words}</p>
      <Input
        label={w.label}
        error={error}
        type="url"
        inputMode="url"
        placeholder={w.example}
        value={value}
        onChange={(event) => {
          setValue(event.target.value);
          setError(null);
        }}
      />
      <Button type="submit" kind="primary" busy={busy}>
        {w.submit}
      </Button>
    </form>
  );
}

function isMixed(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  return window.location.protocol === "https:" && protocol === "http:" && !/^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);
}
