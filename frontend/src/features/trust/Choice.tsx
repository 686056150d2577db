import { useState, type ReactNode } from "react";
import { Button } from "@/components/ui/Button";
import { Dialog } from "@/components/ui/Dialog";
import { Select } from "@/components/ui/Select";
import { Words } from "@/components/ui/Words";
import { toast } from "@/lib/toasts";
import { visible } from "@/lib/text";
import { common } from "@words/common";
import { trust as w } from "@words/trust";
import { useOverride } from "./data";
import type { OwnWord, Verdict } from "./standing";

interface ChoiceProps {
  intent: string;
  title: string;
  /** Null for every project. */
  project: string | null;
  /** What is set for exactly this. */
  own: OwnWord | null;
  /** Why it asks whatever its record; empty if it does not. */
  floor?: string[];
  /** Something is said for every project; without a word of its own, this one follows it. */
  follows?: boolean;
}

type Key = "record" | Verdict;
const KEYS: Key[] = ["record", "ask", "auto", "refuse"];

/** The owner's word on one kind of action: by its record, always ask, alone, never. */
export function Choice({ intent, title, project, own, floor = [], follows = false }: ChoiceProps): ReactNode {
  const set = useOverride();
  const [lifting, setLifting] = useState(false);
  const value: Key = own?.verdict ?? "record";
  const where = project === null ? w.inEvery : w.inOne(visible(project));

  const tell = async (key: Key, lift = false, again = true): Promise<void> => {
    const verdict = key === "record" ? null : key;
    try {
      await set.mutateAsync({ intent, project, verdict, lift_floor: lift });
      toast(w.set[key], again ? { act: { words: w.undo, run: () => void tell(value, own?.lifted ?? false, false) } } : {});
    } catch (error) {
      toast(w.failed, { tone: "wrong", hint: error instanceof Error ? error.message : "" });
    }
  };

  return (
    <>
      <Select
        label={w.choose(title, where)}
        value={value}
        disabled={set.isPending}
        options={KEYS.map((key) => ({ key, words: key === "record" && follows ? w.asEverywhere : w.choices[key] }))}
        onChange={(key) => (key === "auto" && floor.length > 0 ? setLifting(true) : void tell(key))}
      />
      <Dialog
        open={lifting}
        onOpenChange={setLifting}
        title={w.lift.title}
        words={w.lift.words(title, where)}
        foot={
          <>
            <Button onClick={() => setLifting(false)}>{common.cancel}</Button>
            <Button
              kind="primary"
              onClick={() => {
                setLifting(false);
                void tell("auto", true);
              }}
            >
              {w.lift.submit}
            </Button>
          </>
        }
      >
        {floor.map((reason) => (
          <p key={reason}>
            <Words text={reason} />
          </p>
        ))}
      </Dialog>
    </>
  );
}
