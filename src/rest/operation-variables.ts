/**
 * GraphQL variables from the fields of a REST request.
 */
import { Refusal } from "../errors.ts";
import { bodyText, bodyTtl, pathText, queryText, type RestRequest } from "./request.ts";

export type Variables = Readonly<Record<string, unknown>>;

/** The names of fields on a path that differ from GraphQL's, by GraphQL's name. */
export type FieldNames = Readonly<Record<string, string>>;

/** A record, from the body. */
export const recordFromBody = (request: RestRequest): Variables => ({
  zone: bodyText(request, "zone"),
  owner: bodyText(request, "owner"),
  type: bodyText(request, "rtype"),
  rdata: bodyText(request, "rdata"),
  ttl: bodyTtl(request, "ttl"),
});

/** What selects a user, from the query. */
export const userSelectors = (request: RestRequest): Variables => ({
  id: queryText(request, "id"),
  email: queryText(request, "email"),
});

/** The zone of a path: by its id, which is all digits, or by its name. */
export function zoneOfPath(request: RestRequest): Variables {
  const selector = pathText(request, "zoneid");
  return /^[-+]?\d+$/.test(selector) ? { id: selector } : { zone: selector };
}

/** The names of what selects a zone: those of the query where it selects one, else that of the path. */
export const zoneNamesOfPath = (request: RestRequest): FieldNames => ({
  id: queryText(request, "id") === undefined ? "zoneid" : "id",
  zone: queryText(request, "name") === undefined ? "zoneid" : "name",
});

/** The zone of a query: `id` or `name`. */
export function zoneOfQuery(request: RestRequest): Variables {
  const selectors = { id: queryText(request, "id"), zone: queryText(request, "name") };
  if (selectors.id !== undefined || selectors.zone !== undefined) return selectors;
  throw new Refusal("INVALID_VALUE", "id is missing; send the id or the name of a zone.", { field: "id" });
}

/** Variables for what the query selects besides the path; `also` says whether it selects anything. */
export function alsoSelected(selectors: Readonly<Record<string, string | undefined>>): Variables {
  return { ...selectors, also: Object.values(selectors).some((selector) => selector !== undefined) };
}

/** What to do with the domains of a deleted user: `?domains=delete`. */
export function onDomains(request: RestRequest): "REFUSE" | "DELETE" {
  const fate = queryText(request, "domains");
  if (fate === undefined) return "REFUSE";
  if (fate === "delete") return "DELETE";
  throw new Refusal("INVALID_VALUE", "domains is not valid; write domains=delete, or leave it out.", {
    field: "domains",
  });
}
