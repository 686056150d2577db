/** The page's first script, before anything is painted: the look, and whether the box that stands in the page may be seen. */
import { keptTheme, keptToken, showTheme } from "@/lib/kept";

const { pathname, search, hash } = window.location;
showTheme(keptTheme());
// Only who is signed in is asked what to build, and only at home.
if (pathname === "/" && search === "" && hash === "" && keptToken()) document.documentElement.dataset.front = "";
