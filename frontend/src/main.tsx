import "./styles/tokens.css";
import "./styles/base.css";
import { StrictMode } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { takeCode } from "./api/token";
import { early } from "./lib/draft";
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
const { front, sent } = document.documentElement.dataset;
const stands = place.dataset.still !== undefined && front !== undefined;
delete place.dataset.still;
// The box that stands in the page is taken over as it is, with what was typed into it and whether it was sent.
if (stands) {
  early.sent.set(sent !== undefined);
  hydrateRoot(place, start);
} else {
  place.replaceChildren();
  createRoot(place).render(start);
}
