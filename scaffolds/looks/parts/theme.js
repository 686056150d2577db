// Shows the theme that was chosen before, else the one of the system, and lets the button switch.
(() => {
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");

  const remembered = () => {
    try {
      return localStorage.getItem("theme");
    } catch {
      return null; // the browser keeps nothing for this page
    }
  };

  const remember = (theme) => {
    try {
      localStorage.setItem("theme", theme);
    } catch {
      // then the choice holds for this page only
    }
  };

  const shown = () => root.dataset.theme ?? (dark.matches ? "dark" : "light");

  const chosen = remembered();
  if (chosen === "dark" || chosen === "light") {
    root.dataset.theme = chosen;
  }

  addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    const tell = () => button.setAttribute("aria-pressed", String(shown() === "dark"));
    button.addEventListener("click", () => {
      root.dataset.theme = shown() === "dark" ? "light" : "dark";
      remember(root.dataset.theme);
      tell();
    });
    dark.addEventListener("change", tell);
    button.hidden = false;
    tell();
  });
})();
