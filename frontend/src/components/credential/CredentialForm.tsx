import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { credentials, useSetCredential, type Credential } from "@/api/credentials";
import { ApiError } from "@/api/error";
import { Button } from "@/components/ui/Button";
import { Input } from "@/components/ui/Field";
import { Skeleton } from "@/components/ui/Skeleton";
import { ErrorState } from "@/components/ui/States";
import { Words } from "@/components/ui/Words";
import { sentence } from "@/lib/text";
import { toast } from "@/lib/toasts";
import { credential as w } from "@words/credential";
import css from "./Credential.module.css";
import { Linked } from "./Linked";

interface CredentialFormProps {
  /** The account's name, such as `vercel`. */
  name: string;
  onDone?: (() => void) | undefined;
  /** What comes of it, said when it is connected. */
  then?: string | undefined;
}

/** Connecting one account: how to get what opens it, step by step, and the fields for it. */
export function CredentialForm({ name, onDone, then }: CredentialFormProps): ReactNode {
  const { data, error, refetch } = useQuery(credentials());
  if (error) return <ErrorState inline error={error} onRetry={() => void refetch()} />;
  const account = data?.credentials.find((one) => one.name === name);
  if (!account) return <Skeleton lines={4} />;
  return <Account account={account} onDone={onDone} then={then} />;
}

function Account({ account, onDone, then }: { account: Credential; onDone: CredentialFormProps["onDone"]; then: string | undefined }): ReactNode {
  const [values, setValues] = useState<Record<string, string>>({});
  const [tried, setTried] = useState(false);
  const save = useSetCredential(account.name);
  const given = Object.fromEntries(account.fields.map(({ name, value }) => [name, (values[name] ?? value ?? "").trim()]));
  const isMissing = (name: string): boolean => !given[name];
  const problems = problemsIn(save.error);

  const submit = async (): Promise<void> => {
    setTried(true);
    if (account.fields.some((field) => field.required && isMissing(field.name))) return;
    try {
      await save.mutateAsync(Object.fromEntries(Object.entries(given).filter(([, value]) => value)));
    } catch {
      return; // it is said below the fields
    }
    setValues({});
    save.reset();
    setTried(false);
    toast(w.connected(account.title), { tone: "good", hint: then });
    onDone?.();
  };

  return (
    <form
      className={css.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <div>
        <h4 className={css.heading}>{w.guide}</h4>
        <ol className={css.guide}>
          {account.guide.map((step) => (
            <li key={step}>
              <Linked text={step} />
            </li>
          ))}
        </ol>
      </div>
      {account.fields.map((field) => (
        <Input
          key={field.name}
          label={field.required ? field.label : w.optional(field.label)}
          hint={field.hint}
          error={problems[field.name] ?? (tried && field.required && isMissing(field.name) ? w.missing : null)}
          type={field.secret ? "password" : "text"}
          autoComplete="off"
          spellCheck={false}
          autoCapitalize="none"
          value={values[field.name] ?? field.value ?? ""}
          onChange={(event) => setValues({ ...values, [field.name]: event.target.value })}
        />
      ))}
      {save.error && Object.keys(problems).length === 0 && (
        <p className={css.wrong} role="alert">
          <Words text={save.error.message} />. <Words text={save.error.hint} />
        </p>
      )}
      <div className={css.foot}>
        <p>{w.stays}</p>
        <Button type="submit" kind="primary" busy={save.isPending}>
          {w.connect(account.title)}
        </Button>
      </div>
    </form>
  );
}

/** What the service says about single fields. */
function problemsIn(error: unknown): Record<string, string> {
  if (!error) return {};
  const { fields } = ApiError.from(error).details;
  if (!Array.isArray(fields)) return {};
  const told = fields as { field?: string; problem?: string }[];
  return Object.fromEntries(told.flatMap(({ field, problem }) => (field && problem ? [[field, sentence(problem)]] : [])));
}
