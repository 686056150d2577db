import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { Tooltip } from "radix-ui";
import { useEffect, useState, type ReactNode } from "react";
import { ApiError } from "./api/error";
import { Live } from "./api/live";
import { followOtherTabs, takeCode, token } from "./api/token";
import { Announcer } from "./components/layout/Announcer";
import { Toaster } from "./components/ui/Toaster";
import { SignIn } from "./features/signin";
import { listenToKeys } from "./lib/keys";
import { useSignal } from "./lib/signal";
import { router } from "./routes";

const TRIES = 2;

function newClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // Events say when something is old.
        staleTime: 30_000,
        refetchOnWindowFocus: true,
        networkMode: "always",
        retry: (failed, error) => failed < TRIES && worthATry(error),
        throwOnError: false,
      },
      mutations: { networkMode: "always" },
    },
  });
}

function worthATry(error: unknown): boolean {
  const { status, offline } = ApiError.from(error);
  return offline || status >= 500 || status === 429;
}

/** A sign-in link that is opened in a tab of the panel changes what stands behind `#`, and nothing else. */
function followLinks(onCode: (code: string) => void): () => void {
  const look = (): void => {
    const code = takeCode();
    if (code) onCode(code);
  };
  look();
  window.addEventListener("hashchange", look);
  return () => window.removeEventListener("hashchange", look);
}

export function App({ code }: { code: string | null }): ReactNode {
  const [client] = useState(newClient);
  const signedIn = useSignal(token);
  const [waitingCode, setCode] = useState(code);

  useEffect(() => listenToKeys(), []);
  useEffect(() => followOtherTabs(), []);
  useEffect(() => followLinks(setCode), []);
  useEffect(() => {
    if (!signedIn) client.clear();
  }, [client, signedIn]);

  return (
    <QueryClientProvider client={client}>
      <Tooltip.Provider>
        {signedIn && !waitingCode ? (
          <Live key={signedIn} token={signedIn}>
            <RouterProvider router={router} />
          </Live>
        ) : (
          <SignIn code={waitingCode} onDone={() => setCode(null)} />
        )}
        <Toaster />
        <Announcer />
      </Tooltip.Provider>
    </QueryClientProvider>
  );
}
