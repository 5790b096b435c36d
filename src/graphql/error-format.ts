/** Formats the errors of an operation for an answer, whether Apollo or operation.ts executed it. */
import { unwrapResolverError } from "@apollo/server/errors";
import type { GraphQLFormattedError, GraphQLSchema } from "graphql";
import type { Logger } from "pino";
import { errorLogger, type Refusal } from "../errors.ts";
import { refusalOfGraphql } from "./refusals.ts";

/** Formats an error as a refusal with its path and locations. A fault of the service is logged. */
export function formatError(
  error: unknown,
  { path, locations }: Pick<GraphQLFormattedError, "path" | "locations">,
  log: Logger,
  schema: GraphQLSchema,
): GraphQLFormattedError {
  const logError = errorLogger(log, "a GraphQL operation failed");
  const logBug = (bug: unknown, id: string) => logError(unwrapResolverError(bug), id);
  return {
    ...(path && { path }),
    ...(locations && { locations }),
    ...rendered(refusalOfGraphql(error, logBug, schema)),
  };
}

/** A refusal in the form of a GraphQL error. */
export function rendered(refusal: Refusal): { message: string; extensions: Record<string, unknown> } {
  const { code, field, reasons, retryAfter, message } = refusal;
  const { retryAfter: _, ...details } = refusal.details ?? {};
  return {
    message,
    extensions: {
      code,
      ...(field !== undefined && { field }),
      ...(retryAfter !== undefined && { retryAfter }),
      details: { ...details, reasons: reasons.map(withoutPlace) },
    },
  };
}

/**
 * Removes the place from the beginning of a message, since `field` names it: `add.3.rdata is …` becomes `rdata is …`.
 */
export function withoutPlace<Said extends { readonly field?: string | undefined; readonly message: string }>(
  reason: Said,
): Said {
  const { field, message } = reason;
  if (field === undefined) return reason;
  const row = /^(\w+\.)*\d+(?=\.|$)/.exec(field)?.[0] ?? "";
  const place = [field, row].find((each) => message.startsWith(`${each}: `));
  if (place !== undefined) return { ...reason, message: message.slice(place.length + 2) };
  const isSubject = row !== "" && field !== row && message.startsWith(`${field} `);
  return isSubject ? { ...reason, message: message.slice(row.length + 1) } : reason;
}

/** Seconds until the request may be sent again, for the Retry-After header; undefined when no error has them. */
export function retryAfterOf(errors: readonly GraphQLFormattedError[]): number | undefined {
  const seconds = Math.max(0, ...errors.map(({ extensions }) => Number(extensions?.retryAfter ?? 0)));
  return seconds > 0 ? seconds : undefined;
}
