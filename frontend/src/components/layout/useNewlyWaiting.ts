import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { queries } from "@/api/queries";
import { announce } from "@/lib/announce";
import { badge, notify } from "@/lib/notifications";
import { shell } from "@words/shell";

/** Says at once when a decision comes up: aloud, by the badge and, if it was asked for, by a notification. */
export function useNewlyWaiting(): void {
  const { data: waiting } = useQuery(queries.waiting());
  const navigate = useNavigate();
  const known = useRef<Set<string> | null>(null);
  useEffect(() => {
    if (!waiting) return;
    const fresh = waiting.filter((task) => known.current !== null && !known.current.has(task.id));
    for (const { id, title, project } of fresh) {
      announce(shell.nowWaiting(title), "urgent");
      const onClick = (): void => void navigate({ to: "/app/approvals", search: { task: id } });
      notify({ tag: id, title: shell.needsYou, words: shell.waitingIn(title.replaceAll("`", ""), project), onClick });
    }
    known.current = new Set(waiting.map((task) => task.id));
    badge(waiting.length);
  }, [waiting, navigate]);
}
