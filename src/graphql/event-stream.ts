/**
 * GraphQL as server-sent events. POST with `Accept: text/event-stream` opens one stream for one operation: the distinct
 * connections mode of the graphql-sse protocol. The limits of queries apply. A refused operation is an event, as the
 * protocol demands. A refusal that passes with time (a request limit, the database) is a response with its HTTP status,
 * so that clients send the request again. Each event has an id, from which an interrupted stream continues. The single
 * connection mode (PUT, stream tokens) is not supported.
 */
import type { RequestHandler, Response } from "express";
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  type OperationDefinitionNode,
  subscribe,
} from "graphql";
import type { Logger } from "pino";
import { errorLogger, Refusal } from "../errors.ts";
import { becomeStream } from "../turns/queues.ts";
import type { Context } from "./context.ts";
import type { Documents } from "./documents.ts";
import { rendered } from "./error-format.ts";
import { operationNote } from "./operation-log.ts";
import { refusalOfGraphql } from "./refusals.ts";

type Events = AsyncGenerator<ExecutionResult>;

/** The body of a request (GraphQL over HTTP). */
interface RequestParams {
  readonly query: string;
  readonly operationName?: string;
  readonly variables?: Record<string, unknown>;
}

/** Makes the handler of streams; `contextOf` returns the context of a response. The body is already parsed. */
export function createStream(
  schema: GraphQLSchema,
  documents: Documents,
  contextOf: (response: Response) => Context,
  log: Logger,
): RequestHandler {
  const refusal = (error: unknown) => refusalOfGraphql(error, errorLogger(log, "a subscription failed"), schema);
  return async (request, response) => {
    const context = contextOf(response);
    context.lastEventId = request.get("last-event-id");
    let events: Events;
    try {
      const params = paramsOf(request.body);
      const { document } = documents.read(params.query);
      const operation = operationOf(document, params.operationName);
      const variableValues = params.variables ?? {};
      context.caller.note(operationNote(operation));
      documents.checkRows(document, operation, variableValues);
      const run = {
        schema,
        document,
        operationName: params.operationName ?? null,
        variableValues,
        contextValue: context,
      };
      if (operation.operation === "subscription") becomeStream();
      const result = await (operation.operation === "subscription" ? subscribe(run) : execute(run));
      events = asRefusals(Symbol.asyncIterator in result ? result : single(result), refusal);
    } catch (error) {
      const refused = refusal(error);
      if (refused.retryAfter !== undefined) throw refused;
      context.caller.note({ refusals: [refused.code] });
      events = single({ errors: [rendered(refused) as unknown as GraphQLError] });
    }
    await send(events, context, response);
  };
}

/** Yields the one result of a query or mutation. */
async function* single(result: ExecutionResult): Events {
  yield result;
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
  if (operation) return operation;
  throw new Refusal("BAD_REQUEST", "operationName is not the name of an operation; send the name of one.");
}

/** Formats the errors of events as refusals. An error that ends the stream becomes its last event. */
async function* asRefusals(events: Events, refusal: (error: unknown) => Refusal): Events {
  const formatted = (error: unknown) => rendered(refusal(error)) as unknown as GraphQLError;
  try {
    for await (const { errors, ...event } of events)
      yield { ...event, ...(errors && { errors: errors.map((error) => formatted(error)) }) };
  } catch (error) {
    yield { errors: [formatted(error)] };
  }
}

/** The time between two comments, ms: proxies close a connection that is silent. */
const pingMs = 12_000;

/** Writes the events until they end or the client disconnects. */
async function send(events: Events, context: Context, response: Response): Promise<void> {
  response.writeHead(200, {
    "Content-Type": "text/event-stream; charset=utf-8",
    Connection: "keep-alive",
    "X-Accel-Buffering": "no",
  });
  // Some browsers treat a response as open only once it has a body.
  response.write(":\n\n");
  const ping = setInterval(() => response.write(":\n\n"), pingMs);
  response.once("close", () => void events.return(undefined));
  try {
    for await (const event of events) {
      if (response.destroyed) break;
      const id = context.eventId === undefined ? "" : `id: ${context.eventId}\n`;
      await write(`${id}event: next\ndata: ${JSON.stringify(event)}\n\n`, response);
    }
  } finally {
    clearInterval(ping);
  }
  response.end("event: complete\ndata: \n\n");
}

/** Writes a text and waits until the send buffer has room. */
async function write(text: string, response: Response): Promise<void> {
  if (response.write(text)) return;
  await new Promise((resolve) => response.once("drain", resolve).once("close", resolve));
}
