import { act, cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { signIn, signOut } from "@/api/token";
import { Ask } from "@/features/home/Ask";
import { draft, early } from "@/lib/draft";
import { home } from "@words/home";
import { shell } from "@words/shell";
import { Start, type Panel } from "./Start";

const Whole: Panel = () => <Ask onSend={() => undefined} busy={false} examples={false} />;

function later(): { load: () => Promise<Panel>; arrive: () => Promise<void>; fail: () => Promise<void> } {
  let resolve: (panel: Panel) => void;
  let reject: (why: Error) => void;
  const coming = new Promise<Panel>((done, refuse) => {
    resolve = done;
    reject = refuse;
  });
  const settled = (how: () => void): Promise<void> =>
    act(async () => {
      await new Promise((done) => setTimeout(done));
      how();
      await coming.catch(() => undefined);
    });
  return { load: () => coming, arrive: () => settled(() => resolve(Whole)), fail: () => settled(() => reject(new Error("no way"))) };
}

describe("Start", () => {
  beforeEach(() => {
    const wide = Object.assign(new EventTarget(), { matches: true });
    vi.stubGlobal("matchMedia", () => wide);
  });
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
    signOut();
    draft.set("");
    early.sent.set(false);
  });

  it("takes words at once, and hands them and the cursor to the panel", async () => {
    signIn("token");
    const { load, arrive } = later();
    render(<Start code={null} load={load} />);
    await userEvent.type(screen.getByLabelText(home.box), "two words{ArrowLeft}");
    await arrive();
    const box = screen.getByLabelText<HTMLTextAreaElement>(home.box);
    expect(box.value).toBe("two words");
    expect(document.activeElement).toBe(box);
    expect(box.selectionStart).toBe("two word".length);
    expect(screen.queryByRole("navigation")).toBeNull();
  });

  it("leaves the cursor alone where nobody typed", async () => {
    signIn("token");
    const { load, arrive } = later();
    render(<Start code={null} load={load} />);
    await arrive();
    expect(document.activeElement).toBe(document.body);
  });

  it("remembers that something was sent", async () => {
    signIn("token");
    render(<Start code={null} load={later().load} />);
    await userEvent.type(screen.getByLabelText(home.box), "a list of books{Enter}");
    expect(early.sent.get()).toBe(true);
  });

  it("shows nothing of the panel to who is not signed in", () => {
    render(<Start code={null} load={later().load} />);
    expect(screen.queryByLabelText(home.box)).toBeNull();
  });

  it("says so when the panel does not arrive", async () => {
    const { load, fail } = later();
    render(<Start code={null} load={load} />);
    await fail();
    expect(screen.getByRole("alert").textContent).toContain(shell.notLoaded.title);
  });
});
