import { Check, Copy } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";
import { announce } from "@/lib/announce";
import { printed } from "@/lib/text";
import { toast } from "@/lib/toasts";
import { common } from "@words/common";
import { IconButton } from "./ui/Button";
import { Fold } from "./ui/Fold";
import css from "./Technical.module.css";

const MOST = 200_000;

export function CopyButton({ text, label = common.copy }: { text: string; label?: string }): ReactNode {
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!done) return undefined;
    const timer = setTimeout(() => setDone(false), 1500);
    return () => clearTimeout(timer);
  }, [done]);
  const copy = async (): Promise<void> => {
    try {
      // A page from plain http, as on a phone in the same network, has no clipboard.
      await navigator.clipboard.writeText(text);
      setDone(true);
      announce(common.copied);
    } catch {
      toast(common.noCopy);
    }
  };
  return (
    <IconButton label={done ? common.copied : label} size="small" onClick={() => void copy()}>
      {done ? <Check aria-hidden /> : <Copy aria-hidden />}
    </IconButton>
  );
}

/** A box of text as a program wrote it, to read and to copy. */
export function Printed({ text, label }: { text: string; label: string }): ReactNode {
  const shown = printed(text.length > MOST ? `${text.slice(0, MOST)}\n${common.cutOff}` : text);
  return (
    <div className={css.box}>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard has to reach it */}
      <pre className={css.text} tabIndex={0} role="region" aria-label={label}>
        {shown}
      </pre>
      <div className={css.copy}>
        <CopyButton text={text} />
      </div>
    </div>
  );
}

/** Names, ids and JSON: one fold below the surface, copyable. */
export function Technical({ value, words = common.technical }: { value: unknown; words?: string }): ReactNode {
  return (
    <Fold words={words}>
      <Printed text={typeof value === "string" ? value : JSON.stringify(value, null, 2)} label={words} />
    </Fold>
  );
}
