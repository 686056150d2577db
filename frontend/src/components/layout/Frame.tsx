import type { ReactNode } from "react";
import { shell } from "@words/shell";
import css from "./Shell.module.css";

interface FrameProps {
  rail: ReactNode;
  top: ReactNode;
  banner?: ReactNode;
  bar: ReactNode;
  children: ReactNode;
}

/** Where things stand on every screen: the menu at the side, or below on a phone; a bar at the top; the work in the middle. */
export function Frame({ rail, top, banner, bar, children }: FrameProps): ReactNode {
  return (
    <>
      <a className={css.skip} href="#content">
        {shell.skip}
      </a>
      <div className={css.shell}>
        <nav className={css.rail} aria-label={shell.main}>
          {rail}
        </nav>
        <div className={css.work}>
          <header>
            <div className={css.top}>{top}</div>
            {banner}
          </header>
          <main id="content" className={css.main} tabIndex={-1}>
            {children}
          </main>
        </div>
        <nav className={css.bar} aria-label={shell.main}>
          {bar}
        </nav>
      </div>
    </>
  );
}

export function Brand({ children }: { children: ReactNode }): ReactNode {
  return (
    <>
      <img src="/favicon.svg" alt="" className={css.mark} />
      <span>{children}</span>
    </>
  );
}
