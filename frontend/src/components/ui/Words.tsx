import type { ReactNode } from "react";
import { pieces, plain, visible } from "@/lib/text";
import css from "./Words.module.css";

/** A sentence of the service: names between backticks stand out, everything is text. */
export function Words({ text }: { text: string }): ReactNode {
  return pieces(text).map(({ text: piece, code }, index) =>
    code ? (
      <code key={index} className={css.code}>
        <bdi>{visible(piece)}</bdi>
      </code>
    ) : (
      <bdi key={index}>{plain(piece)}</bdi>
    ),
  );
}
