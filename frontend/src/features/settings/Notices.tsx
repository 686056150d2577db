import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Words } from "@/components/ui/Words";
import { settings as w } from "@words/settings";
import css from "./Settings.module.css";

/** What the service wants the owner to know. */
export function Notices({ notices }: { notices: string[] }): ReactNode {
  if (notices.length === 0) return null;
  return (
    <ul className={css.notices} aria-label={w.service.notices}>
      {notices.map((notice) => (
        <li key={notice}>
          <TriangleAlert aria-hidden />
          <span>
            <Words text={notice} />
          </span>
        </li>
      ))}
    </ul>
  );
}
