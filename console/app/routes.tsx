/** The addresses of the console and what each shows. Screens are loaded when they are first opened. */
import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  type RouteComponent,
  redirect,
} from "@tanstack/react-router";
import { queries } from "../api/queries.ts";
import { signInOptions, viewerOptions } from "../api/viewer.ts";
import { zoneOptions } from "../api/zone.ts";
import { Loading } from "../parts/page/page.tsx";
import { Failed, NoPage, ZoneFailed } from "./error-pages.tsx";
import { presentAddress } from "./moved.ts";
import {
  activitySearch,
  checkSearch,
  momentSearch,
  oneOf,
  ownPath,
  parseSearch,
  printSearch,
  searchOf,
  serverSearch,
  sheetSearch,
  text,
  tsigSearch,
  webhookSearch,
  zoneHistorySearch,
  zonesSearch,
} from "./search-text.ts";
import { Settings } from "./settings.tsx";
import { Shell } from "./shell.tsx";
import { SignInPage } from "./sign-in.tsx";

const root = createRootRoute();

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: searchOf({ to: ownPath }),
  component: SignInPage,
});

/** The pages of one who is signed in. */
const shell = createRoute({
  getParentRoute: () => root,
  id: "shell",
  component: Shell,
  beforeLoad: async ({ location }) => {
    const isKnown = queries.getQueryData(viewerOptions.queryKey) !== undefined;
    if (!isKnown && (await queries.fetchQuery(signInOptions)) === null)
      throw redirect({ to: "/sign-in", search: { to: ownPath(`/console${location.href}`) }, replace: true });
    await queries.ensureQueryData(viewerOptions);
  },
});

type Search = (search: Record<string, unknown>) => object;

/** A page of one who is signed in, or of Settings; its code is loaded when it is first opened. */
const pageOf =
  <Parent extends AnyRoute>(parent: () => Parent) =>
  <const Path extends string, Code extends object, Known extends Search = () => Record<never, never>>(
    path: Path,
    load: () => Promise<Code>,
    name: keyof Code & string,
    known?: Known,
  ) =>
    createRoute({
      getParentRoute: parent,
      path,
      component: lazyRouteComponent(load as () => Promise<Record<string, RouteComponent>>, name),
      validateSearch: (known ?? searchOf({})) as Known,
    });

/** What leads on to the first page of a place. */
const startOf = <Parent extends AnyRoute>(parent: () => Parent, to: "/zones" | "/settings/keys") =>
  createRoute({
    getParentRoute: parent,
    path: "/",
    beforeLoad: () => {
      throw redirect({ to, replace: true });
    },
  });

const start = startOf(() => shell, "/zones");

/** What is at none of the addresses of today may have been at a former one. */
const elsewhere = createRoute({
  getParentRoute: () => shell,
  path: "$",
  // Each former page had parameters of its own.
  validateSearch: (search: Record<string, unknown>) => search,
  beforeLoad: ({ location, search }) => {
    const present = presentAddress(location.pathname, search);
    if (!present) throw notFound();
    throw redirect({ ...present, replace: true });
  },
});

const settings = createRoute({ getParentRoute: () => shell, path: "/settings", component: Settings });

const setting = pageOf(() => settings);
const ofSettings = settings.addChildren([
  startOf(() => settings, "/settings/keys"),
  setting("/templates", () => import("../templates/templates.tsx"), "Templates"),
  setting("/templates/new", () => import("../templates/template-form.tsx"), "NewTemplate"),
  setting("/templates/$template", () => import("../templates/templates.tsx"), "Template"),
  setting("/templates/$template/edit", () => import("../templates/template-form.tsx"), "EditTemplate"),
  setting("/deleted", () => import("../history/deleted/deleted-zones.tsx"), "DeletedZones", searchOf({ q: text })),
  setting("/deleted/$domain", () => import("../history/deleted/deleted-zone.tsx"), "DeletedZone", momentSearch),
  setting("/keys", () => import("../keys/api-keys.tsx"), "ApiKeys", searchOf({ new: oneOf("key") })),
  setting("/tsig", () => import("../keys/tsig-keys.tsx"), "TsigKeys", tsigSearch),
  setting("/webhooks", () => import("../webhooks/webhooks.tsx"), "Webhooks", searchOf({ new: oneOf("webhook") })),
  setting("/webhooks/$webhook", () => import("../webhooks/webhook.tsx"), "Webhook", webhookSearch),
  setting("/users", () => import("../users/users.tsx"), "Users", searchOf({ new: oneOf("user") })),
  setting("/about", () => import("../about/about.tsx"), "About"),
]);

const zone = createRoute({
  getParentRoute: () => shell,
  path: "/zones/$zone",
  loader: ({ params }) => queries.ensureQueryData(zoneOptions(params.zone)),
  component: lazyRouteComponent(() => import("../zones/zone-page.tsx"), "ZonePage"),
  errorComponent: ZoneFailed,
});

/** The sheet and its draft are shown by one component, so that the sheet stays as it is while its draft is looked at. */
const records = createRoute({
  getParentRoute: () => zone,
  id: "records",
  component: lazyRouteComponent(() => import("../zones/records.tsx"), "Records"),
  validateSearch: searchOf(sheetSearch),
});
const sheet = createRoute({ getParentRoute: () => records, path: "/" });
const draft = createRoute({ getParentRoute: () => records, path: "/draft" });

const tab = pageOf(() => zone);
const ofZone = zone.addChildren([
  records.addChildren([sheet, draft]),
  tab("/history", () => import("../history/zone-history.tsx"), "ZoneHistory", zoneHistorySearch),
  tab("/history/$moment", () => import("../history/zone-at.tsx"), "ZoneAt", momentSearch),
  tab("/text", () => import("../text/zone-text.tsx"), "TextTab"),
  tab("/servers", () => import("../zones/zone-page.tsx"), "ZoneServers"),
]);

const page = pageOf(() => shell);
const pages = [
  page("/activity", () => import("../activity/activity.tsx"), "Activity", activitySearch),
  page("/check", () => import("../check/check.tsx"), "Check", checkSearch),
  page("/zones", () => import("../zones/zones.tsx"), "Zones", zonesSearch),
  page("/search", () => import("../search/search.tsx"), "Search", searchOf({ q: text })),
  page("/servers", () => import("../servers/servers.tsx"), "Servers", searchOf({ new: oneOf("server") })),
  page("/servers/$server", () => import("../servers/server.tsx"), "Server", serverSearch),
  page("/changes/$change", () => import("../change/change-view.tsx"), "Change"),
] as const;

const tree = root.addChildren([signIn, shell.addChildren([start, ofZone, ofSettings, ...pages, elsewhere])]);

export const router = createRouter({
  routeTree: tree,
  basepath: "/console",
  parseSearch,
  stringifySearch: printSearch,
  // Of the parameters of an address only those count that its screen knows.
  search: { strict: true },
  defaultPreload: false,
  scrollRestoration: true,
  defaultPendingComponent: Loading,
  defaultErrorComponent: Failed,
  defaultNotFoundComponent: NoPage,
});

declare module "@tanstack/react-router" {
  interface Register {
    readonly router: typeof router;
  }
}
