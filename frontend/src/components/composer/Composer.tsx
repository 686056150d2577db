import { ArrowUp, LoaderCircle } from "lucide-react";
import { useRef, type ReactNode, type RefObject } from "react";
import { cx } from "@/lib/cx";
import { useKey } from "@/lib/keys";
import { shell } from "@words/shell";
import css from "./Composer.module.css";

const LONGEST = 8000;

interface ComposerProps {
  label: string;
  placeholder: string;
  send: string;
  value: string;
  onChange: (value: string) => void;
  onSend: () => void;
  busy?: boolean;
  large?: boolean;
  /** The box itself, for who has to put the cursor into it. */
  ref?: RefObject<HTMLTextAreaElement | null>;
}

/** The box in which a person says what shall happen. Enter sends, Shift and Enter begins a line. */
export function Composer({ label, placeholder, send, value, onChange, onSend, busy = false, large = false, ref }: ComposerProps): ReactNode {
  const own = useRef<HTMLTextAreaElement>(null);
  const box = ref ?? own;
  useKey("/", shell.help.box, () => box.current?.focus());
  const ready = value.trim() !== "" && !busy;
  return (
    <form
      className={cx(css.box, large && css.large)}
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) onSend();
      }}
    >
      <textarea
        ref={box}
        className={css.input}
        aria-label={label}
        placeholder={placeholder}
        rows={large ? 2 : 1}
        maxLength={LONGEST}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          if (ready) onSend();
        }}
      />
      <button type="submit" className={css.send} disabled={!ready} aria-label={send} aria-busy={busy || undefined}>
        {large && <span aria-hidden>{send}</span>}
        {busy ? <LoaderCircle aria-hidden className={css.turning} /> : <ArrowUp aria-hidden />}
      </button>
    </form>
  );
}
