/**
 * Converts every error of a GraphQL operation to a refusal. A refusal stays as it is, document-refusals.ts converts
 * errors of graphql-js and Apollo, and anything else is a fault of the service.
 */
import { GraphQLError, type GraphQLSchema } from "graphql";
import { ArgumentValidationError } from "type-graphql";
import { type Reason, Refusal, refusalOf } from "../errors.ts";
import { fieldName, fieldOfValue, refusalOfDocument } from "./document-refusals.ts";

type LogError = (error: unknown, id: string) => void;

/** The refusal for an error of an operation; `logError` gets the faults of the service. */
export function refusalOfGraphql(error: unknown, logError: LogError, schema?: GraphQLSchema): Refusal {
  for (let cause = error; cause instanceof Error; cause = originalOf(cause)) {
    if (cause instanceof Refusal) return withField(cause, error);
    if (cause instanceof ArgumentValidationError) return ofArguments(cause);
  }
  if (!(error instanceof GraphQLError)) return refusalOf(error, logError);
  if (isOfClient(error)) return refusalOfDocument(error, schema);
  return refusalOf(originalOf(error) ?? error, logError);
}

function originalOf(error: Error): unknown {
  return error instanceof GraphQLError ? error.originalError : undefined;
}

/**
 * Whether the client caused an error of graphql-js or Apollo. An error with a path comes from an executed field: the
 * client caused it only when it is about the value of an argument.
 */
function isOfClient(error: GraphQLError): boolean {
  const code = error.extensions.code as string | undefined;
  if (code !== undefined && clientCodes.includes(code)) return true;
  if (error.path !== undefined) return /^Argument "/.test(error.message);
  if (code !== undefined) return false;
  const original = originalOf(error);
  return original === undefined || original instanceof GraphQLError;
}

/** Adds the field to the refusal of a scalar, which does not know its field. */
function withField(refusal: Refusal, error: unknown): Refusal {
  if (refusal.field !== undefined || !(error instanceof GraphQLError)) return refusal;
  const field = fieldOfValue(error);
  return field === undefined ? refusal : new Refusal(refusal.code, `${field}: ${refusal.message}`, { field });
}

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
