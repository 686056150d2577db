import { CloudOff, LoaderCircle, Wifi } from "lucide-react";
import { useEffect, useRef, type ReactNode } from "react";
import { useLink } from "@/api/live";
import { Tooltip } from "@/components/ui/Tooltip";
import { announce } from "@/lib/announce";
import { cx } from "@/lib/cx";
import { shell } from "@words/shell";
import css from "./Shell.module.css";

/** Whether what is on screen is what is. */
export function LinkState(): ReactNode {
  const link = useLink();
  const was = useRef(link);
  useEffect(() => {
    if (was.current === "live" && link === "offline") announce(shell.wentOffline, "urgent");
    if (was.current === "offline" && link === "live") announce(shell.backOnline);
    if (link !== "connecting") was.current = link;
  }, [link]);
  const Icon = link === "live" ? Wifi : link === "connecting" ? LoaderCircle : CloudOff;
  return (
    <Tooltip words={shell.linkHint[link]}>
      <button type="button" className={cx(css.link, css[link])} data-link={link} aria-label={shell.link[link]}>
        <Icon aria-hidden />
        <span>{shell.link[link]}</span>
      </button>
    </Tooltip>
  );
}

export function OfflineBanner(): ReactNode {
  return useLink() === "offline" ? <p className={css.banner}>{shell.offlineBanner}</p> : null;
}
