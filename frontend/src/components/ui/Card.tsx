import type { HTMLAttributes, ReactNode } from "react";
import { cx } from "@/lib/cx";
import css from "./Card.module.css";

interface CardProps extends HTMLAttributes<HTMLElement> {
  as?: "div" | "section" | "article" | "li";
  padded?: boolean;
}

export function Card({ as: Tag = "div", padded = true, className, ...rest }: CardProps): ReactNode {
  return <Tag {...rest} className={cx(css.card, padded && css.padded, className)} />;
}
