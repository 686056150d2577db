/** Every address of the panel. Screens are loaded when they are first opened; see also `components/layout/nav.ts`. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Link } from "@tanstack/react-router";
import { Compass } from "lucide-react";
import type { ReactNode } from "react";
import * as z from "zod/mini";
import { STATUSES } from "@/api/model";
import { Shell } from "@/components/layout/Shell";
import { Page, ScreenTitle } from "@/components/layout/Page";
import { buttonClass } from "@/components/ui/Button";
import { HomeScreen } from "@/features/home";
import { Skeleton } from "@/components/ui/Skeleton";
import { Empty, ErrorState } from "@/components/ui/States";
import { arriving } from "@/lib/arriving";
import { failures } from "@words/failures";
import { shell } from "@words/shell";

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

const HomeSearch = z.object({
  /** A plan that waits for its yes. */
  plan: z.catch(z.optional(z.string()), undefined),
});

const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  validateSearch: (search) => z.parse(HomeSearch, search),
  // Not lazy: it is where people begin, and loading it after the rest would cost a round trip.
  component: HomeScreen,
});

const ProjectSearch = z.object({
  /** Which of the tabs beside the preview is open. */
  tab: z.catch(z.optional(z.enum(["steps", "preview", "log", "proof", "files"])), undefined),
  file: z.catch(z.optional(z.string()), undefined),
});

const project = createRoute({
  getParentRoute: () => root,
  path: "/app/projects/$project",
  validateSearch: (search) => z.parse(ProjectSearch, search),
  component: lazyRouteComponent(() => arriving(() => import("@/features/project")), "ProjectScreen"),
});

const TimelineSearch = z.object({
  project: z.catch(z.optional(z.string()), undefined),
  changes: z.catch(z.optional(z.boolean()), undefined),
  /** The action that is held on to; "last" is the newest that can be taken back. */
  at: z.catch(z.optional(z.string()), undefined),
});

const timeline = createRoute({
  getParentRoute: () => root,
  path: "/app/timeline",
  validateSearch: (search) => z.parse(TimelineSearch, search),
  component: lazyRouteComponent(() => arriving(() => import("@/features/timeline")), "TimelineScreen"),
});

const ApprovalsSearch = z.object({
  /** The card that is in front. */
  task: z.catch(z.optional(z.string()), undefined),
});

const approvals = createRoute({
  getParentRoute: () => root,
  path: "/app/approvals",
  validateSearch: (search) => z.parse(ApprovalsSearch, search),
  component: lazyRouteComponent(() => arriving(() => import("@/features/approvals")), "ApprovalsScreen"),
});

const TrustSearch = z.object({
  project: z.catch(z.optional(z.string()), undefined),
});

const trust = createRoute({
  getParentRoute: () => root,
  path: "/app/trust",
  validateSearch: (search) => z.parse(TrustSearch, search),
  component: lazyRouteComponent(() => arriving(() => import("@/features/trust")), "TrustScreen"),
});

const queue = createRoute({
  getParentRoute: () => root,
  path: "/app/queue",
  component: lazyRouteComponent(() => arriving(() => import("@/features/queue")), "QueueScreen"),
});

const deployments = createRoute({
  getParentRoute: () => root,
  path: "/app/deployments",
  component: lazyRouteComponent(() => arriving(() => import("@/features/deployments")), "DeploymentsScreen"),
});

const words = z.catch(z.optional(z.string().check(z.minLength(1), z.maxLength(200))), undefined);
const LogSearch = z.object({
  q: words,
  status: z.catch(z.optional(z.enum(STATUSES)), undefined),
  project: words,
  date: z.catch(z.optional(z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/))), undefined),
});

const logs = createRoute({
  getParentRoute: () => root,
  path: "/app/logs",
  validateSearch: (search) => defined(z.parse(LogSearch, search)),
  component: lazyRouteComponent(() => arriving(() => import("@/features/logs")), "LogsScreen"),
});

const log = createRoute({
  getParentRoute: () => root,
  path: "/app/logs/$date/$name",
  component: lazyRouteComponent(() => arriving(() => import("@/features/logs/LogScreen")), "LogScreen"),
});

const settings = createRoute({
  getParentRoute: () => root,
  id: "settings",
  component: lazyRouteComponent(() => arriving(() => import("@/features/settings")), "SettingsScreen"),
});

const settingsPanel = createRoute({
  getParentRoute: () => settings,
  path: "/app/settings",
  component: lazyRouteComponent(() => arriving(() => import("@/features/settings/PanelPart")), "PanelPart"),
});

const settingsAccounts = createRoute({
  getParentRoute: () => settings,
  path: "/app/settings/accounts",
  component: lazyRouteComponent(() => arriving(() => import("@/features/settings/AccountsPart")), "AccountsPart"),
});

const settingsSandbox = createRoute({
  getParentRoute: () => settings,
  path: "/app/settings/sandbox",
  component: lazyRouteComponent(() => arriving(() => import("@/features/settings/SandboxPart")), "SandboxPart"),
});

const settingsMetrics = createRoute({
  getParentRoute: () => settings,
  path: "/app/settings/metrics",
  component: lazyRouteComponent(() => arriving(() => import("@/features/settings/metrics")), "MetricsPart"),
});

const settingsService = createRoute({
  getParentRoute: () => settings,
  path: "/app/settings/service",
  component: lazyRouteComponent(() => arriving(() => import("@/features/settings/ServicePart")), "ServicePart"),
});

/** Without what is not there, so that an address says no more than it has to. */
function defined<T extends object>(search: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as { [K in keyof T]?: NonNullable<T[K]> };
}

const settingsParts = settings.addChildren([settingsPanel, settingsAccounts, settingsSandbox, settingsMetrics, settingsService]);
const tree = root.addChildren([home, project, approvals, timeline, queue, trust, deployments, logs, log, settingsParts]);

export const router = createRouter({
  routeTree: tree,
  defaultPreload: "intent",
  scrollRestoration: true,
  scrollToTopSelectors: ["#content"],
  defaultPendingComponent: Pending,
  defaultErrorComponent: Broken,
  defaultPendingMs: 200,
  defaultPendingMinMs: 0,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

function Pending(): ReactNode {
  return (
    <Page>
      <Skeleton lines={5} />
    </Page>
  );
}

function NotFound(): ReactNode {
  return (
    <Page>
      <ScreenTitle title={failures.notFound} />
      <Empty
        icon={<Compass aria-hidden />}
        title={failures.notFound}
        action={
          <Link to="/" className={buttonClass({ kind: "primary" })}>
            {failures.home}
          </Link>
        }
      >
        {failures.notFoundHint}
      </Empty>
    </Page>
  );
}

function Broken({ error }: { error: unknown }): ReactNode {
  return (
    <Page>
      <ScreenTitle title={shell.crashed} />
      <ErrorState
        error={error}
        kept={failures.ownKept}
        onRetry={() => void router.invalidate()}
        other={
          <a href="/" className={buttonClass()}>
            {failures.reload}
          </a>
        }
      />
    </Page>
  );
}
