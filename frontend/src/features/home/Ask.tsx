import { useLayoutEffect, useRef, type ReactNode } from "react";
import { Composer } from "@/components/composer/Composer";
import { draft, early } from "@/lib/draft";
import { useSignal } from "@/lib/signal";
import { home } from "@words/home";
import css from "./Home.module.css";

interface AskProps {
  onSend: () => void;
  busy: boolean;
  examples: boolean;
  /** Whether another one takes its place while somebody types. */
  handsOver?: boolean;
}

/** "What shall I build?", the box for the answer, and sentences to begin with. */
export function Ask({ onSend, busy, examples, handsOver = false }: AskProps): ReactNode {
  const goal = useSignal(draft);
  const box = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const field = box.current;
    // Typed before any script had arrived.
    if (handsOver && field?.value) draft.set(field.value);
    if (early.cursor) {
      field?.focus();
      field?.setSelectionRange(...early.cursor);
      early.cursor = null;
    }
    return () => {
      if (handsOver && field && field === document.activeElement) early.cursor = [field.selectionStart, field.selectionEnd];
    };
  }, [handsOver]);

  return (
    <>
      <h2>{home.ask}</h2>
      <p className={css.sub}>{home.sub}</p>
      <Composer
        large
        ref={box}
        label={home.box}
        placeholder={home.placeholder}
        send={home.send}
        value={goal}
        onChange={(words) => draft.set(words)}
        onSend={onSend}
        busy={busy}
      />
      {examples && (
        <div className={css.examples} role="group" aria-label={home.examplesLabel}>
          {home.examples.map(({ words, goal: example }) => (
            <button key={words} type="button" className={css.example} onClick={() => draft.set(example)}>
              {words}
            </button>
          ))}
        </div>
      )}
    </>
  );
}
