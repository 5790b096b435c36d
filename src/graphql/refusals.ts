/**
 * Converts every error of a GraphQL operation to a refusal: refusals unchanged, errors of graphql-js and Apollo by
 * their meaning.
 */
import { GraphQLError } from "graphql";
import { ArgumentValidationError } from "type-graphql";
import { type Reason, Refusal, refusalOf } from "../errors.ts";

type LogError = (error: unknown, id: string) => void;

/** The refusal for an error of an operation; `logError` gets errors that are not the client's. */
export function refusalOfGraphql(error: unknown, logError: LogError): Refusal {
  for (let cause = error; cause instanceof Error; cause = originalOf(cause)) {
    if (cause instanceof Refusal) return withField(cause, error);
    if (cause instanceof ArgumentValidationError) return ofArguments(cause);
  }
  if (!(error instanceof GraphQLError)) return refusalOf(error, logError);
  if (originalOf(error) !== undefined && error.extensions.code === undefined)
    return refusalOf(originalOf(error), logError);
  return ofGraphql(error, logError);
}

function originalOf(error: Error): unknown {
  return error instanceof GraphQLError ? error.originalError : undefined;
}

/** Adds the field to the refusal of a scalar, which does not know it; graphql-js names it in its message. */
function withField(refusal: Refusal, error: unknown): Refusal {
  const field = refusal.field === undefined && error instanceof GraphQLError ? fieldIn(error.message) : undefined;
  return field === undefined ? refusal : new Refusal(refusal.code, `${field}: ${refusal.message}`, { field });
}

/** The field that graphql-js names in the message of an invalid variable: `… at "input.ttl"; …`. */
function fieldIn(message: string): string | undefined {
  const at = /at "([\w.[\]]{1,100})"/.exec(message)?.[1] ?? /^Variable "\$(\w{1,100})"/.exec(message)?.[1];
  return at && fieldName(at);
}

/** The name of a field in refusals, without the input or the filter that contains it. */
const fieldName = (path: string) => path.replace(/\[(\d+)\]/g, ".$1").replace(/^(input|filter)\./, "");

function ofArguments(error: ArgumentValidationError): Refusal {
  const reasons: Reason[] = [];
  const visit = (failures: readonly Failure[], path: string) => {
    for (const { property, constraints = {}, children = [] } of failures) {
      const propertyPath = path ? `${path}.${property}` : property;
      const field = fieldName(propertyPath);
      for (const message of Object.values(constraints))
        reasons.push({ code: "INVALID_VALUE", field, message: `${field}: ${message}.` });
      visit(children, propertyPath);
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

/** Apollo's codes for errors of the client. */
const clientCodes = [
  "GRAPHQL_PARSE_FAILED",
  "GRAPHQL_VALIDATION_FAILED",
  "BAD_USER_INPUT",
  "BAD_REQUEST",
  "OPERATION_RESOLUTION_FAILURE",
  "PERSISTED_QUERY_NOT_FOUND",
  "PERSISTED_QUERY_NOT_SUPPORTED",
];

/**
 * The messages of graphql-js at its own limits: of the parser, and of the rules on introspection and on fields of one
 * name.
 */
const limitReached = /contains more tha[nt] \d+ tokens|^Maximum introspection depth exceeded|^Validation aborted\.$/;

function ofGraphql(error: GraphQLError, logError: LogError): Refusal {
  if (limitReached.test(error.message)) {
    const message = `The query asks for too much: ${error.message} Write a shorter one, and send values as variables.`;
    return new Refusal("QUERY_TOO_COMPLEX", message);
  }
  const code = error.extensions.code as string | undefined;
  if (code !== undefined && !clientCodes.includes(code)) return refusalOf(error, logError);
  const field = fieldIn(error.message);
  return new Refusal("BAD_REQUEST", error.message, field === undefined ? {} : { field });
}
