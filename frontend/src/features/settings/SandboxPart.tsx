import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { CircleCheck, CircleDashed, CircleX, ShieldAlert, ShieldCheck } from "lucide-react";
import type { ReactNode } from "react";
import { answered, api } from "@/api/client";
import type { Health, Sandbox } from "@/api/model";
import { queries } from "@/api/queries";
import { Button } from "@/components/ui/Button";
import { Card } from "@/components/ui/Card";
import { Fold } from "@/components/ui/Fold";
import { Bone } from "@/components/ui/Skeleton";
import { ErrorState } from "@/components/ui/States";
import { Words } from "@/components/ui/Words";
import { cx } from "@/lib/cx";
import { duration } from "@/lib/format";
import { sentence } from "@/lib/text";
import { toast } from "@/lib/toasts";
import { settings } from "@words/settings";
import css from "./Settings.module.css";

const w = settings.sandbox;
type Test = Sandbox["tests"][number];

/** The wall that untrusted code runs behind, and a test of it. */
export function SandboxPart(): ReactNode {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(queries.health());
  const test = useMutation({
    mutationFn: () => answered(api().POST("/admin/selftest", {})),
    onSuccess: ({ sandbox, message }) => {
      client.setQueryData<Health>(queries.health().queryKey, (health) => health && { ...health, sandbox });
      toast(sandbox.ok ? w.held : w.broke, sandbox.ok ? { tone: "good" } : { tone: "wrong", hint: message });
    },
    onError: (problem) => toast(problem.message, { tone: "wrong" }),
  });
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data?.sandbox) return <Bone height={240} />;
  const { sandbox } = data;
  const level = w.levels[sandbox.ok ? (sandbox.level ?? "none") : "none"];
  const Icon = sandbox.ok ? ShieldCheck : ShieldAlert;
  return (
    <>
      <p className={css.lead}>{w.words}</p>
      <Card as="section" className={css.part}>
        <div className={css.partHead}>
          <div className={css.shield}>
            <Icon aria-hidden className={sandbox.ok ? css.good : css.wrong} />
            <div>
              <h2>{level?.words ?? sandbox.level}</h2>
              <p className={css.soft}>{level?.hint}</p>
            </div>
          </div>
          <div className={css.side}>
            <Button kind="primary" busy={test.isPending} onClick={() => test.mutate()}>
              {test.isPending ? w.testing : w.test}
            </Button>
          </div>
        </div>
        {!isHeld(sandbox) && <p>{sandbox.checked || sandbox.tests.length > 0 ? <Words text={sentence(sandbox.message)} /> : w.unchecked}</p>}
        <p className={css.soft}>{w.testHint}</p>
        {sandbox.tests.map((one) => (
          <Attacks key={one.sandbox} test={one} alone={sandbox.tests.length === 1} />
        ))}
      </Card>
    </>
  );
}

/** Whether the numbers below say all that there is to say. */
const isHeld = ({ ok, tests }: Sandbox): boolean => ok && tests.length > 0 && tests.every((test) => test.ok);

function Attacks({ test, alone }: { test: Test; alone: boolean }): ReactNode {
  const stopped = test.probes.filter((probe) => probe.stopped).length;
  const name = w.kinds[test.sandbox] ?? test.sandbox;
  const words = `${alone ? "" : `${name}: `}${w.stopped(stopped, test.probes.length)} · ${duration(test.seconds)}`;
  return (
    <Fold words={words} open={!test.ok}>
      <ul className={css.attacks} aria-label={w.attacks}>
        {test.probes.map((probe) => {
          const Icon = probe.stopped ? CircleCheck : probe.required ? CircleX : CircleDashed;
          return (
            <li key={probe.name}>
              <Icon aria-hidden className={cx(probe.stopped ? css.good : probe.required && css.wrong)} />
              <span>
                {sentence(probe.what).slice(0, -1)}
                {!probe.stopped && !probe.required && <span className={css.soft}> ({w.notPromised})</span>}
                {!probe.stopped && probe.detail && (
                  <span className={css.soft}>
                    {" "}
                    <Words text={probe.detail} />
                  </span>
                )}
              </span>
              <span className="sr-only">{probe.stopped ? w.wasStopped : w.wasNot}</span>
            </li>
          );
        })}
      </ul>
    </Fold>
  );
}
