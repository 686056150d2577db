import { useState, type ReactNode } from "react";
import { plain } from "@/lib/text";
import { common } from "@words/common";
import css from "./Said.module.css";

/** So much is always shown in full. */
const LONG = 400;

/** What a person asked for. A long text shows its beginning, so that what came of it stays in view. */
export function Said({ words }: { words: string }): ReactNode {
  const [whole, setWhole] = useState(words.length <= LONG);
  return (
    <div className={css.said}>
      <p>
        <span className="sr-only">{common.you}: </span>
        <bdi>{plain(whole ? words : `${words.slice(0, LONG).replace(/\s+\S*$/, "")}…`)}</bdi>
      </p>
      {!whole && (
        <button type="button" className={css.more} onClick={() => setWhole(true)}>
          {common.showMore}
        </button>
      )}
    </div>
  );
}
