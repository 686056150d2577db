import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Tooltip } from "radix-ui";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Task } from "@/api/model";
import { aTask } from "@/api/testing";
import { PlanBody } from "./PlanBody";

/** Every request, and a new plan as the answer to each. */
function heard(): unknown[] {
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    sent.push(await request.json());
    return Response.json({ success: true, message: "", id: `plan ${sent.length}`, confirmationNeeded: true });
  });
  return sent;
}

function show(task: Task, again: (id: string) => void): void {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Tooltip.Provider>
        <PlanBody task={task} onReplanned={again} />
      </Tooltip.Provider>
    </QueryClientProvider>,
  );
}

describe("PlanBody", () => {
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
  });

  it("plans a change again in the same project when an assumption is corrected", async () => {
    const [sent, again] = [heard(), vi.fn()];
    const params = { goal: "add a date", understood: "A date more", assumptions: ["It may be left empty"], about_project: "guests" };
    show(aTask("plan", { intent: "plan", project: "guests", params }), again);
    await userEvent.click(screen.getByText("It may be left empty"));
    await userEvent.type(screen.getByRole("textbox"), "it has to be given{Enter}");
    await waitFor(() => expect(again).toHaveBeenCalledWith("plan 1"));
    expect(sent[0]).toMatchObject({ goal: "add a date. it has to be given", project: "guests" });
  });

  it("lets an answer be changed again while the plan waits", async () => {
    const [sent, again] = [heard(), vi.fn()];
    const questions = [
      { key: "kind", text: "What shall it be?", default: "web app", options: ["web app", "site"] },
      { key: "login", text: "Shall people sign in?", default: "no", options: ["no", "yes"] },
    ];
    show(aTask("plan", { intent: "plan", params: { goal: "a shop", understood: "A shop", questions } }), again);
    await choose("Shall people sign in?", "yes");
    await waitFor(() => expect(again).toHaveBeenCalledWith("plan 1"));
    cleanup();
    show(aTask("plan 1", { intent: "plan", params: { goal: "a shop", understood: "A shop", questions: [] } }), again);
    await choose("What shall it be?", "site");
    await waitFor(() => expect(again).toHaveBeenCalledTimes(2));
    expect(sent[1]).toMatchObject({ goal: "a shop", answers: { kind: "site", login: "yes" } });
  });
});

async function choose(question: string, answer: string): Promise<void> {
  await userEvent.click(screen.getByText(question));
  await userEvent.click(await screen.findByRole("menuitemradio", { name: answer }));
}
