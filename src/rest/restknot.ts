/**
 * What RESTKnot's code answers otherwise than the documented interface says (docs/restknot.md): routes of its own, and two that need no
 * key.
 */
import { type RequestHandler, Router } from "express";
import { codes } from "../error-codes.ts";
import type { Refusal } from "../errors.ts";
import { envelopeForm } from "./body-form.ts";
import { domainsOfUser } from "./operation-variables.ts";
import { domainListOperation } from "./operations.ts";
import type { Route } from "./route.ts";
import { docs } from "./route-docs.ts";
import { routes } from "./routes.ts";

/** A record type as GraphQL returns it. */
interface TypeData {
  readonly type: string;
  readonly code: number;
  readonly creatable: boolean;
}

/** The routes of RESTKnot: the documented ones, all domains of a user instead of the oldest, and the lists of TTLs and types. */
export const restknotRoutes: readonly Route[] = [
  ...routes.filter(({ path }) => path !== "/domain/list/user/:userid"),
  {
    method: "get",
    path: "/domain/list/user/:userid",
    docs: docs.domainsOfUser,
    list: "domains",
    operation: domainListOperation,
    variables: domainsOfUser,
    pageSize: 50,
    names: { first: "limit", after: "cursor", userId: "userid" },
  },
  {
    method: "get",
    path: "/ttl/list",
    docs: docs.ttlList,
    status: 200,
    operation: "{ ttlPolicy { choices } }",
    variables: () => ({}),
    view: ({ ttlPolicy }) => ttlPolicy.choices.map((ttl: number, at: number) => ({ id: at + 1, ttl: String(ttl) })),
  },
  {
    method: "get",
    path: "/type/list",
    docs: docs.typeList,
    status: 200,
    operation: "{ recordTypes { type code creatable } }",
    variables: () => ({}),
    view: ({ recordTypes }: { recordTypes: readonly TypeData[] }) =>
      recordTypes.filter(({ creatable }) => creatable).map(({ type, code }) => ({ id: code, type })),
  },
];

/** The status of a refusal: a key that is rejected is a 400. */
export const restknotStatus = ({ code }: Refusal) => (code === "UNAUTHENTICATED" ? 400 : codes[code].status);

/** The paths that need no key: whether the service answers, and which commit it was built from. */
export function createPublicPaths(commit: string): RequestHandler {
  const router = Router();
  router.get("/health", (_request, response) => void response.json(envelopeForm.one(200, { check: "100" })));
  router.get("/meta/version", (_request, response) => void response.json(envelopeForm.one(200, { build: commit })));
  return router;
}
