import { useMutation } from "@tanstack/react-query";
import { Monitor, Moon, Sun } from "lucide-react";
import type { ReactNode } from "react";
import { answered, api } from "@/api/client";
import { signOut } from "@/api/token";
import { NotifySwitch } from "@/features/approvals/NotifySwitch";
import { CopyButton } from "@/components/Technical";
import { Button } from "@/components/ui/Button";
import { Segments } from "@/components/ui/Segments";
import { Switch } from "@/components/ui/Switch";
import { ErrorState } from "@/components/ui/States";
import { Words } from "@/components/ui/Words";
import { clockTime } from "@/lib/format";
import { keysOn, turnKeys } from "@/lib/keys";
import { useSignal } from "@/lib/signal";
import { setTheme, theme } from "@/lib/theme";
import { settings } from "@words/settings";
import { Part } from "./Part";
import css from "./Settings.module.css";

const w = settings.panel;
const THEMES = [
  { key: "system", words: w.themes.system, icon: <Monitor aria-hidden /> },
  { key: "light", words: w.themes.light, icon: <Sun aria-hidden /> },
  { key: "dark", words: w.themes.dark, icon: <Moon aria-hidden /> },
] as const;

/** What is set for this browser alone. */
export function PanelPart(): ReactNode {
  const look = useSignal(theme);
  const keys = useSignal(keysOn);
  return (
    <>
      <Part title={w.look} words={w.lookHint} side={<Segments label={w.look} value={look} options={[...THEMES]} onChange={setTheme} />} />
      <Part title={w.keys} words={w.keysHint}>
        <Switch on={keys} onChange={turnKeys}>
          {w.keysOn}
        </Switch>
      </Part>
      <Part title={w.notify}>
        <NotifySwitch plain />
      </Part>
      <OtherDevice />
      <Part
        title={w.signOut}
        words={w.signOutHint}
        side={
          <Button kind="quietDanger" onClick={signOut}>
            {w.signOut}
          </Button>
        }
      />
    </>
  );
}

const isOnlyHere = (url: string): boolean => /^https?:\/\/(127\.|localhost|\[::1\])/.test(url);

/** The link opens everything, so it is made on a click and gone with this screen. */
function OtherDevice(): ReactNode {
  const make = useMutation({ mutationFn: () => answered(api().POST("/admin/link", {})), gcTime: 0 });
  const { data: link, error } = make;
  return (
    <Part
      title={w.device}
      words={w.deviceHint}
      side={
        <Button busy={make.isPending} onClick={() => make.mutate()}>
          {link ? w.anotherLink : w.makeLink}
        </Button>
      }
    >
      {error && <ErrorState inline error={error} onRetry={() => make.mutate()} />}
      {link && (
        <div className={css.madeLink}>
          <div className={css.copyable}>
            <input readOnly aria-label={w.linkLabel} value={link.url} onFocus={(event) => event.target.select()} autoComplete="off" />
            <CopyButton text={link.url} />
          </div>
          <p className={css.soft} role="status">
            {w.linkEnds(clockTime(link.expires))} {isOnlyHere(link.url) && <Words text={w.onlyHere} />}
          </p>
        </div>
      )}
    </Part>
  );
}
