import { createPortal } from "react-dom";
import { createContext, use, useEffect, type ReactNode } from "react";
import { useWaiting } from "@/api/waiting";
import { visible } from "@/lib/text";
import { shell } from "@words/shell";
import { common } from "@words/common";
import css from "./Shell.module.css";

/** Where a screen's title stands: the bar at the top, which the shell owns. */
export const TitlePlace = createContext<HTMLElement | null>(null);

/** A screen's name in the top bar and in the tab of the browser, with what belongs beside it. */
export function ScreenTitle({ title, children }: { title: string; children?: ReactNode }): ReactNode {
  const place = use(TitlePlace);
  const words = visible(title.replaceAll("`", ""));
  const waiting = useWaiting().length;
  useEffect(() => {
    const named = words === "" || words === common.product ? common.product : `${words} · ${common.product}`;
    document.title = waiting > 0 ? shell.waitingTitle(waiting, named) : named;
  }, [words, waiting]);
  if (!place) return null;
  return createPortal(
    <>
      <h1>
        <bdi>{words}</bdi>
      </h1>
      {children}
    </>,
    place,
  );
}

/** The column in the middle that most screens are. */
export function Page({ children }: { children: ReactNode }): ReactNode {
  return <div className={css.page}>{children}</div>;
}
