import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { queries } from "@/api/queries";
import { announce } from "@/lib/announce";
import { badge, notify, onNotificationClick, withdraw } from "@/lib/notifications";
import { shell } from "@words/shell";

/** Says at once when a decision comes up: aloud, by the badge and, if it was asked for, by a notification. */
export function useNewlyWaiting(): void {
  const { data: waiting } = useQuery(queries.waiting());
  const navigate = useNavigate();
  const known = useRef<Set<string> | null>(null);
  useEffect(
    () => onNotificationClick((task) => void navigate({ to: "/app/approvals", search: { task: task || undefined } })),
    [navigate],
  );
  useEffect(() => {
    if (!waiting) return;
    const fresh = waiting.filter((task) => known.current !== null && !known.current.has(task.id));
    const [first] = fresh;
    // Only the last of several would be heard.
    if (first) announce(fresh.length === 1 ? shell.nowWaiting(first.title) : shell.waiting(fresh.length), "urgent");
    for (const { id, title, project } of fresh) {
      const onClick = (): void => void navigate({ to: "/app/approvals", search: { task: id } });
      void notify({ task: id, title: shell.needsYou, words: shell.waitingIn(title.replaceAll("`", ""), project), onClick });
    }
    const left = new Set(waiting.map((task) => task.id));
    for (const id of known.current ?? []) if (!left.has(id)) void withdraw(id);
    known.current = left;
    badge(waiting.length);
  }, [waiting, navigate]);
}
