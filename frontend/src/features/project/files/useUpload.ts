import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { saveFile } from "@/api/actions";
import { byHand } from "@/api/byHand";
import { ApiError } from "@/api/error";
import { queries } from "@/api/queries";
import { size } from "@/lib/format";
import { toast } from "@/lib/toasts";
import { files as w } from "@words/files";
import { project as pw } from "@words/project";

export interface Uploading {
  at: number;
  of: number;
}

/** Puts files into a project, one after the other; what is too large is said before it is sent. */
export function useUpload(project: string, onAsked: () => void): { upload: (chosen: File[]) => void; uploading: Uploading | null } {
  const client = useQueryClient();
  const { data } = useQuery(queries.settings());
  const [uploading, setUploading] = useState<Uploading | null>(null);
  const limits = [data?.settings.max_upload_bytes, data?.settings.max_file_bytes];
  const most = Math.min(...limits.map((limit) => Number(limit ?? Infinity)));

  const send = async (chosen: File[]): Promise<void> => {
    let done = 0;
    let asked = false;
    for (const [at, file] of chosen.entries()) {
      if (file.size > most) {
        toast(w.tooLarge(file.name, size(file.size), size(most)), { tone: "wrong", hint: w.tooLargeHint });
        continue;
      }
      setUploading({ at: at + 1, of: chosen.length });
      try {
        const reply = await byHand(await saveFile(project, file.name, file), { paths: [file.name], overwrites: false });
        if (reply.confirmationNeeded) asked = true;
        else done += 1;
      } catch (error) {
        const { message, hint } = ApiError.from(error);
        toast(message, { tone: "wrong", hint });
      }
    }
    setUploading(null);
    if (asked) toast(w.asked, { act: { words: pw.look, run: onAsked } });
    if (done > 0) toast(w.uploaded(done), { tone: "good" });
    await client.invalidateQueries({ queryKey: ["files", project] });
  };

  return { upload: (chosen) => void send(chosen), uploading };
}
