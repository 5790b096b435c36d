/**
 * The addresses of one zone: its page with its tabs.
 */
import { createRoute, lazyRouteComponent, type RouteComponent } from "@tanstack/react-router";
import { queries } from "../api/queries.ts";
import { zoneOptions } from "../api/zone.ts";
import { ZoneFailed } from "./error-pages.tsx";
import { searchOf } from "./search-text.ts";
import { momentSearch, sheetSearch, zoneHistorySearch } from "./searches.ts";
import { shell } from "./shell-route.tsx";

const zone = createRoute({
  getParentRoute: () => shell,
  path: "/zones/$zone",
  loader: ({ params }) => queries.ensureQueryData(zoneOptions(params.zone)),
  component: lazyRouteComponent(() => import("../zones/zone-page.tsx"), "ZonePage"),
  errorComponent: ZoneFailed,
});

/** A tab of the page, with what reads the search parameters that it knows. */
const tab = <const Path extends string, Search>(
  path: Path,
  component: RouteComponent,
  validateSearch: (search: Record<string, unknown>) => Search,
) => createRoute({ getParentRoute: () => zone, path, component, validateSearch });

/** The sheet and its draft are shown by one component, so that the sheet stays as it is while its draft is looked at. */
const records = createRoute({
  getParentRoute: () => zone,
  id: "records",
  component: lazyRouteComponent(() => import("../zones/records.tsx"), "Records"),
  validateSearch: searchOf(sheetSearch),
});

const sheet = createRoute({ getParentRoute: () => records, path: "/" });
const draft = createRoute({ getParentRoute: () => records, path: "/draft" });

export const ofZone = zone.addChildren([
  records.addChildren([sheet, draft]),
  tab(
    "/history",
    lazyRouteComponent(() => import("../history/zone-history.tsx"), "ZoneHistory"),
    zoneHistorySearch,
  ),
  tab(
    "/history/$moment",
    lazyRouteComponent(() => import("../history/zone-at.tsx"), "ZoneAt"),
    momentSearch,
  ),
  tab(
    "/text",
    lazyRouteComponent(() => import("../text/text-tab.tsx"), "TextTab"),
    searchOf({}),
  ),
  tab(
    "/servers",
    lazyRouteComponent(() => import("../zones/zone-servers.tsx"), "ZoneServers"),
    searchOf({}),
  ),
]);
