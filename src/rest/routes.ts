/** The table of the documented REST paths. Every operation is parsed and validated against the schema at start. */
import { domainRoutes } from "./domain-routes.ts";
import { recordRoutes } from "./record-routes.ts";
import type { Route } from "./route-form.ts";
import { userRoutes } from "./user-routes.ts";

/** How REST writes values of types of the schema: ids as numbers, TTLs as texts. */
export const textLeaves = { ID: "plain", Int: "quoted" } as const;

/** The table, in the order of the documented interface. */
export const routes: readonly Route[] = [...recordRoutes, ...userRoutes, ...domainRoutes];
