import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Tooltip } from "radix-ui";
import { afterEach, describe, expect, it, vi } from "vitest";
import { aTask } from "@/api/testing";
import { PlanBody } from "./PlanBody";

describe("PlanBody", () => {
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
  });

  it("plans a change again in the same project when an assumption is corrected", async () => {
    const sent: unknown[] = [];
    vi.stubGlobal("fetch", async (request: Request) => {
      sent.push(await request.json());
      return Response.json({ success: true, message: "", id: "other", confirmationNeeded: true });
    });
    const params = { goal: "add a date", understood: "A date more", assumptions: ["It may be left empty"], about_project: "guests" };
    const again = vi.fn();
    render(
      <QueryClientProvider client={new QueryClient()}>
        <Tooltip.Provider>
          <PlanBody task={aTask("plan", { intent: "plan", project: "guests", params })} onReplanned={again} />
        </Tooltip.Provider>
      </QueryClientProvider>,
    );
    await userEvent.click(screen.getByText("It may be left empty"));
    await userEvent.type(screen.getByRole("textbox"), "it has to be given{Enter}");
    await waitFor(() => expect(again).toHaveBeenCalledWith("other"));
    expect(sent[0]).toMatchObject({ goal: "add a date. it has to be given", project: "guests" });
  });
});
