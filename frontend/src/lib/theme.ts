/** Light, dark, or as the system has it. */
import { keptTheme, showTheme, THEME, type Theme } from "./kept";
import { Signal } from "./signal";
import { store } from "./storage";

export type { Theme };

export const theme = new Signal<Theme>(keptTheme());

export function setTheme(value: Theme): void {
  if (value === "system") store.remove(THEME);
  else store.set(THEME, value);
  theme.set(value);
  showTheme(value);
}

/** The page's first script has shown it already; from now on other tabs are followed. */
export function startTheme(): void {
  showTheme(theme.get());
  window.addEventListener("storage", (event) => {
    if (event.key !== THEME) return;
    theme.set(keptTheme());
    showTheme(keptTheme());
  });
}
