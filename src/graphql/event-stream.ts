/**
 * Subscriptions over HTTP as server-sent events: POST with `Accept: text/event-stream` opens one stream for one
 * operation (the "distinct connections" mode of the graphql-sse protocol). The limits of queries apply. A refusal
 * before the first event is a JSON response with its HTTP status; a later one is the last event. Limitation: no
 * single-connection mode (PUT, stream tokens).
 */
import type { RequestHandler, Response } from "express";
import {
  type DocumentNode,
  type ExecutionResult,
  type GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  parse,
  specifiedRules,
  subscribe,
  validate,
} from "graphql";
import { createHandler, type RequestParams } from "graphql-sse";
import type { Logger } from "pino";
import { Refusal } from "../errors.ts";
import { becomeStream } from "../turns/work.ts";
import type { Context } from "./context.ts";
import { operationName } from "./operation-log.ts";
import { complexityRule, limits } from "./query-limits.ts";
import { refusalOfGraphql } from "./refusals.ts";
import { rowLimit } from "./row-limit.ts";
import { rendered } from "./server.ts";

type Events = AsyncGenerator<ExecutionResult>;

/** Makes the handler of streams; `contextOf` returns the context of a response. The body is already parsed. */
export function createStream(
  schema: GraphQLSchema,
  contextOf: (response: Response) => Context,
  log: Logger,
): RequestHandler {
  const checkRows = rowLimit(schema);
  const refusal = (error: unknown) =>
    refusalOfGraphql(error, (bug, id) => log.error({ err: bug, id }, "a subscription failed"), schema);
  const read = (params: RequestParams): [DocumentNode, OperationDefinitionNode] => {
    const document = parse(params.query, { maxTokens: limits.tokens });
    const [error] = validate(schema, document, [...specifiedRules, complexityRule], { maxErrors: 5 });
    if (error) throw error;
    return [document, operationOf(document, params.operationName)];
  };
  return async (request, response) => {
    if (request.method !== "POST" || !request.accepts("text/event-stream"))
      throw new Refusal("BAD_REQUEST", "Send a subscription by POST, with Accept: text/event-stream.");
    const context = contextOf(response);
    try {
      const params = paramsOf(request.body);
      const [document, operation] = read(params);
      const variableValues = params.variables ?? {};
      context.caller.note({ operation: operationName(operation) });
      checkRows(document, operation, variableValues);
      becomeStream();
      const result = await subscribe({
        schema,
        document,
        operationName: params.operationName ?? null,
        variableValues,
        contextValue: context,
      });
      if (!(Symbol.asyncIterator in result)) throw result.errors?.[0];
      await send(asRefusals(result, refusal), response);
    } catch (error) {
      throw refusal(error);
    }
  };
}

function paramsOf(body: unknown): RequestParams {
  const { query, operationName, variables } = (body ?? {}) as Record<string, unknown>;
  if (typeof query !== "string") throw new Refusal("BAD_REQUEST", "query is missing; send it as a string in JSON.");
  if (typeof (variables ?? {}) !== "object" || Array.isArray(variables))
    throw new Refusal("BAD_REQUEST", "variables is not an object; send the variables by name.");
  return {
    query,
    ...(typeof operationName === "string" && { operationName }),
    ...(variables ? { variables: variables as Record<string, unknown> } : {}),
  };
}

function operationOf(document: DocumentNode, name: string | undefined): OperationDefinitionNode {
  const operation = getOperationAST(document, name);
  if (operation?.operation === "subscription") return operation;
  const subscriptions = document.definitions.filter(
    (each) => each.kind === Kind.OPERATION_DEFINITION && each.operation === "subscription",
  );
  const message =
    subscriptions.length > 0
      ? "operationName is not the name of a subscription; send the name of one."
      : "This is not a subscription; send queries and mutations to /graphql.";
  throw new Refusal("BAD_REQUEST", message);
}

/** The events with their errors as refusals; an error that ends the stream is its last event. */
async function* asRefusals(events: Events, refusal: (error: unknown) => Refusal): Events {
  const formatted = (error: unknown) => rendered(refusal(error)) as unknown as GraphQLError;
  try {
    for await (const { errors, ...event } of events)
      yield { ...event, ...(errors && { errors: errors.map((error) => formatted(error)) }) };
  } catch (error) {
    yield { errors: [formatted(error)] };
  }
}

/** Writes the events until they end or the client disconnects. */
async function send(events: Events, response: Response): Promise<void> {
  const handle = createHandler({ authenticate: () => null, onSubscribe: () => events });
  const [body, init] = await handle({
    method: "POST",
    url: "/",
    headers: { get: (name) => (name === "accept" ? "text/event-stream" : "application/json") },
    body: { query: "subscription" },
    raw: response.req,
    context: response,
  });
  // The library's Cache-Control would let a browser keep the stream.
  const { "cache-control": _cacheControl, ...headers } = init.headers as Record<string, string>;
  response.writeHead(init.status, headers);
  if (body === null || typeof body === "string") return void response.end(body ?? undefined);
  response.once("close", () => void body.return(undefined));
  for await (const text of body) {
    if (response.destroyed) break;
    if (!response.write(text)) await new Promise((resolve) => response.once("drain", resolve).once("close", resolve));
  }
  response.end();
}
