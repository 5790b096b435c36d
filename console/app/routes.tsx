/**
 * The addresses of the console and what each shows. Screens are loaded when they are first opened.
 */
import {
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  type RouteComponent,
  redirect,
} from "@tanstack/react-router";
import { Loading } from "../parts/page/page.tsx";
import { Failed, NoPage } from "./error-pages.tsx";
import { presentAddress } from "./moved.ts";
import { oneOf, parseSearch, printSearch, type Readers, searchOf, text } from "./search-text.ts";
import { activitySearch, momentSearch, zonesSearch } from "./searches.ts";
import { Settings } from "./settings.tsx";
import { root, shell, signIn } from "./shell-route.tsx";
import { ofZone } from "./zone-routes.tsx";

/** A page of one who is signed in, with the search parameters that it knows. */
const page = <const Path extends string, Known extends Readers>(path: Path, component: RouteComponent, known: Known) =>
  createRoute({ getParentRoute: () => shell, path, component, validateSearch: searchOf(known) });

const start = createRoute({
  getParentRoute: () => shell,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/zones", replace: true });
  },
});

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

/** A page of Settings, with the search parameters that it knows. */
const setting = <const Path extends string, Known extends Readers>(
  path: Path,
  component: RouteComponent,
  known: Known,
) => createRoute({ getParentRoute: () => settings, path, component, validateSearch: searchOf(known) });

const settings = createRoute({ getParentRoute: () => shell, path: "/settings", component: Settings });

const firstSetting = createRoute({
  getParentRoute: () => settings,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/settings/keys", replace: true });
  },
});

const deletedZone = createRoute({
  getParentRoute: () => settings,
  path: "/deleted/$domain",
  validateSearch: momentSearch,
  component: lazyRouteComponent(() => import("../history/deleted/deleted-zone.tsx"), "DeletedZone"),
});

const ofSettings = settings.addChildren([
  firstSetting,
  setting(
    "/templates",
    lazyRouteComponent(() => import("../templates/templates.tsx"), "Templates"),
    {},
  ),
  setting(
    "/templates/new",
    lazyRouteComponent(() => import("../templates/template-form.tsx"), "NewTemplate"),
    {},
  ),
  setting(
    "/templates/$template",
    lazyRouteComponent(() => import("../templates/template.tsx"), "Template"),
    {},
  ),
  setting(
    "/templates/$template/edit",
    lazyRouteComponent(() => import("../templates/template-form.tsx"), "EditTemplate"),
    {},
  ),
  setting(
    "/deleted",
    lazyRouteComponent(() => import("../history/deleted/deleted-zones.tsx"), "DeletedZones"),
    {
      q: text,
    },
  ),
  deletedZone,
  setting(
    "/keys",
    lazyRouteComponent(() => import("../keys/api-keys.tsx"), "ApiKeys"),
    { new: oneOf("key") },
  ),
  setting(
    "/tsig",
    lazyRouteComponent(() => import("../keys/tsig-keys.tsx"), "TsigKeys"),
    { new: oneOf("key"), zones: text, owners: text, types: text },
  ),
  setting(
    "/webhooks",
    lazyRouteComponent(() => import("../webhooks/webhooks.tsx"), "Webhooks"),
    {
      new: oneOf("webhook"),
    },
  ),
  setting(
    "/webhooks/$webhook",
    lazyRouteComponent(() => import("../webhooks/webhook.tsx"), "Webhook"),
    {
      state: oneOf("WAITING", "DEAD", "DELIVERED"),
    },
  ),
  setting(
    "/users",
    lazyRouteComponent(() => import("../users/users.tsx"), "Users"),
    { new: oneOf("user") },
  ),
  setting(
    "/about",
    lazyRouteComponent(() => import("../about/about.tsx"), "About"),
    {},
  ),
] as const);

const zones = createRoute({
  getParentRoute: () => shell,
  path: "/zones",
  validateSearch: zonesSearch,
  component: lazyRouteComponent(() => import("../zones/zones.tsx"), "Zones"),
});

const activity = createRoute({
  getParentRoute: () => shell,
  path: "/activity",
  validateSearch: activitySearch,
  component: lazyRouteComponent(() => import("../activity/activity.tsx"), "Activity"),
});

const pages = [
  activity,
  zones,
  page(
    "/search",
    lazyRouteComponent(() => import("../search/search.tsx"), "Search"),
    { q: text },
  ),
  page(
    "/servers",
    lazyRouteComponent(() => import("../servers/servers.tsx"), "Servers"),
    { new: oneOf("server") },
  ),
  page(
    "/servers/$server",
    lazyRouteComponent(() => import("../servers/server.tsx"), "Server"),
    {
      software: oneOf("KNOT", "BIND", "NSD", "POWERDNS"),
    },
  ),
  page(
    "/changes/$change",
    lazyRouteComponent(() => import("../change/change.tsx"), "Change"),
    {},
  ),
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
