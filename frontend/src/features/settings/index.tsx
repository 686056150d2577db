import { Link, Outlet } from "@tanstack/react-router";
import { ChartColumn, KeyRound, MonitorCog, Server, ShieldCheck } from "lucide-react";
import type { ReactNode } from "react";
import { ScreenTitle } from "@/components/layout/Page";
import { settings as w } from "@words/settings";
import css from "./Settings.module.css";

const PARTS = [
  { to: "/app/settings", words: w.nav.panel, icon: MonitorCog },
  { to: "/app/settings/accounts", words: w.nav.accounts, icon: KeyRound },
  { to: "/app/settings/sandbox", words: w.nav.sandbox, icon: ShieldCheck },
  { to: "/app/settings/metrics", words: w.nav.metrics, icon: ChartColumn },
  { to: "/app/settings/service", words: w.nav.service, icon: Server },
] as const;

/** Everything that is set rather than made, a part at a time. */
export function SettingsScreen(): ReactNode {
  return (
    <div className={css.screen}>
      <ScreenTitle title={w.title} />
      <nav className={css.parts} aria-label={w.parts}>
        {PARTS.map(({ to, words, icon: Icon }) => (
          <Link key={to} to={to} className={css.partLink} activeOptions={{ exact: true }}>
            <Icon aria-hidden />
            {words}
          </Link>
        ))}
      </nav>
      <div className={css.body}>
        <Outlet />
      </div>
    </div>
  );
}
