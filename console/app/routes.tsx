/**
 * The addresses of the console and what each shows. Screens are loaded when they are first opened.
 */
import { createRoute, createRouter, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { Loading } from "../parts/page/page.tsx";
import { Failed, NoPage } from "./error-pages.tsx";
import { defined, oneOf, parseSearch, printSearch, text } from "./search-text.ts";
import { auditSearch, changeSetsSearch, historySearch, pastSearch, rrsetSearch, zonesSearch } from "./searches.ts";
import { root, shell, signIn } from "./shell-route.tsx";
import { ofZone } from "./zone-routes.tsx";

const start = createRoute({
  getParentRoute: () => shell,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/zones", replace: true });
  },
});

const zones = createRoute({
  getParentRoute: () => shell,
  path: "/zones",
  validateSearch: zonesSearch,
  component: lazyRouteComponent(() => import("../zones/zones.tsx"), "Zones"),
});

const deletedZones = createRoute({
  getParentRoute: () => shell,
  path: "/deleted",
  validateSearch: (search: Record<string, unknown>) => defined("q", text(search.q)),
  component: lazyRouteComponent(() => import("../history/deleted/deleted-zones.tsx"), "DeletedZones"),
});

const deletedZone = createRoute({
  getParentRoute: () => shell,
  path: "/deleted/$domain",
  validateSearch: (search: Record<string, unknown>) => ({ ...pastSearch(search), ...defined("at", text(search.at)) }),
  component: lazyRouteComponent(() => import("../history/deleted/deleted-zone.tsx"), "DeletedZone"),
});

const deletedRrset = createRoute({
  getParentRoute: () => shell,
  path: "/deleted/$domain/rrset",
  validateSearch: rrsetSearch,
  component: lazyRouteComponent(() => import("../history/deleted/deleted-zone.tsx"), "DeletedRrset"),
});

const history = createRoute({
  getParentRoute: () => shell,
  path: "/history",
  validateSearch: historySearch,
  component: lazyRouteComponent(() => import("../history/history.tsx"), "History"),
});

const change = createRoute({
  getParentRoute: () => shell,
  path: "/history/$change",
  component: lazyRouteComponent(() => import("../history/change-view.tsx"), "ChangeView"),
});

const status = createRoute({
  getParentRoute: () => shell,
  path: "/status",
  component: lazyRouteComponent(() => import("../status/status.tsx"), "Status"),
});

const servers = createRoute({
  getParentRoute: () => shell,
  path: "/servers",
  validateSearch: (search: Record<string, unknown>) => defined("new", oneOf(search.new, ["server"] as const)),
  component: lazyRouteComponent(() => import("../servers/servers.tsx"), "Servers"),
});

const server = createRoute({
  getParentRoute: () => shell,
  path: "/servers/$server",
  validateSearch: (search: Record<string, unknown>) =>
    defined("software", oneOf(search.software, ["KNOT", "BIND", "NSD", "POWERDNS"] as const)),
  component: lazyRouteComponent(() => import("../servers/server.tsx"), "Server"),
});

const keys = createRoute({
  getParentRoute: () => shell,
  path: "/keys",
  validateSearch: (search: Record<string, unknown>) => defined("new", oneOf(search.new, ["key"] as const)),
  component: lazyRouteComponent(() => import("../keys/api-keys.tsx"), "ApiKeys"),
});

const tsigKeys = createRoute({
  getParentRoute: () => shell,
  path: "/keys/tsig",
  validateSearch: (search: Record<string, unknown>) => defined("new", oneOf(search.new, ["key"] as const)),
  component: lazyRouteComponent(() => import("../keys/tsig-keys.tsx"), "TsigKeys"),
});

const webhooks = createRoute({
  getParentRoute: () => shell,
  path: "/webhooks",
  validateSearch: (search: Record<string, unknown>) => defined("new", oneOf(search.new, ["webhook"] as const)),
  component: lazyRouteComponent(() => import("../webhooks/webhooks.tsx"), "Webhooks"),
});

const webhook = createRoute({
  getParentRoute: () => shell,
  path: "/webhooks/$webhook",
  validateSearch: (search: Record<string, unknown>) =>
    defined("state", oneOf(search.state, ["WAITING", "DEAD", "DELIVERED"] as const)),
  component: lazyRouteComponent(() => import("../webhooks/webhook.tsx"), "Webhook"),
});

const refusals = createRoute({
  getParentRoute: () => shell,
  path: "/refusals",
  validateSearch: (search: Record<string, unknown>) => defined("zone", text(search.zone)),
  component: lazyRouteComponent(() => import("../refusals/refusals.tsx"), "Refusals"),
});

const audit = createRoute({
  getParentRoute: () => shell,
  path: "/audit",
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import("../audit/audit.tsx"), "Audit"),
});

const search = createRoute({
  getParentRoute: () => shell,
  path: "/search",
  validateSearch: ({ q }: Record<string, unknown>) => defined("q", text(q)),
  component: lazyRouteComponent(() => import("../search/search.tsx"), "Search"),
});

const changeSets = createRoute({
  getParentRoute: () => shell,
  path: "/changesets",
  validateSearch: changeSetsSearch,
  component: lazyRouteComponent(() => import("../changesets/change-sets.tsx"), "ChangeSets"),
});

const changeSet = createRoute({
  getParentRoute: () => shell,
  path: "/changesets/$set",
  component: lazyRouteComponent(() => import("../changesets/change-set.tsx"), "ChangeSet"),
});

const templates = createRoute({
  getParentRoute: () => shell,
  path: "/templates",
  component: lazyRouteComponent(() => import("../templates/templates.tsx"), "Templates"),
});

const newTemplate = createRoute({
  getParentRoute: () => shell,
  path: "/templates/new",
  component: lazyRouteComponent(() => import("../templates/template-form.tsx"), "NewTemplate"),
});

const template = createRoute({
  getParentRoute: () => shell,
  path: "/templates/$template",
  component: lazyRouteComponent(() => import("../templates/template.tsx"), "Template"),
});

const editTemplate = createRoute({
  getParentRoute: () => shell,
  path: "/templates/$template/edit",
  component: lazyRouteComponent(() => import("../templates/template-form.tsx"), "EditTemplate"),
});

const users = createRoute({
  getParentRoute: () => shell,
  path: "/users",
  validateSearch: (search: Record<string, unknown>) => defined("new", oneOf(search.new, ["user"] as const)),
  component: lazyRouteComponent(() => import("../users/users.tsx"), "Users"),
});

const about = createRoute({
  getParentRoute: () => shell,
  path: "/about",
  component: lazyRouteComponent(() => import("../about/about.tsx"), "About"),
});

const tree = root.addChildren([
  signIn,
  shell.addChildren([
    start,
    zones,
    ofZone,
    search,
    history,
    change,
    changeSets,
    changeSet,
    templates,
    newTemplate,
    template,
    editTemplate,
    deletedZones,
    deletedZone,
    deletedRrset,
    status,
    servers,
    server,
    refusals,
    audit,
    keys,
    tsigKeys,
    webhooks,
    webhook,
    users,
    about,
  ]),
]);

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
