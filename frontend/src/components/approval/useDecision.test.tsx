import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { aTask } from "@/api/testing";
import { useDecision } from "./useDecision";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("says a yes for good once, however often it is pressed until it is heard", async () => {
  const sent: string[] = [];
  let hear: () => void = () => undefined;
  const heard = new Promise<void>((done) => {
    hear = done;
  });
  vi.stubGlobal("fetch", async (request: Request) => {
    if (request.method !== "GET") sent.push(new URL(request.url).pathname);
    await heard;
    return Response.json({ success: true, message: "", tasks: [] });
  });
  const decision = { verdict: "ask", score: 0, threshold: 1, level: "low", code: "not_earned", reasons: [] } as never;
  const client = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }): ReactNode => <QueryClientProvider client={client}>{children}</QueryClientProvider>;
  const { result } = renderHook(() => useDecision(aTask("a", { status: "awaiting_approval", decision })), { wrapper });
  act(() => result.current.approve(true));
  expect(result.current.busy).toBe(true);
  act(() => result.current.approve(true));
  await act(async () => {
    hear();
    await heard;
  });
  await waitFor(() => expect(result.current.busy).toBe(false));
  expect(sent).toEqual(["/trust/overrides", "/confirm"]);
});
