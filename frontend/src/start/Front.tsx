/** What is on screen while the panel itself is still on its way: the frame, and on the home screen the box, ready for words. */
import { Menu } from "lucide-react";
import { useSyncExternalStore, type ReactNode } from "react";
import { Brand, Frame } from "@/components/layout/Frame";
import { PLACES, type Place } from "@/components/layout/nav";
import layout from "@/components/layout/Shell.module.css";
import { Skeleton } from "@/components/ui/Skeleton";
import { Ask } from "@/features/home/Ask";
import css from "@/features/home/Home.module.css";
import { early } from "@/lib/draft";
import { common } from "@words/common";
import { shell } from "@words/shell";

/** `path` is where in the panel the page is, with everything behind it. */
export function Front({ path }: { path: string }): ReactNode {
  const places = (className: string | undefined, of: readonly Place[]): ReactNode =>
    of.map(({ to, words, icon: Icon }) => (
      <a key={to} href={to} className={className} data-status={to === path ? "active" : undefined}>
        <Icon aria-hidden />
        <span>{words}</span>
      </a>
    ));
  return (
    <Frame
      rail={
        <>
          <a href="/" className={layout.brand}>
            <Brand>{common.product}</Brand>
          </a>
          {places(layout.item, PLACES)}
        </>
      }
      top={
        <div className={layout.title}>
          <h1>{PLACES.find(({ to }) => to === path)?.words}</h1>
        </div>
      }
      bar={
        <>
          {places(
            layout.place,
            PLACES.filter((place) => place.bar),
          )}
          <button type="button" className={layout.place} disabled>
            <Menu aria-hidden />
            <span>{shell.nav.more}</span>
          </button>
        </>
      }
    >
      {path === "/" ? <Home /> : <Waiting />}
    </Frame>
  );
}

function Home(): ReactNode {
  // The page itself shows the box as nobody has sent anything yet.
  const sent = useSyncExternalStore(early.sent.subscribe, early.sent.get, () => false);
  return (
    <div className={css.home}>
      <section className={css.ask}>
        <Ask handsOver onSend={() => early.sent.set(true)} busy={sent} examples={!sent} />
      </section>
    </div>
  );
}

function Waiting(): ReactNode {
  return (
    <div className={layout.page}>
      <Skeleton lines={5} />
    </div>
  );
}

/** The panel did not arrive. What was typed is still in the box when it does. */
export function NotLoaded(): ReactNode {
  return (
    <main className={layout.page} role="alert">
      <h1>{shell.notLoaded.title}</h1>
      <p>{shell.notLoaded.words}</p>
      <a href={window.location.href}>{shell.notLoaded.again}</a>
    </main>
  );
}
