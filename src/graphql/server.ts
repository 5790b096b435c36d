/**
 * GraphQL over HTTP by Apollo, and in process for REST, on one schema with the same limits and refusals.
 */
import { ApolloServer } from "@apollo/server";
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from "@apollo/server/plugin/disabled";
import {
  type DocumentNode,
  execute,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  parse,
  validate,
} from "graphql";
import type { Logger } from "pino";
import { errorLogger, Refusal } from "../errors.ts";
import type { Actor } from "../session/authorization.ts";
import type { Session } from "../session/session.ts";
import { type Caller, Context } from "./context.ts";
import { formatError, retryAfterOf } from "./error-format.ts";
import { operationLog } from "./operation-log.ts";
import { admissionRules, complexityRule, parseOptions } from "./query-limits.ts";
import { refusalOfGraphql } from "./refusals.ts";
import { responseHead } from "./response-head.ts";
import { rowLimit } from "./row-limit.ts";

/** Takes note of a document that is parsed, valid and within the limits. */
export type OnAdmitted = (text: string, document: DocumentNode) => void;

/** Makes the Apollo server; its HTTP statuses and error codes are those of error-codes.ts. */
export function createServer(schema: GraphQLSchema, log: Logger, onAdmitted: OnAdmitted): ApolloServer<Context> {
  const checkRows = rowLimit(schema);
  return new ApolloServer<Context>({
    schema,
    introspection: true,
    csrfPrevention: { requestHeaders: ["x-api-key", "x-zonesmith-console"] },
    persistedQueries: false,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    validationRules: [complexityRule],
    validationOptions: { maxErrors: 5 },
    parseOptions,
    logger: log,
    formatError: (formatted, error) => formatError(error, formatted, log, schema),
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      responseHead,
      operationLog,
      {
        async requestDidStart() {
          return {
            async didResolveOperation({ document, operation, request }) {
              if (!operation) return;
              try {
                if (operation.operation === "subscription") throw noSubscriptions();
                checkRows(document, operation, request.variables ?? {});
                if (request.query !== undefined) onAdmitted(request.query, document);
              } catch (error) {
                throw new GraphQLError((error as Error).message, {
                  originalError: error as Error,
                  extensions: { http: { status: 400 } },
                });
              }
            },
            async willSendResponse({ response: { body, http } }) {
              if (body.kind === "single" && body.singleResult.data === undefined) dropAbortion(body.singleResult);
              const errors = body.kind === "single" ? (body.singleResult.errors ?? []) : [];
              const seconds = retryAfterOf(errors);
              if (seconds !== undefined) http.headers.set("retry-after", String(seconds));
            },
          };
        },
      },
    ],
  });
}

/** Removes what says only that the validation ended with the error before it. */
function dropAbortion(result: { errors?: readonly GraphQLFormattedError[] }): void {
  const { errors = [] } = result;
  if (errors.length > 1) result.errors = errors.filter(({ message }) => !message.includes("Validation aborted"));
}

function noSubscriptions(): Refusal {
  return new Refusal("BAD_REQUEST", "Send a subscription with Accept: text/event-stream.");
}

/**
 * An operation that was parsed and validated once: runs for a session, and returns its data or throws its first
 * refusal.
 */
export type Operation = (
  variables: Readonly<Record<string, unknown>>,
  session: Session,
  caller?: Caller,
) => Promise<Record<string, unknown>>;

/** Reads the data of an operation in one step; undefined when the operation must be run. */
export type ShortRead = (
  variables: Readonly<Record<string, unknown>>,
  actor: Actor,
) => Promise<Record<string, unknown> | undefined>;

/**
 * Parses and validates an operation against the schema and the limits; throws at start, not in a request. `shorten` returns the short
 * way of an operation, which is tried first, where it has one.
 */
export function prepare(
  schema: GraphQLSchema,
  text: string,
  log: Logger,
  shorten: (document: DocumentNode) => ShortRead | undefined = () => undefined,
): Operation {
  const document = parse(text, parseOptions);
  const errors = validate(schema, document, admissionRules);
  if (errors.length > 0) throw new Error(`${text}: ${errors.map((error) => error.message).join(" ")}`);
  const read = shorten(document);
  return async (variables, session, caller) =>
    (await read?.(variables, session.actor)) ??
    runOperation(schema, document, variables, new Context(session, caller), log);
}

async function runOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  variableValues: Readonly<Record<string, unknown>>,
  contextValue: Context,
  log: Logger,
): Promise<Record<string, unknown>> {
  const { data, errors } = await execute({ schema, document, variableValues, contextValue });
  if (errors?.[0]) throw refusalOfGraphql(errors[0], errorLogger(log, "the operation of a REST path failed"));
  return data as Record<string, unknown>;
}
