/** RESTKnot's differences from the documented interface (docs/restknot.md): routes, and two paths without a key. */
import { type RequestHandler, Router } from "express";
import { codes } from "../error-codes.ts";
import type { Refusal } from "../errors.ts";
import { arrayOf } from "./bodies.ts";
import { envelopeForm } from "./body-form.ts";
import { domainListOperation } from "./domain-routes.ts";
import { paging } from "./parameters.ts";
import { pathText } from "./request.ts";
import type { Route } from "./route-form.ts";
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
    docs: {
      summary: "All domains of a user with all their records",
      query: paging,
      answer: arrayOf("Domain"),
    },
    list: "domains",
    operation: domainListOperation,
    variables: (request) => ({ filter: { userId: pathText(request, "userid"), zone: undefined } }),
    pageSize: 50,
    names: { userId: "userid" },
  },
  {
    method: "get",
    path: "/ttl/list",
    docs: { summary: "The TTLs that records may have", answer: { type: "array", items: { type: "object" } } },
    operation: "{ ttlPolicy { choices } }",
    variables: () => ({}),
    view: ({ ttlPolicy }) => ttlPolicy.choices.map((ttl: number, at: number) => ({ id: at + 1, ttl: String(ttl) })),
  },
  {
    method: "get",
    path: "/type/list",
    docs: { summary: "The record types", answer: { type: "array", items: { type: "object" } } },
    operation: "{ recordTypes { type code creatable } }",
    variables: () => ({}),
    view: ({ recordTypes }: { recordTypes: readonly TypeData[] }) =>
      recordTypes.filter(({ creatable }) => creatable).map(({ type, code }) => ({ id: code, type })),
  },
];

/** The status of a refusal: a key that is rejected is a 400. */
export const restknotStatus = ({ code }: Refusal) => (code === "UNAUTHENTICATED" ? 400 : codes[code].status);

/** The paths that need no key: a health check, and the commit from which the service was built. */
export function createPublicPaths(commit: string): RequestHandler {
  const router = Router();
  router.get("/health", (_request, response) => void response.json(envelopeForm.one(200, { check: "100" })));
  router.get("/meta/version", (_request, response) => void response.json(envelopeForm.one(200, { build: commit })));
  return router;
}
