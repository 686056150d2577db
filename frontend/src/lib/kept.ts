/** What this browser keeps of the panel, as the very first script needs it: without React, and without waiting. */
import { apiOrigin } from "@/api/address";
import { store } from "./storage";

export type Theme = "system" | "light" | "dark";

export const THEME = "task-agent.theme";

export function keptTheme(): Theme {
  const value = store.get(THEME);
  return value === "light" || value === "dark" ? value : "system";
}

export function showTheme(value: Theme): void {
  if (value === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = value;
}

/** Under which name the token for the service is kept. */
export const tokenKey = (): string => `task-agent.token:${apiOrigin()}`;

export function keptToken(): string | null {
  return store.get(tokenKey());
}
