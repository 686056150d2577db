/** Light, dark, or as the system has it. */
import { Signal } from "./signal";
import { store } from "./storage";

export type Theme = "system" | "light" | "dark";

const KEY = "task-agent.theme";

function kept(): Theme {
  const value = store.get(KEY);
  return value === "light" || value === "dark" ? value : "system";
}

export const theme = new Signal<Theme>(kept());

function show(value: Theme): void {
  if (value === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = value;
}

export function setTheme(value: Theme): void {
  if (value === "system") store.remove(KEY);
  else store.set(KEY, value);
  theme.set(value);
  show(value);
}

export function startTheme(): void {
  show(theme.get());
  window.addEventListener("storage", (event) => {
    if (event.key !== KEY) return;
    theme.set(kept());
    show(kept());
  });
}
