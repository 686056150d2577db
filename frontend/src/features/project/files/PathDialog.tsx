import { useState, type ReactNode } from "react";
import { Button } from "@/components/ui/Button";
import { Dialog } from "@/components/ui/Dialog";
import { Input } from "@/components/ui/Field";
import { common } from "@words/common";
import { files as w } from "@words/files";

interface PathDialogProps {
  title: string;
  submit: string;
  start: string;
  error: string | null;
  onClose: () => void;
  onTyped: () => void;
  onPath: (path: string) => Promise<void>;
}

/** Asks for the name of a file. */
export function PathDialog({ title, submit, start, error, onClose, onTyped, onPath }: PathDialogProps): ReactNode {
  const [path, setPath] = useState(start);
  const [busy, setBusy] = useState(false);
  const send = async (): Promise<void> => {
    if (!path.trim() || busy) return;
    setBusy(true);
    await onPath(path.trim());
    setBusy(false);
  };
  return (
    <Dialog
      open
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      title={title}
      foot={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" busy={busy} disabled={!path.trim()} onClick={send}>
            {submit}
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <Input
          label={w.path}
          placeholder={w.pathExample}
          maxLength={1000}
          value={path}
          error={error}
          onChange={(event) => {
            setPath(event.target.value);
            onTyped();
          }}
        />
      </form>
    </Dialog>
  );
}
