import { act, cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Tooltip } from "radix-ui";
import { useState, type ReactNode } from "react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { dismiss, toast, toasts } from "@/lib/toasts";
import { Announcer } from "../layout/Announcer";
import { SchemaFields } from "../form/SchemaFields";
import { fieldsOf } from "../form/schema";
import { Button } from "./Button";
import { Dialog } from "./Dialog";
import { Toaster } from "./Toaster";

afterEach(() => {
  for (const { id } of toasts.get()) dismiss(id);
  cleanup();
});

describe("a busy button", () => {
  it("keeps the focus, and does nothing until it is done", async () => {
    const send = vi.fn();
    const submit = vi.fn();
    const button = (busy: boolean): ReactNode => (
      <form onSubmit={submit}>
        <Button type="submit" busy={busy} onClick={send}>
          Save
        </Button>
      </form>
    );
    const { rerender } = render(button(false));
    screen.getByRole("button").focus();
    rerender(button(true));
    expect(screen.getByRole<HTMLButtonElement>("button").disabled).toBe(false);
    await userEvent.click(screen.getByRole("button"));
    await userEvent.keyboard("{Enter}");
    expect([send, submit].map((one) => one.mock.calls.length)).toEqual([0, 0]);
    expect(document.activeElement).toBe(screen.getByRole("button"));
  });
});

describe("a dialog", () => {
  function Screen(): ReactNode {
    const [open, setOpen] = useState(false);
    const [gone, setGone] = useState(false);
    return (
      <Tooltip.Provider>
        <main id="content" tabIndex={-1}>
          {!gone && <button onClick={() => setOpen(true)}>Delete</button>}
        </main>
        <Dialog open={open} onOpenChange={setOpen} title="Sure?">
          <button onClick={() => setGone(true)}>Yes</button>
        </Dialog>
      </Tooltip.Provider>
    );
  }

  it("gives the focus back to where it was", async () => {
    render(<Screen />);
    await userEvent.click(screen.getByText("Delete"));
    await screen.findByRole("dialog");
    await userEvent.keyboard("{Escape}");
    await waitFor(() => expect(document.activeElement).toBe(screen.getByText("Delete")));
  });

  it("gives it to the screen if that is gone", async () => {
    render(<Screen />);
    await userEvent.click(screen.getByText("Delete"));
    await userEvent.click(await screen.findByText("Yes"));
    await userEvent.keyboard("{Escape}");
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("main")));
  });
});

it("says a toast aloud once, with its hint, and at once only what went wrong", async () => {
  render(
    <Tooltip.Provider>
      <Toaster />
      <Announcer />
    </Tooltip.Provider>,
  );
  const said = (): string[] =>
    [...document.querySelectorAll("[aria-live]")]
      .filter((one) => one.getAttribute("aria-live") !== "off" && one.textContent.includes("Not saved"))
      .map((one) => `${one.getAttribute("aria-live") ?? ""}: ${one.textContent}`);
  act(() => void toast("Not saved", { tone: "wrong", hint: "Try again" }));
  await waitFor(() => expect(said()).toEqual([expect.stringMatching(/^assertive: .*Not saved Try again/)]));
});

it("does not close over a field of a form while somebody mends it", async () => {
  const fields = fieldsOf({ properties: { seconds: { type: "number", default: 30, title: "Seconds" } } });
  function Form(): ReactNode {
    const [values, setValues] = useState<Record<string, string | boolean>>({ seconds: "x" });
    const problems: Record<string, string> = values.seconds === "x" ? { seconds: "This is no number" } : {};
    return <SchemaFields fields={fields} values={values} problems={problems} onChange={setValues} />;
  }
  render(<Form />);
  const box = screen.getByLabelText(/Seconds/);
  await userEvent.type(box, "{Backspace}5");
  expect(screen.getByLabelText<HTMLInputElement>(/Seconds/).value).toBe("5");
  expect(document.activeElement).toBe(box);
});
