import { useEffect, useEffectEvent, useRef, type ReactNode } from "react";
import { showEditor } from "./codemirror";
import css from "./Diff.module.css";

interface CodeEditorProps {
  path: string;
  label: string;
  text: string;
  onChange: (text: string) => void;
  onSave: () => void;
}

/** Begins again when `text` is another one than what is typed in it. */
export default function CodeEditor({ path, label, text, onChange, onSave }: CodeEditorProps): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const typed = useRef<string | null>(null);
  const changed = useEffectEvent((next: string) => {
    typed.current = next;
    onChange(next);
  });
  const save = useEffectEvent(onSave);
  const shown = useRef<(() => void) | null>(null);
  useEffect(() => {
    const parent = place.current;
    if (!parent || (shown.current && typed.current === text)) return;
    shown.current?.();
    typed.current = text;
    shown.current = showEditor({ parent, path, label, text, onChange: (next) => changed(next), onSave: () => save() });
  }, [path, label, text]);
  useEffect(
    () => () => {
      shown.current?.();
      shown.current = null;
    },
    [],
  );
  return <div ref={place} className={`${css.editor ?? ""} ${css.tall ?? ""}`} />;
}
