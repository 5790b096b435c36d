/**
 * GraphQL variables from the fields of a REST request.
 */
import { Refusal } from "../errors.ts";
import { bodyOrQueryText, bodyText, bodyTtl, pathText, queryText, type RestRequest } from "./request.ts";

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

/** What selects an object: one of its fields. */
export type Selector = Readonly<Record<string, string>>;

/** The parameters of the query that select something, each a selector with the name of GraphQL's field. */
const selectorsOf = (request: RestRequest, names: Readonly<Record<string, string>>): Selector[] =>
  Object.entries(names).flatMap(([field, name]) => {
    const value = queryText(request, name);
    return value === undefined ? [] : [{ [field]: value }];
  });

/** What selects a user, from the query. */
export const userSelectors = (request: RestRequest) => selectorsOf(request, { id: "id", email: "email" });

/** What selects a zone, from the query. */
export const zoneSelectors = (request: RestRequest) => selectorsOf(request, { id: "id", zone: "name" });

/** The zone of a path: by its id, which is all digits, or by its name. */
export function zoneOfPath(request: RestRequest): Selector {
  const selector = pathText(request, "zoneid");
  return /^[-+]?\d+$/.test(selector) ? { id: selector } : { zone: selector };
}

/** The names of what selects a zone: those of the query where it selects one, else that of the path. */
export const zoneNamesOfPath = (request: RestRequest): FieldNames => ({
  id: queryText(request, "id") === undefined ? "zoneid" : "id",
  zone: queryText(request, "name") === undefined ? "zoneid" : "name",
});

/** The zone of a query: `id` or `name`, or both. */
export function zoneOfQuery(request: RestRequest): readonly Selector[] {
  const selectors = zoneSelectors(request);
  if (selectors.length > 0) return selectors;
  throw new Refusal("INVALID_VALUE", "id is missing; send the id or the name of a zone.", { field: "id" });
}

/** Variables for an object that up to three selectors identify, at least one. */
export function selectedBy([by, by1, by2]: readonly Selector[]): Variables {
  return { by, by1: by1 ?? by, has1: by1 !== undefined, by2: by2 ?? by, has2: by2 !== undefined };
}

/** Whether an edit of an SOA may make its serial leap: `force=yes`, in the query or the body. */
export const isForced = (request: RestRequest) => isYes("force", bodyOrQueryText(request, "force"));

/** The answer of a field that is `yes` or `no`, which it is when it is left out. */
function isYes(field: string, answer: string | undefined): boolean {
  if (answer === undefined || answer === "no") return false;
  if (answer === "yes") return true;
  throw new Refusal("INVALID_VALUE", `${field} is not valid; write ${field}=yes, or leave it out.`, { field });
}

/** What selects changes of a zone, and whether their records are shown: `records=yes`. */
export const changesOfQuery = (request: RestRequest): Variables => ({
  owner: queryText(request, "owner"),
  type: queryText(request, "rtype"),
  actor: queryText(request, "actor"),
  createdSince: queryText(request, "since"),
  createdBefore: queryText(request, "until"),
  withRecords: isYes("records", queryText(request, "records")),
});

/** Selects the domains of the user whom the path names. */
export const domainsOfUser = (request: RestRequest): Variables => ({
  filter: { userId: pathText(request, "userid"), zone: undefined },
});

/** What to do with the domains of a deleted user: `domains=delete`, in the query or the body. */
export function onDomains(request: RestRequest): "REFUSE" | "DELETE" {
  const fate = bodyOrQueryText(request, "domains");
  if (fate === undefined) return "REFUSE";
  if (fate === "delete") return "DELETE";
  throw new Refusal("INVALID_VALUE", "domains is not valid; write domains=delete, or leave it out.", {
    field: "domains",
  });
}
