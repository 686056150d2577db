import type { ReactNode } from "react";
import { calledOf, type ActionShape } from "@/api/catalogue";
import { Fold } from "@/components/ui/Fold";
import { Words } from "@/components/ui/Words";
import { trust as w } from "@words/trust";
import { Choice } from "./Choice";
import { ownWord, type Overrides } from "./standing";
import css from "./Trust.module.css";

interface UntriedProps {
  asks: ActionShape[];
  looks: ActionShape[];
  overrides: Overrides;
}

/** The kinds without a record: those that will ask at first, and those that never have to. */
export function Untried({ asks, looks, overrides }: UntriedProps): ReactNode {
  return (
    <div className={css.untried}>
      {asks.length > 0 && (
        <Fold words={w.untried(asks.length)}>
          <ul className={css.plain}>
            {asks.map((action) => (
              <li key={action.name}>
                <span>
                  <Words text={calledOf(action)} />
                </span>
                <Choice intent={action.name} title={calledOf(action)} project={null} own={ownWord(overrides, action.name, "")} />
              </li>
            ))}
          </ul>
        </Fold>
      )}
      {looks.length > 0 && (
        <Fold words={w.looks(looks.length)}>
          <ul className={css.plain}>
            {looks.map((action) => (
              <li key={action.name}>
                <Words text={calledOf(action)} />
              </li>
            ))}
          </ul>
        </Fold>
      )}
    </div>
  );
}
