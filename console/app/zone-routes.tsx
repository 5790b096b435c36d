/**
 * The addresses of one zone: its page with its tabs.
 */
import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { queries } from "../api/queries.ts";
import { zoneOptions } from "../api/zone.ts";
import { ZoneFailed } from "./error-pages.tsx";
import { pastSearch, rrsetSearch, sheetSearch, zoneHistorySearch } from "./searches.ts";
import { shell } from "./shell-route.tsx";

const zone = createRoute({
  getParentRoute: () => shell,
  path: "/zones/$zone",
  loader: ({ params }) => queries.ensureQueryData(zoneOptions(params.zone)),
  component: lazyRouteComponent(() => import("../zones/zone-page.tsx"), "ZonePage"),
  errorComponent: ZoneFailed,
});

const records = createRoute({
  getParentRoute: () => zone,
  path: "/",
  validateSearch: sheetSearch,
  component: lazyRouteComponent(() => import("../zones/records.tsx"), "Records"),
});

const zoneServers = createRoute({
  getParentRoute: () => zone,
  path: "/servers",
  component: lazyRouteComponent(() => import("../zones/zone-servers.tsx"), "ZoneServers"),
});

const zoneHistory = createRoute({
  getParentRoute: () => zone,
  path: "/history",
  validateSearch: zoneHistorySearch,
  component: lazyRouteComponent(() => import("../history/zone-history.tsx"), "ZoneHistory"),
});

const zoneAt = createRoute({
  getParentRoute: () => zone,
  path: "/at/$moment",
  validateSearch: pastSearch,
  component: lazyRouteComponent(() => import("../history/zone-at.tsx"), "ZoneAt"),
});

/** The page above a moment. */
const moments = createRoute({
  getParentRoute: () => zone,
  path: "/at",
  beforeLoad: ({ params }) => {
    throw redirect({ to: "/zones/$zone/history", params, replace: true });
  },
});

const rrset = createRoute({
  getParentRoute: () => zone,
  path: "/rrset",
  validateSearch: rrsetSearch,
  component: lazyRouteComponent(() => import("../history/moment/rrset.tsx"), "Rrset"),
});

const zoneText = createRoute({
  getParentRoute: () => zone,
  path: "/text",
  component: lazyRouteComponent(() => import("../text/text-tab.tsx"), "TextTab"),
});

const zoneImport = createRoute({
  getParentRoute: () => zone,
  path: "/import",
  component: lazyRouteComponent(() => import("../import/import-tab.tsx"), "ImportTab"),
});

export const ofZone = zone.addChildren([
  records,
  zoneHistory,
  moments,
  zoneAt,
  rrset,
  zoneText,
  zoneImport,
  zoneServers,
]);
