import "./styles/tokens.css";
import "./styles/base.css";
import { setNonce } from "get-nonce";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { config } from "zod/mini";
import { App } from "./App";
import { takeCode } from "./api/session";
import { cspNonce } from "./lib/nonce";
import { startTheme } from "./lib/theme";

// The policy of the page forbids making code from text, and takes style elements with its nonce only.
config({ jitless: true });
const nonce = cspNonce();
if (nonce) setNonce(nonce);
startTheme();
const code = takeCode();

const place = document.getElementById("root");
if (!place) throw new Error("index.html has no #root");
createRoot(place).render(
  <StrictMode>
    <App code={code} />
  </StrictMode>,
);
