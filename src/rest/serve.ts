/**
 * Serves the table of routes: runs each GraphQL operation in process and writes its result; lists and domains are streamed (body-text.ts).
 */
import { type Request, type RequestHandler, type Response, Router } from "express";
import { Refusal } from "../errors.ts";
import { becomeStream, partInTurn } from "../turns/queues.ts";
import type { DomainData, PageData } from "./bodies.ts";
import { type BodyForm, bareForm } from "./body-form.ts";
import {
  type ListPage,
  ListText,
  type More,
  pageOfData,
  pageOfText,
  type ReadPage,
  wholeDomainText,
} from "./body-text.ts";
import { moreRecordsQuery } from "./domain-routes.ts";
import { expectAllRead, queryText } from "./request.ts";
import type { FieldNames, ListRoute, OneRoute, Route, Variables } from "./route-form.ts";
import { routes } from "./routes.ts";
import { sendText } from "./send-text.ts";
import { changeHeaders, type ZoneMutation } from "./shared-parts.ts";
import { applyPreferredWait, changeNote, type WaitForLive } from "./write-headers.ts";

/** Runs a prepared GraphQL operation for the actor of a response; throws the first Refusal. */
type RunOperation = (
  variables: Readonly<Record<string, unknown>>,
  response: Response,
) => Promise<Record<string, unknown>>;

/** Parses and validates the text of an operation; throws at start when the schema does not have it. */
export type PrepareOperation = (operation: string) => RunOperation;

/** Reads the text of a page of a list, by a plan; undefined when the operation must be executed. */
export type ReadText = (
  variables: Readonly<Record<string, unknown>>,
  response: Response,
) => Promise<string | undefined>;

/** The options of a router: its routes, the form of bodies, and the function that prepares lists that are read as text. */
export interface RestOptions {
  readonly table?: readonly Route[];
  readonly form?: BodyForm;
  readonly prepareText?: (operation: string) => ReadText;
}

export function createRest(
  prepare: PrepareOperation,
  { table = routes, form = bareForm, prepareText = () => async () => undefined }: RestOptions = {},
): Router {
  const router = Router();
  const more = prepare(moreRecordsQuery);
  const waitForLive = createWaitForLive(prepare);
  for (const route of table) {
    const run = withRouteNames(route, prepare(route.operation));
    const readText = "list" in route && route.isText ? prepareText(route.operation) : async () => undefined;
    const endpoint = `${route.method.toUpperCase()} /api${route.path}`;
    router[route.method](
      route.path,
      noteEndpoint(endpoint),
      handler(route, { run, readText, more, waitForLive, form }),
    );
  }
  for (const [path, methods] of Map.groupBy(table, ({ path }) => path))
    router.all(path, refuseOtherMethods(methods.map(({ method }) => method)));
  return router;
}

/** Notes the endpoint as which metrics count a request: its method and its path in the table. */
export const noteEndpoint =
  <Parameters>(endpoint: string): RequestHandler<Parameters> =>
  (_request, response, next) => {
    response.locals.endpoint = endpoint;
    next();
  };

/** Refuses the other methods of a path; OPTIONS is answered by express, and HEAD where there is GET. */
export function refuseOtherMethods(methods: readonly string[]): RequestHandler {
  const upper = [...new Set(methods)].map((method) => method.toUpperCase());
  const allowed = upper.includes("GET") ? ["GET", "HEAD", ...upper.filter((method) => method !== "GET")] : upper;
  return (request, response, next) => {
    if (request.method === "OPTIONS") return next();
    response.set("Allow", allowed.join(", "));
    const message = `${request.method.slice(0, 20)} is not a method of this path; send ${allowed.join(" or ")}.`;
    throw new Refusal("METHOD_NOT_ALLOWED", message);
  };
}

const waitForLiveQuery = `query ($id: ID!, $waitMs: Int!) {
  change(id: $id) { publication(waitMs: $waitMs) { state } }
}`;

/** Makes the function that waits for the publication of a change, by the GraphQL operation that other clients use. */
export function createWaitForLive(prepare: PrepareOperation): WaitForLive {
  const run = prepare(waitForLiveQuery);
  return async (id, waitMs, response) => {
    const { change } = await run({ id, waitMs }, response);
    return (change as { publication: { state: string } }).publication.state;
  };
}

const listNames: FieldNames = { first: "limit", after: "cursor", userId: "user_id", "types.0": "type" };

/** Runs an operation; its refusals name the fields as the route does. */
function withRouteNames(route: Route, run: RunOperation): RunOperation {
  const { names = {} } = route;
  return (variables, response) =>
    run(variables, response).catch((error) => {
      if (!(error instanceof Refusal)) throw error;
      const own = typeof names === "function" ? names(response.req) : names;
      const named = "list" in route ? { ...listNames, ...own } : own;
      throw error.withFieldNames((field) => named[field] ?? field);
    });
}

/**
 * The operations of a handler: `run` is that of its route, `more` reads further records. `form` is the form of bodies.
 */
interface Operations {
  readonly run: RunOperation;
  readonly readText: ReadText;
  readonly more: RunOperation;
  readonly waitForLive: WaitForLive;
  readonly form: BodyForm;
}

function handler(route: Route, operations: Operations): RequestHandler {
  if (!("list" in route)) return (request, response) => answerOne(route, operations, request, response);
  return async (request, response, next) => {
    if (route.unless?.(request)) return next();
    await answerList(route, operations, request, response);
  };
}

async function answerOne(
  route: OneRoute,
  { run, more, waitForLive, form }: Operations,
  request: Request,
  response: Response,
): Promise<void> {
  const variables = withNote(route, route.variables(request), request);
  expectAllRead(request);
  const data = await run(variables, response);
  const domain = route.domain?.(data);
  if (route.domain && !domain) throw new Refusal("NOT_FOUND", "The user owns no domain.", { field: "userid" });
  response.set({
    ...(route.docs.isChange && changeHeaders(Object.values(data)[0] as ZoneMutation)),
    ...route.headers?.(data, request),
  });
  warnOfFields(route, request, response);
  const changeId = response.get("X-Change-Id");
  if (changeId !== undefined) await applyPreferredWait(waitForLive, changeId, request, response);
  const { status = 200 } = route;
  response.status(status);
  if (domain) await sendDomain(domain, (variables) => more(variables, response), response, form);
  else if (route.view) response.json(form.one(status, route.view(data)));
  else response.end();
}

function withNote({ docs }: OneRoute, variables: Variables, request: Request): Variables {
  const note = docs.isChange && changeNote(request);
  return note ? { ...variables, input: { ...(variables.input as object), note } } : variables;
}

/** Warns of fields of a form that the path does not read, most often the part of the data after a &. */
function warnOfFields({ hasData, docs }: OneRoute, request: Request, response: Response): void {
  if (!hasData || !request.is("application/x-www-form-urlencoded")) return;
  const fields = new Set(docs.body?.map(({ name }) => name));
  const others = Object.keys(request.body ?? {}).filter((name) => !fields.has(name));
  if (others.length === 0) return;
  const hint = "if a & belongs to the data, send it as %26, as curl --data-urlencode does";
  response.append("X-Warning", `The form has fields that this path does not read (${headerText(others)}); ${hint}.`);
}

const headerText = (names: readonly string[]) =>
  names
    .join(", ")
    .replace(/[^\x20-\x7e]/g, "?")
    .slice(0, 100);

async function answerList(
  route: ListRoute,
  { run, readText, more, form }: Operations,
  request: Request,
  response: Response,
): Promise<void> {
  const limit = queryText(request, "limit");
  const cursor = queryText(request, "cursor");
  const paged = limit !== undefined || cursor !== undefined;
  const pageSize = limit === undefined ? route.pageSize : readLimit(limit);
  const variables = route.variables(request);
  expectAllRead(request);
  const read: ReadPage = async (first, after = null) => {
    const page = { ...variables, first, records: recordsPerDomain(first), after, count: paged };
    const text = form === bareForm ? await readText(page, response) : undefined;
    return text === undefined
      ? pageOfData(listOf(route, await run(page, response)), route.view)
      : pageOfText(text, route.list);
  };
  // How long the rows are is not known before the first page.
  const first = paged ? pageSize : Math.ceil(pageSize / 10);
  becomeStream();
  const page = await partInTurn(() => read(first, cursor));
  if (form.refusesEmptyLists && page.count === 0) throw new Refusal("NOT_FOUND", "There is nothing in this list.");
  if (paged) setPageHeaders(request, response, page, pageSize);
  response.type("application/json");
  const text = new ListText(route, (rest) => more(rest, response), form);
  await sendText(response, paged ? text.ofPage(page) : text.ofAll(page, first, read));
}

/** Sends a domain; one of many records is a stream. */
async function sendDomain(domain: DomainData, more: More, response: Response, form: BodyForm): Promise<void> {
  if (domain.records.pageInfo.hasNextPage) becomeStream();
  response.type("application/json");
  await sendText(response, wholeDomainText(domain, more, form));
}

function listOf({ of, list }: ListRoute, data: Readonly<Record<string, unknown>>): PageData<never> {
  const holder = (of ? data[of] : data) as Readonly<Record<string, unknown>>;
  return holder[list] as PageData<never>;
}

/** The records that are read at once with each of `first` domains, 5000 in all; the others are read later. */
const recordsPerDomain = (first: number) => Math.max(1, Math.min(100, Math.floor(5000 / first)));

function readLimit(limit: string): number {
  if (/^[1-9]\d{0,3}$/.test(limit) && Number(limit) <= 1000) return Number(limit);
  throw new Refusal("INVALID_VALUE", "limit is not a page size; write a number from 1 to 1000.", { field: "limit" });
}

function setPageHeaders(request: Request, response: Response, page: ListPage, limit: number): void {
  response.set("X-Total-Count", String(page.totalCount));
  const { hasNextPage, endCursor } = page.pageInfo;
  if (!hasNextPage || endCursor === null) return;
  const filters = Object.entries(request.query).filter(([name]) => name !== "limit" && name !== "cursor");
  const query = new URLSearchParams(filters.map(([name, value]): [string, string] => [name, String(value)]));
  query.set("limit", String(limit));
  query.set("cursor", endCursor);
  response.set("Link", `<${request.baseUrl}${request.path}?${query}>; rel="next"`);
}
