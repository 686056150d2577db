/** The page's first script, before anything is painted: the look, whether the box that stands in the page may be seen, and Enter in it. */
import { keptTheme, keptToken, showTheme } from "@/lib/kept";

const { pathname, search, hash } = window.location;
showTheme(keptTheme());
// Only who is signed in is asked what to build, and only at home.
if (pathname === "/" && search === "" && hash === "" && keptToken()) document.documentElement.dataset.front = "";

// Enter sends, also while nothing else has arrived: `main.tsx` finds it here.
document.addEventListener("keydown", (event) => {
  const box = event.target;
  if (event.key !== "Enter" || event.shiftKey || event.isComposing || !(box instanceof HTMLTextAreaElement) || !box.closest("[data-still]")) return;
  event.preventDefault();
  if (box.value.trim()) document.documentElement.dataset.sent = "";
});
