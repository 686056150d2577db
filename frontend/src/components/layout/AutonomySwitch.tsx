import { useQuery } from "@tanstack/react-query";
import { Hand, ShieldCheck, Zap } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";
import { useSetAutonomy } from "@/api/actions";
import type { Autonomy } from "@/api/model";
import { queries } from "@/api/queries";
import { Button } from "@/components/ui/Button";
import { Dialog } from "@/components/ui/Dialog";
import { Segments } from "@/components/ui/Segments";
import { clockTime } from "@/lib/format";
import { toast } from "@/lib/toasts";
import { shell } from "@words/shell";
import css from "./Shell.module.css";

const w = shell.autonomy;
const ICONS = { ask_all: Hand, earned: ShieldCheck, allow_all: Zap };
const MODES: Autonomy[] = ["ask_all", "earned", "allow_all"];
const MINUTES = [15, 60, 480];

/** The three-way switch that stands on every screen. */
export function AutonomySwitch(): ReactNode {
  const { data, refetch } = useQuery(queries.settings());
  const set = useSetAutonomy();
  const [asking, setAsking] = useState(false);
  const mode = data?.autonomy.mode ?? "earned";
  const until = data?.autonomy.until ?? null;

  useEffect(() => {
    // A mode that was given for a time ends by itself.
    if (!until) return undefined;
    const left = Date.parse(until) - Date.now() + 500;
    const timer = setTimeout(() => void refetch(), Math.min(Math.max(left, 500), 2 ** 31 - 1));
    return () => clearTimeout(timer);
  }, [until, refetch]);

  /** Nothing is allowed for good: how long is asked each time. */
  const pick = (next: Autonomy): void => (next === "allow_all" ? setAsking(true) : choose(next));
  const choose = (next: Autonomy, minutes: number | null = null): void => {
    setAsking(false);
    set.mutate(
      { mode: next, minutes },
      {
        onSuccess: () => toast(w.set[next], { act: { words: w.undo, run: () => pick(mode) } }),
        onError: (error) => toast(w.failed, { tone: "wrong", hint: error.message }),
      },
    );
  };

  return (
    <div className={css.autonomy}>
      <Segments
        label={w.label}
        value={mode}
        iconsOnly
        onChange={pick}
        options={MODES.map((key) => {
          const Icon = ICONS[key];
          const short = key === "allow_all" && until ? w.until(clockTime(until)) : w.modes[key].short;
          return { key, words: `${w.modes[key].words}. ${w.modes[key].hint}`, icon: <Icon aria-hidden />, short };
        })}
      />
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title={w.forHowLong}
        words={w.forHowLongHint}
        foot={MINUTES.map((minutes) => (
          <Button key={minutes} onClick={() => choose("allow_all", minutes)}>
            {w.minutes[minutes]}
          </Button>
        ))}
      />
    </div>
  );
}
