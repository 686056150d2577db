import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { listenToKeys, shortcuts, turnKeys, useKey } from "./keys";

const page = vi.fn();
const card = vi.fn();
let stop: () => void;

function Key({ name, act }: { name: string; act: () => void }): ReactNode {
  useKey(name, "do it", act);
  return <input aria-label={`box of ${name}`} />;
}

beforeEach(() => {
  page.mockReset();
  card.mockReset();
  stop = listenToKeys();
});
afterEach(() => {
  stop();
  turnKeys(true);
  cleanup();
});

it("gives a key to the newest that wants it, and not to who types", () => {
  render(<Key name="a" act={page} />);
  const newest = render(<Key name="a" act={card} />);
  fireEvent.keyDown(document.body, { key: "a" });
  expect([page, card].map((one) => one.mock.calls.length)).toEqual([0, 1]);
  newest.unmount();
  fireEvent.keyDown(screen.getByLabelText("box of a"), { key: "a" });
  fireEvent.keyDown(document.body, { key: "a", ctrlKey: true });
  expect(page).not.toHaveBeenCalled();
  fireEvent.keyDown(document.body, { key: "a" });
  expect(page).toHaveBeenCalledOnce();
  cleanup();
  expect(shortcuts.get()).toEqual([]);
});

it("leaves single letters alone where they are turned off", () => {
  render(<Key name="a" act={page} />);
  render(<Key name="Escape" act={card} />);
  turnKeys(false);
  fireEvent.keyDown(document.body, { key: "a" });
  fireEvent.keyDown(document.body, { key: "Escape" });
  expect([page, card].map((one) => one.mock.calls.length)).toEqual([0, 1]);
});
