import { useEffect, useState, type ComponentType, type ReactNode } from "react";
import { token } from "@/api/token";
import { Front, NotLoaded } from "./Front";

export type Panel = ComponentType<{ code: string | null }>;

interface StartProps {
  /** The one-time code of a sign-in link. */
  code: string | null;
  load: () => Promise<Panel>;
}

/** Shows something to work with at once, and the panel as soon as it has arrived. */
export function Start({ code, load }: StartProps): ReactNode {
  const [panel, setPanel] = useState<{ Panel: Panel } | "failed" | null>(null);
  useEffect(() => {
    // Not before this is on screen and keys are heard.
    const timer = setTimeout(() => {
      load().then(
        (Panel) => setPanel({ Panel }),
        () => setPanel("failed"),
      );
    });
    return () => clearTimeout(timer);
  }, [load]);
  if (panel === "failed") return <NotLoaded />;
  if (panel) return <panel.Panel code={code} />;
  const { pathname, search } = window.location;
  return token.get() && code === null ? <Front path={pathname + search} /> : null;
}
