/**
 * Serves the table of routes: runs each GraphQL operation in process and writes its result. Lists and domains are
 * streamed a page at a time, so that their size does not matter. Limitation: a list is not one snapshot; rows that
 * change meanwhile may or may not be in it.
 */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Request, type RequestHandler, type Response, Router } from "express";
import { codes, Refusal } from "../errors.ts";
import { applyPreferredWait, type WaitForLive } from "./prefer-header.ts";
import { queryText } from "./request.ts";
import { type DomainData, domainOpening, innerRecordView, type PageData, type RecordData } from "./response-bodies.ts";
import { type ListRoute, moreRecordsQuery, type OneRoute, type Route, routes } from "./routes.ts";

/**
 * Runs a GraphQL operation that was parsed and validated at start, for the actor of a response; throws the first
 * Refusal.
 */
export type RunOperation = (
  variables: Readonly<Record<string, unknown>>,
  response: Response,
) => Promise<Record<string, unknown>>;

/** Parses and validates the text of an operation; throws at start when the schema does not have it. */
export type PrepareOperation = (operation: string) => RunOperation;

/** Makes the router of all paths in the table of routes. */
export function createRest(prepare: PrepareOperation): Router {
  const router = Router();
  const more = prepare(moreRecordsQuery);
  const waitForLive = createWaitForLive(prepare);
  for (const route of routes) {
    const run = withRouteNames(route, prepare(route.operation));
    router[route.method](route.path, handler(route, { run, more, waitForLive }));
  }
  return router;
}

const waitForLiveQuery = `query ($id: ID!, $timeoutMs: Int!) {
  change(id: $id) { publication(waitFor: LIVE, timeoutMs: $timeoutMs) { state } }
}`;

/** Makes what waits for the publication of a change, by the same GraphQL operation that other clients wait with. */
export function createWaitForLive(prepare: PrepareOperation): WaitForLive {
  const run = prepare(waitForLiveQuery);
  return async (id, timeoutMs, response) => {
    const { change } = await run({ id, timeoutMs }, response);
    return (change as { publication: { state: string } }).publication.state;
  };
}

/** The body of a refusal; those of a master file list the reason of each line. */
export function restBody({ code, message, field, reasons }: Refusal): unknown {
  const { status } = codes[code];
  const lines = reasons.some(({ line }) => line !== undefined) ? { reasons } : {};
  return { code: status, status: "error", message, error: code, ...(field !== undefined && { field }), ...lines };
}

/** Runs an operation; its refusals have the names that the route has for the fields. */
function withRouteNames({ names = {} }: Route, run: RunOperation): RunOperation {
  return (variables, response) =>
    run(variables, response).catch((error) => {
      if (!(error instanceof Refusal)) throw error;
      const named = typeof names === "function" ? names(response.req) : names;
      throw error.withFieldNames((field) => named[field] ?? field);
    });
}

/**
 * The operations of a handler: that of its route, the one that reads further records, and the wait for publication.
 */
interface Operations {
  readonly run: RunOperation;
  readonly more: RunOperation;
  readonly waitForLive: WaitForLive;
}

function handler(route: Route, operations: Operations): RequestHandler {
  if (!("list" in route)) return (request, response) => answerOne(route, operations, request, response);
  return (request, response, next) =>
    route.unless?.(request) ? next() : answerList(route, operations, request, response);
}

async function answerOne(
  route: OneRoute,
  { run, more, waitForLive }: Operations,
  request: Request,
  response: Response,
): Promise<void> {
  const data = await run(route.variables(request), response);
  const domain = route.domain?.(data);
  if (route.domain && !domain) throw new Refusal("NOT_FOUND", "The user owns no domain.", { field: "userid" });
  for (const [name, value] of Object.entries(route.headers?.(data, request) ?? {}))
    response.set(name, value as string | string[]);
  const changeId = response.get("X-Change-Id");
  if (changeId !== undefined) await applyPreferredWait(waitForLive, changeId, request, response);
  response.status(route.status);
  if (domain)
    await stream(
      response,
      domainText(domain, (variables) => more(variables, response)),
    );
  else if (route.view) response.json(route.view(data));
  else response.end();
}

type Page = PageData<DomainData | RecordData>;
type More = (variables: Record<string, unknown>) => Promise<Record<string, unknown>>;

async function answerList(
  route: ListRoute,
  { run, more }: Operations,
  request: Request,
  response: Response,
): Promise<void> {
  const limit = queryText(request, "limit");
  const cursor = queryText(request, "cursor");
  const paged = limit !== undefined || cursor !== undefined;
  const first = limit === undefined ? route.pageSize : readLimit(limit);
  const variables = route.variables(request);
  const read = async (after: string | null | undefined): Promise<Page> =>
    (
      await run({ ...variables, first, records: recordsPerDomain(first), after: after ?? null, count: paged }, response)
    )[route.list] as Page;
  const page = await read(cursor);
  if (paged) setPageHeaders(request, response, page, first);
  const nodes = (from: Page) => nodesText(route, from, (rest) => more(rest, response));
  await stream(response, listText(page, nodes, paged ? undefined : read));
}

/**
 * How many records are read with each of `first` domains: at most 5000 in all; the others are read while they are
 * written.
 */
const recordsPerDomain = (first: number) => Math.max(1, Math.min(100, Math.floor(5000 / first)));

function readLimit(limit: string): number {
  if (/^[1-9]\d{0,3}$/.test(limit) && Number(limit) <= 1000) return Number(limit);
  throw new Refusal("INVALID_VALUE", "limit is not a page size; write a number from 1 to 1000.", { field: "limit" });
}

function setPageHeaders(request: Request, response: Response, page: Page, limit: number): void {
  response.set("X-Total-Count", String(page.totalCount));
  const { hasNextPage, endCursor } = page.pageInfo;
  if (!hasNextPage || endCursor === null) return;
  const filters = Object.entries(request.query).filter(([name]) => name !== "limit" && name !== "cursor");
  const query = new URLSearchParams(filters.map(([name, value]): [string, string] => [name, String(value)]));
  query.set("limit", String(limit));
  query.set("cursor", endCursor);
  response.set("Link", `<${request.baseUrl}${request.path}?${query}>; rel="next"`);
}

/** The JSON text of a list: its first page, then the further pages that `next` reads. */
async function* listText(
  first: Page,
  text: (page: Page) => AsyncIterable<string>,
  next: ((after: string | null) => Promise<Page>) | undefined,
): AsyncGenerator<string> {
  yield "[";
  let page = first;
  for (;;) {
    yield* text(page);
    if (!next || !page.pageInfo.hasNextPage) break;
    page = await next(page.pageInfo.endCursor);
    if (page.nodes.length > 0) yield ",";
  }
  yield "]\n";
}

async function* nodesText(route: ListRoute, page: Page, more: More): AsyncGenerator<string> {
  if (route.view) {
    const { view } = route;
    yield page.nodes.map((node) => JSON.stringify(view(node))).join(",");
    return;
  }
  for (const [at, domain] of page.nodes.entries()) {
    if (at > 0) yield ",";
    yield* domainText(domain as DomainData, more);
  }
}

/** The JSON text of a domain with all its records. */
async function* domainText(domain: DomainData, more: More): AsyncGenerator<string> {
  let { records } = domain;
  let text = `${domainOpening(domain)}${recordsText(records)}`;
  while (records.pageInfo.hasNextPage) {
    yield text;
    const data = await more({ id: domain.id, after: records.pageInfo.endCursor });
    records = (data.domain as Pick<DomainData, "records">).records;
    text = records.nodes.length > 0 ? `,${recordsText(records)}` : "";
  }
  yield `${text}]}`;
}

const recordsText = (records: PageData<RecordData>) =>
  records.nodes.map((node) => JSON.stringify(innerRecordView(node))).join(",");

/**
 * Streams text; an error after the first byte breaks the connection, so that no client takes the response for complete.
 */
async function stream(response: Response, text: AsyncIterable<string>): Promise<void> {
  response.type("application/json");
  await pipeline(Readable.from(text, { highWaterMark: 1 }), response).catch(() => response.destroy());
}
