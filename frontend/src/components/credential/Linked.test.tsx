import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { Linked } from "./Linked";

const links = (text: string): string[] => [...renderToStaticMarkup(<Linked text={text} />).matchAll(/href="([^"]*)"/g)].map(([, href]) => href ?? "");

describe("a step of a guide", () => {
  it("has its addresses as links, without what stands after them", () => {
    expect(links("Open vercel.com/account/tokens (your picture, Settings).")).toEqual(["https://vercel.com/account/tokens"]);
    expect(links("Sign in at dashboard.render.com.")).toEqual(["https://dashboard.render.com"]);
  });

  it("leaves other words with dots and slashes alone", () => {
    expect(links("Copy `key.json` at once. Paste it here, read and/or write.")).toEqual([]);
  });
});
