/**
 * Every error of a GraphQL operation as a refusal: ours as they are, graphql-js's and Apollo's by what they mean.
 */
import { GraphQLError } from "graphql";
import { ArgumentValidationError } from "type-graphql";
import { type Reason, Refusal, refusalOf } from "../errors.ts";

type LogBug = (error: unknown, id: string) => void;

/** The refusal that an error of execution stands for; `logBug` is told of what is our fault. */
export function refusalOfGraphql(error: unknown, logBug: LogBug): Refusal {
  for (let cause = error; cause instanceof Error; cause = originalOf(cause)) {
    if (cause instanceof Refusal) return withField(cause, error);
    if (cause instanceof ArgumentValidationError) return ofArguments(cause);
  }
  if (!(error instanceof GraphQLError)) return refusalOf(error, logBug);
  if (originalOf(error) !== undefined && error.extensions.code === undefined)
    return refusalOf(originalOf(error), logBug);
  return ofGraphql(error, logBug);
}

function originalOf(error: Error): unknown {
  return error instanceof GraphQLError ? error.originalError : undefined;
}

/** A value that a scalar refused does not know its field; graphql-js says where it stood. */
function withField(refusal: Refusal, error: unknown): Refusal {
  const field = refusal.field === undefined && error instanceof GraphQLError ? fieldIn(error.message) : undefined;
  return field === undefined ? refusal : new Refusal(refusal.code, `${field}: ${refusal.message}`, { field });
}

/** graphql-js names the place of a bad variable: `… at "input.ttl"; …`. */
function fieldIn(message: string): string | undefined {
  const at = /at "([\w.[\]]{1,100})"/.exec(message)?.[1] ?? /^Variable "\$(\w{1,100})"/.exec(message)?.[1];
  return at && fieldName(at);
}

/** Refusals name a field without the input or the filter that it stands in. */
const fieldName = (path: string) => path.replace(/\[(\d+)\]/g, ".$1").replace(/^(input|filter)\./, "");

function ofArguments(error: ArgumentValidationError): Refusal {
  const reasons: Reason[] = [];
  const visit = (failures: readonly Failure[], path: string) => {
    for (const { property, constraints = {}, children = [] } of failures) {
      const at = path ? `${path}.${property}` : property;
      const field = fieldName(at);
      for (const message of Object.values(constraints))
        reasons.push({ code: "INVALID_VALUE", field, message: `${field}: ${message}.` });
      visit(children, at);
    }
  };
  visit(error.extensions.validationErrors as readonly Failure[], "");
  return Refusal.of(reasons);
}

interface Failure {
  readonly property: string;
  readonly constraints?: Readonly<Record<string, string>>;
  readonly children?: readonly Failure[];
}

/** Apollo's codes for what the client did wrong. */
const clientCodes = [
  "GRAPHQL_PARSE_FAILED",
  "GRAPHQL_VALIDATION_FAILED",
  "BAD_USER_INPUT",
  "BAD_REQUEST",
  "OPERATION_RESOLUTION_FAILURE",
  "PERSISTED_QUERY_NOT_FOUND",
  "PERSISTED_QUERY_NOT_SUPPORTED",
];

/** What graphql-js says where its own limits are reached: its parser's, and those of its rules on introspection and on fields of one name. */
const limitReached = /contains more tha[nt] \d+ tokens|^Maximum introspection depth exceeded|^Validation aborted\.$/;

function ofGraphql(error: GraphQLError, logBug: LogBug): Refusal {
  if (limitReached.test(error.message)) {
    const message = `The query asks for too much: ${error.message} Write a shorter one, and send values as variables.`;
    return new Refusal("QUERY_TOO_COMPLEX", message);
  }
  const code = error.extensions.code as string | undefined;
  if (code !== undefined && !clientCodes.includes(code)) return refusalOf(error, logBug);
  const field = fieldIn(error.message);
  return new Refusal("BAD_REQUEST", error.message, field === undefined ? {} : { field });
}
