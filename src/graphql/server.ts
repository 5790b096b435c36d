/**
 * GraphQL over HTTP by Apollo, for requests that the road (http/road.ts) does not answer: operations that are refused before they run,
 * and requests of an unusual form.
 */
import { ApolloServer } from "@apollo/server";
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from "@apollo/server/plugin/disabled";
import { GraphQLError, type GraphQLFormattedError, type GraphQLSchema } from "graphql";
import type { Logger } from "pino";
import { Refusal } from "../errors.ts";
import type { Context } from "./context.ts";
import { formatError, retryAfterOf } from "./error-format.ts";
import { operationLog } from "./operation-log.ts";
import { complexityRule, parseOptions } from "./query-limits.ts";
import { responseHead } from "./response-head.ts";
import type { RowLimit } from "./row-limit.ts";

/** Makes the Apollo server, which answers with the HTTP statuses and codes of error-codes.ts. */
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

/** Removes the error that says only that the validation was aborted. */
function dropAbortion(result: { errors?: readonly GraphQLFormattedError[] }): void {
  const { errors = [] } = result;
  if (errors.length > 1) result.errors = errors.filter(({ message }) => !message.includes("Validation aborted"));
}

function noSubscriptions(): Refusal {
  return new Refusal("BAD_REQUEST", "Send a subscription with Accept: text/event-stream.");
}
