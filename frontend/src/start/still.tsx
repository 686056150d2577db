import { renderToString } from "react-dom/server";
import { Front } from "./Front";

/** What React would have loaded early; the page does that by itself. */
const HINTS = /^(<link [^>]*>)+/;

/** The home screen as it stands in the page itself, so that it can be seen and typed into before any script has arrived. */
export const still = (): string => renderToString(<Front path="/" />).replace(HINTS, "");
