/** The places of the panel, in the order of the menu. A new screen is one line here and one in `routes.tsx`. */
import { Globe, Hammer, History, Inbox, ListOrdered, ScrollText, Settings, ShieldCheck, type LucideIcon } from "lucide-react";
import type { LinkProps } from "@tanstack/react-router";
import { shell } from "@words/shell";

export interface Place {
  to: NonNullable<LinkProps["to"]>;
  words: string;
  icon: LucideIcon;
  /** On a phone: in the bar at the bottom, or behind "More". */
  bar: boolean;
  /** Shows how many things wait. */
  counts?: "waiting";
}

export const PLACES: readonly Place[] = [
  { to: "/", words: shell.nav.build, icon: Hammer, bar: true },
  { to: "/app/approvals", words: shell.nav.approvals, icon: Inbox, bar: true, counts: "waiting" },
  { to: "/app/timeline", words: shell.nav.timeline, icon: History, bar: true },
  { to: "/app/queue", words: shell.nav.queue, icon: ListOrdered, bar: false },
  { to: "/app/trust", words: shell.nav.trust, icon: ShieldCheck, bar: false },
  { to: "/app/deployments", words: shell.nav.deployments, icon: Globe, bar: false },
  { to: "/app/logs", words: shell.nav.logs, icon: ScrollText, bar: false },
  { to: "/app/settings", words: shell.nav.settings, icon: Settings, bar: false },
];
