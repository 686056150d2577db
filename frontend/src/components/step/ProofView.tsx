import { Check as Tick, X } from "lucide-react";
import type { ReactNode } from "react";
import type { Check, Exchange, Proof, TestCase } from "@/api/model";
import { Fold } from "@/components/ui/Fold";
import { Words } from "@/components/ui/Words";
import { cx } from "@/lib/cx";
import { printed } from "@/lib/text";
import { step as w } from "@words/step";
import css from "./Step.module.css";

const Mark = ({ ok }: { ok: boolean }): ReactNode => (ok ? <Tick aria-hidden /> : <X aria-hidden />);

/** What was tried out from outside, with the real requests and answers; `brief` where the summary stands above already. */
export function ProofView({ proof, brief = false }: { proof: Proof; brief?: boolean }): ReactNode {
  return (
    <div className={css.section}>
      {!brief && (
        <p>
          <Words text={proof.words} />
        </p>
      )}
      {proof.trouble && <p className={css.why}>{printed(proof.trouble)}</p>}
      <ul className={css.rows}>
        {proof.checks?.map((check) => (
          <CheckRow key={check.id} check={check} />
        ))}
      </ul>
      {proof.tests?.cases && <Tests cases={proof.tests.cases} />}
      {proof.variants && proof.variants.length > 0 && (
        <Fold words={w.variants}>
          <ul className={css.rows}>
            {proof.variants.map((variant, at) => (
              <li key={at} className={cx(css.row, variant.caught ? css.ok : css.bad)}>
                <Mark ok={variant.caught} />
                <span>
                  <Words text={variant.words} /> <span className={css.soft}>{variant.caught ? w.caught(variant.by) : w.notCaught}</span>
                </span>
              </li>
            ))}
          </ul>
        </Fold>
      )}
    </div>
  );
}

function CheckRow({ check }: { check: Check }): ReactNode {
  const { exchanges } = check;
  const words = (
    <span className={cx(css.check, check.ok ? css.ok : css.bad)}>
      <Mark ok={check.ok} />
      <span>
        <Words text={check.words} />
      </span>
      {exchanges.length > 0 && <span className={css.soft}>{w.exchanges(exchanges.length)}</span>}
    </span>
  );
  return (
    <li>
      {exchanges.length === 0 ? (
        <div className={css.row}>{words}</div>
      ) : (
        <Fold wide words={words}>
          <div className={css.exchanges}>
            {check.seen_failing && <p className={css.soft}>{w.seenFailing}</p>}
            {exchanges.map((exchange, at) => (
              <ExchangeBox key={at} exchange={exchange} />
            ))}
          </div>
        </Fold>
      )}
      {check.why && (
        <p className={css.why}>
          <Words text={check.why} />
        </p>
      )}
    </li>
  );
}

function ExchangeBox({ exchange }: { exchange: Exchange }): ReactNode {
  return (
    <div className={css.exchange}>
      <span>{w.asked}</span>
      <code>{printed(exchange.asked)}</code>
      {exchange.sent && (
        <>
          <span>{w.sent}</span>
          <pre>{printed(exchange.sent)}</pre>
        </>
      )}
      <span>{w.answered(exchange.status)}</span>
      <pre>{printed(exchange.answered)}</pre>
    </div>
  );
}

const GOOD = new Set(["passed", "skipped"]);

export function Tests({ cases }: { cases: TestCase[] }): ReactNode {
  const failed = cases.filter((one) => !GOOD.has(one.outcome));
  const passed = cases.length - failed.length;
  const words = [w.ownTests, failed.length > 0 && w.failedTests(failed.length), w.passed(passed)].filter(Boolean).join(" · ");
  return (
    <Fold words={words} open={failed.length > 0}>
      <ul className={css.rows}>
        {[...failed, ...cases.filter((one) => GOOD.has(one.outcome))].map((one, at) => (
          <li key={at}>
            <div className={cx(css.row, GOOD.has(one.outcome) ? css.ok : css.bad)}>
              <Mark ok={GOOD.has(one.outcome)} />
              <code>{one.name}</code>
            </div>
            {one.message && <p className={css.why}>{printed(one.message)}</p>}
          </li>
        ))}
      </ul>
    </Fold>
  );
}
