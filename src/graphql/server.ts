/**
 * GraphQL over HTTP by Apollo, for requests that http/fast-path.ts does not answer: operations that are refused before
 * they run, and requests of an unusual form.
 */
import { ApolloServer, type ApolloServerPlugin } from "@apollo/server";
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from "@apollo/server/plugin/disabled";
import { GraphQLError, type GraphQLFormattedError, type GraphQLSchema } from "graphql";
import type { Logger } from "pino";
import { type Code, codes } from "../error-codes.ts";
import { Refusal } from "../errors.ts";
import type { Context } from "./context.ts";
import { formatError, retryAfterOf } from "./error-format.ts";
import { operationLog } from "./operation-log.ts";
import { complexityRule, parseOptions } from "./query-limits.ts";
import type { RowLimit } from "./row-limit.ts";

/** Makes the Apollo server, whose HTTP statuses and codes are those of error-codes.ts. */
export function createServer(schema: GraphQLSchema, log: Logger, checkRows: RowLimit): ApolloServer<Context> {
  return new ApolloServer<Context>({
    schema,
    introspection: true,
    csrfPrevention: { requestHeaders: ["x-api-key", "x-zonesmith-console"] },
    persistedQueries: false,
    documentStore: null,
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

/** Removes the error "Validation aborted", which follows the refusal that aborted it. */
function dropAbortion(result: { errors?: readonly GraphQLFormattedError[] }): void {
  const { errors = [] } = result;
  if (errors.length > 1) result.errors = errors.filter(({ message }) => !message.includes("Validation aborted"));
}

function noSubscriptions(): Refusal {
  return new Refusal("BAD_REQUEST", "Send a subscription with Accept: text/event-stream.");
}

/**
 * Sets the status and the headers of a response. An operation that did not run has the status of its refusal, as a REST
 * path has; one that ran has 200. http/server.ts alone decides whether a response may be stored.
 */
const responseHead: ApolloServerPlugin = {
  async requestDidStart() {
    return {
      async willSendResponse({ response: { http, body } }) {
        http.headers.delete("cache-control");
        if (body.kind !== "single" || body.singleResult.data !== undefined || http.status !== 400) return;
        const code = body.singleResult.errors?.[0]?.extensions?.code;
        http.status = codes[code as Code]?.status ?? http.status;
      },
    };
  },
};
