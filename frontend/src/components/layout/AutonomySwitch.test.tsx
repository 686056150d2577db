import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Tooltip } from "radix-ui";
import { afterEach, expect, it, vi } from "vitest";
import { queries } from "@/api/queries";
import { dismiss, toasts } from "@/lib/toasts";
import { shell } from "@words/shell";
import { AutonomySwitch } from "./AutonomySwitch";

const settings = {
  success: true,
  message: "",
  settings: {},
  about: [],
  autonomy: { mode: "allow_all" as const, until: "2036-11-17T06:00:00Z", by_project: {} },
};

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  for (const { id } of toasts.get()) dismiss(id);
});

it("asks for how long before it goes back to allowing everything", async () => {
  const put: unknown[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    if (request.method === "PUT") put.push(await request.json());
    return Response.json(put.length === 0 ? settings : { ...settings, autonomy: { ...settings.autonomy, mode: "earned", until: null } });
  });
  const client = new QueryClient();
  client.setQueryData(queries.settings().queryKey, settings);
  render(
    <QueryClientProvider client={client}>
      <Tooltip.Provider>
        <AutonomySwitch />
      </Tooltip.Provider>
    </QueryClientProvider>,
  );
  await userEvent.click(screen.getByRole("radio", { name: new RegExp(shell.autonomy.modes.earned.words) }));
  await waitFor(() => expect(toasts.get()).toHaveLength(1));
  act(() => toasts.get()[0]?.act?.run());
  expect(screen.getByRole("dialog").textContent).toContain(shell.autonomy.forHowLong);
  expect(put).toEqual([{ autonomy: "earned", minutes: null }]);
});
