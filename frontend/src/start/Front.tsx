/** What is on screen while the panel itself is still on its way: the frame, and on the home screen the box, ready for words. */
import { useState, type ReactNode } from "react";
import { Brand, Frame } from "@/components/layout/Frame";
import { PLACES } from "@/components/layout/nav";
import layout from "@/components/layout/Shell.module.css";
import { Skeleton } from "@/components/ui/Skeleton";
import { Ask } from "@/features/home/Ask";
import css from "@/features/home/Home.module.css";
import { early } from "@/lib/draft";
import { useIsWide } from "@/lib/media";
import { common } from "@words/common";
import { shell } from "@words/shell";

export function Front(): ReactNode {
  const { pathname, search } = window.location;
  const wide = useIsWide();
  const places = PLACES.filter((place) => wide || place.bar).map(({ to, words, icon: Icon }) => (
    <a key={to} href={to} className={wide ? layout.item : layout.place} data-status={to === pathname ? "active" : undefined}>
      <Icon aria-hidden />
      <span>{words}</span>
    </a>
  ));
  return (
    <Frame
      rail={
        wide && (
          <>
            <a href="/" className={layout.brand}>
              <Brand>{common.product}</Brand>
            </a>
            {places}
          </>
        )
      }
      top={
        <div className={layout.title}>
          <h1>{PLACES.find(({ to }) => to === pathname)?.words}</h1>
        </div>
      }
      bar={!wide && places}
    >
      {pathname === "/" && search === "" ? <Home /> : <Waiting />}
    </Frame>
  );
}

function Home(): ReactNode {
  const [sent, setSent] = useState(false);
  const send = (): void => {
    early.sent = true;
    setSent(true);
  };
  return (
    <div className={css.home}>
      <section className={css.ask}>
        <Ask handsOver onSend={send} busy={sent} examples={!sent} />
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
