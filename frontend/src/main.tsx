import "./styles/tokens.css";
import "./styles/base.css";
import { StrictMode } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { takeCode } from "./api/token";
import { startTheme } from "./lib/theme";
import { Start, type Panel } from "./start/Start";

startTheme();
const code = takeCode();
const load = async (): Promise<Panel> => (await import("./panel")).open();

const place = document.getElementById("root");
if (!place) throw new Error("index.html has no #root");
const start = (
  <StrictMode>
    <Start code={code} load={load} />
  </StrictMode>
);
// The box that stands in the page is taken over as it is, with what was typed into it.
if (place.dataset.still !== undefined && document.documentElement.dataset.front !== undefined) {
  hydrateRoot(place, start);
} else {
  place.replaceChildren();
  delete place.dataset.still;
  createRoot(place).render(start);
}
