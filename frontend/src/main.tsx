import "./styles/tokens.css";
import "./styles/base.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { takeCode } from "./api/token";
import { startTheme } from "./lib/theme";
import { Start, type Panel } from "./start/Start";

startTheme();
const code = takeCode();
const load = async (): Promise<Panel> => (await import("./panel")).open();

const place = document.getElementById("root");
if (!place) throw new Error("index.html has no #root");
createRoot(place).render(
  <StrictMode>
    <Start code={code} load={load} />
  </StrictMode>,
);
