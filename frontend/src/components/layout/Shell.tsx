import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useLocation } from "@tanstack/react-router";
import { Folder, Menu as MenuIcon, Monitor, Moon, Sun } from "lucide-react";
import { useState, type ReactNode } from "react";
import { queries } from "@/api/queries";
import { signOut } from "@/api/token";
import { useWaiting } from "@/api/waiting";
import { Count } from "@/components/ui/Badge";
import { IconButton } from "@/components/ui/Button";
import { Menu, MenuChoice, MenuItem, MenuLine } from "@/components/ui/Menu";
import { useItemKeys } from "@/lib/items";
import { useSignal } from "@/lib/signal";
import { setTheme, theme } from "@/lib/theme";
import { visible } from "@/lib/text";
import { common } from "@words/common";
import { shell } from "@words/shell";
import { AutonomySwitch } from "./AutonomySwitch";
import { Brand, Frame } from "./Frame";
import { Help } from "./Help";
import { LinkState, OfflineBanner } from "./LinkState";
import { PLACES, type Place } from "./nav";
import { TitlePlace } from "./Page";
import css from "./Shell.module.css";
import { useNewlyWaiting } from "./useNewlyWaiting";

const THEMES = ["system", "light", "dark"] as const;
const THEME_ICONS = { system: Monitor, light: Sun, dark: Moon };

/** What stands round every screen: menu, title, autonomy, connection. */
export function Shell(): ReactNode {
  const [place, setPlace] = useState<HTMLElement | null>(null);
  useItemKeys();
  useNewlyWaiting();
  return (
    <TitlePlace value={place}>
      <Frame
        rail={<Rail />}
        top={
          <>
            <div className={css.title} ref={setPlace} />
            <AutonomySwitch />
            <LinkState />
          </>
        }
        banner={<OfflineBanner />}
        bar={<Bar />}
      >
        <Outlet />
      </Frame>
      <Help />
    </TitlePlace>
  );
}

function Rail(): ReactNode {
  const projects = useQuery(queries.projects());
  return (
    <>
      <Link to="/" className={css.brand}>
        <Brand>{common.product}</Brand>
      </Link>
      {PLACES.map((place) => (
        <RailItem key={place.to} place={place} />
      ))}
      {projects.data?.length !== 0 && <h2 className={css.heading}>{shell.projects}</h2>}
      <div className={css.projects}>
        {projects.data?.map(({ name, title }) => (
          <Link key={name} to="/app/projects/$project" params={{ project: name }} className={css.item}>
            <Folder aria-hidden />
            <span>
              <bdi>{visible(title)}</bdi>
            </span>
          </Link>
        ))}
      </div>
      <div className={css.foot}>
        <LookMenu />
      </div>
    </>
  );
}

function RailItem({ place }: { place: Place }): ReactNode {
  const waiting = useWaiting().length;
  const { icon: Icon } = place;
  return (
    <Link to={place.to} className={css.item} activeOptions={{ exact: place.to === "/", includeSearch: false }}>
      <Icon aria-hidden />
      <span>{place.words}</span>
      {place.counts === "waiting" && <Count value={waiting} words={shell.waiting(waiting)} />}
    </Link>
  );
}

function LookMenu(): ReactNode {
  const look = useSignal(theme);
  const Icon = THEME_ICONS[look];
  return (
    <Menu
      side="top"
      align="start"
      trigger={
        <IconButton label={shell.theme.label}>
          <Icon aria-hidden />
        </IconButton>
      }
    >
      <LookChoice />
      <MenuLine />
      <MenuItem onSelect={signOut}>{shell.signOut}</MenuItem>
    </Menu>
  );
}

function LookChoice(): ReactNode {
  const look = useSignal(theme);
  return (
    <MenuChoice
      label={shell.theme.label}
      value={look}
      options={THEMES.map((key) => ({ key, words: shell.theme[key] }))}
      onChange={setTheme}
    />
  );
}

/** The bottom bar of a phone: a few places, and everything else behind "More". */
function Bar(): ReactNode {
  const waiting = useWaiting().length;
  const { pathname } = useLocation();
  const behind = PLACES.some(({ bar, to }) => !bar && pathname.startsWith(to));
  return (
    <>
      {PLACES.filter((place) => place.bar).map(({ to, words, icon: Icon, counts }) => (
        <Link key={to} to={to} className={css.place} activeOptions={{ exact: to === "/", includeSearch: false }}>
          <Icon aria-hidden />
          <span>{words}</span>
          {counts === "waiting" && (
            <span className={css.count}>
              <Count value={waiting} words={shell.waiting(waiting)} />
            </span>
          )}
        </Link>
      ))}
      <Menu
        side="top"
        trigger={
          <button type="button" className={css.place} data-here={behind}>
            <MenuIcon aria-hidden />
            <span>{shell.nav.more}</span>
          </button>
        }
      >
        {PLACES.filter((place) => !place.bar).map(({ to, words, icon: Icon }) => (
          <MenuItem key={to} asChild>
            <Link to={to}>
              <Icon aria-hidden />
              {words}
            </Link>
          </MenuItem>
        ))}
        {PLACES.some((place) => !place.bar) && <MenuLine />}
        <LookChoice />
        <MenuLine />
        <MenuItem onSelect={signOut}>{shell.signOut}</MenuItem>
      </Menu>
    </>
  );
}
