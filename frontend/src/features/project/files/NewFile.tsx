import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { saveFile } from "@/api/actions";
import { byHand } from "@/api/byHand";
import { ApiError } from "@/api/error";
import { toast } from "@/lib/toasts";
import { files as w } from "@words/files";
import { project as pw } from "@words/project";
import { PathDialog } from "./PathDialog";

interface NewFileProps {
  project: string;
  onClose: () => void;
  onMade: (path: string) => void;
  onAsked: () => void;
}

export function NewFile({ project, onClose, onMade, onAsked }: NewFileProps): ReactNode {
  const client = useQueryClient();
  const [error, setError] = useState<string | null>(null);
  const make = async (path: string): Promise<void> => {
    try {
      const reply = await byHand(await saveFile(project, path, ""), { paths: [path], overwrites: false });
      await client.invalidateQueries({ queryKey: ["files", project] });
      onClose();
      if (reply.confirmationNeeded) toast(w.asked, { act: { words: pw.look, run: onAsked } });
      else onMade(path);
    } catch (failure) {
      const { message, hint } = ApiError.from(failure);
      setError(hint ? `${message}. ${hint}` : message);
    }
  };
  return <PathDialog title={w.newFile} submit={w.create} start="" error={error} onClose={onClose} onPath={make} onTyped={() => setError(null)} />;
}
