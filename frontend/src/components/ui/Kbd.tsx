import type { ReactNode } from "react";
import css from "./Kbd.module.css";

export function Kbd({ children }: { children: ReactNode }): ReactNode {
  return <kbd className={css.key}>{children}</kbd>;
}
