/**
 * The addresses of the console and what each shows. Screens are loaded when they are first opened.
 */
import { createRoute, createRouter, lazyRouteComponent, type RouteComponent, redirect } from "@tanstack/react-router";
import { Loading } from "../parts/page/page.tsx";
import { Failed, NoPage } from "./error-pages.tsx";
import { oneOf, parseSearch, printSearch, type Readers, searchOf, text } from "./search-text.ts";
import { auditSearch, changeSetsSearch, historySearch, pastSearch, rrsetSearch, zonesSearch } from "./searches.ts";
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

const history = createRoute({
  getParentRoute: () => shell,
  path: "/history",
  validateSearch: historySearch,
  component: lazyRouteComponent(() => import("../history/history.tsx"), "History"),
});

const pages = [
  page(
    "/zones",
    lazyRouteComponent(() => import("../zones/zones.tsx"), "Zones"),
    zonesSearch,
  ),
  page(
    "/search",
    lazyRouteComponent(() => import("../search/search.tsx"), "Search"),
    { q: text },
  ),
  page(
    "/history/$change",
    lazyRouteComponent(() => import("../history/change-view.tsx"), "ChangeView"),
    {},
  ),
  page(
    "/changesets",
    lazyRouteComponent(() => import("../changesets/change-sets.tsx"), "ChangeSets"),
    changeSetsSearch,
  ),
  page(
    "/changesets/$set",
    lazyRouteComponent(() => import("../changesets/change-set.tsx"), "ChangeSet"),
    {},
  ),
  page(
    "/templates",
    lazyRouteComponent(() => import("../templates/templates.tsx"), "Templates"),
    {},
  ),
  page(
    "/templates/new",
    lazyRouteComponent(() => import("../templates/template-form.tsx"), "NewTemplate"),
    {},
  ),
  page(
    "/templates/$template",
    lazyRouteComponent(() => import("../templates/template.tsx"), "Template"),
    {},
  ),
  page(
    "/templates/$template/edit",
    lazyRouteComponent(() => import("../templates/template-form.tsx"), "EditTemplate"),
    {},
  ),
  page(
    "/deleted",
    lazyRouteComponent(() => import("../history/deleted/deleted-zones.tsx"), "DeletedZones"),
    {
      q: text,
    },
  ),
  page(
    "/deleted/$domain",
    lazyRouteComponent(() => import("../history/deleted/deleted-zone.tsx"), "DeletedZone"),
    {
      ...pastSearch,
      at: text,
    },
  ),
  page(
    "/deleted/$domain/rrset",
    lazyRouteComponent(() => import("../history/deleted/deleted-zone.tsx"), "DeletedRrset"),
    rrsetSearch,
  ),
  page(
    "/status",
    lazyRouteComponent(() => import("../status/status.tsx"), "Status"),
    {},
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
    "/refusals",
    lazyRouteComponent(() => import("../refusals/refusals.tsx"), "Refusals"),
    { zone: text },
  ),
  page(
    "/audit",
    lazyRouteComponent(() => import("../audit/audit.tsx"), "Audit"),
    auditSearch,
  ),
  page(
    "/keys",
    lazyRouteComponent(() => import("../keys/api-keys.tsx"), "ApiKeys"),
    { new: oneOf("key") },
  ),
  page(
    "/keys/tsig",
    lazyRouteComponent(() => import("../keys/tsig-keys.tsx"), "TsigKeys"),
    { new: oneOf("key") },
  ),
  page(
    "/webhooks",
    lazyRouteComponent(() => import("../webhooks/webhooks.tsx"), "Webhooks"),
    {
      new: oneOf("webhook"),
    },
  ),
  page(
    "/webhooks/$webhook",
    lazyRouteComponent(() => import("../webhooks/webhook.tsx"), "Webhook"),
    {
      state: oneOf("WAITING", "DEAD", "DELIVERED"),
    },
  ),
  page(
    "/users",
    lazyRouteComponent(() => import("../users/users.tsx"), "Users"),
    { new: oneOf("user") },
  ),
  page(
    "/about",
    lazyRouteComponent(() => import("../about/about.tsx"), "About"),
    {},
  ),
] as const;

const tree = root.addChildren([signIn, shell.addChildren([start, ofZone, history, ...pages])]);

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
