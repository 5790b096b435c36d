/**
 * The schema: type-graphql builds it from the resolvers and the nouns; `schema.graphql` is its text.
 */
import "reflect-metadata";
import { type ValidatorOptions, validateSync } from "class-validator";
import { type GraphQLSchema, getNamedType, lexicographicSortSchema, printSchema } from "graphql";
import { ArgumentValidationError, buildSchema } from "type-graphql";
import { ChangeResolver } from "./change.ts";
import type { Context } from "./context.ts";
import { DomainResolver } from "./domain.ts";
import { ApiKeyResolver } from "./key.ts";
import { RecordResolver } from "./record.ts";
import { RecordDataResolver } from "./record-data.ts";
import { RecordTypeResolver } from "./record-types.ts";
import { TtlPolicyResolver } from "./ttl-policy.ts";
import { UserResolver } from "./user.ts";
import { ZoneFileResolver } from "./zone-file.ts";

/** Builds the schema; arguments are checked by class-validator before a resolver sees them. */
export async function createSchema(): Promise<GraphQLSchema> {
  const schema = await buildSchema({
    resolvers: [
      UserResolver,
      DomainResolver,
      ZoneFileResolver,
      RecordResolver,
      RecordDataResolver,
      RecordTypeResolver,
      ChangeResolver,
      ApiKeyResolver,
      TtlPolicyResolver,
    ],
    validateFn: validateArgument,
  });
  finishRoots(schema);
  return schema;
}

const validation: ValidatorOptions = {
  forbidUnknownValues: false,
  skipMissingProperties: true,
  stopAtFirstError: true,
};

/** Checks an argument at once; type-graphql's own way would import class-validator anew for each. */
function validateArgument(argument: unknown): void {
  const objects = [argument].flat().filter((each) => typeof each === "object" && each !== null);
  const failures = objects.flatMap((each) => validateSync(each, validation));
  if (failures.length > 0) throw new ArgumentValidationError(failures);
}

/** What type-graphql has no place for: descriptions of the roots and of inputs, and that a mutation starts from fresh reads. */
function finishRoots(schema: GraphQLSchema): void {
  const [query, mutation] = [schema.getQueryType(), schema.getMutationType()];
  if (!query || !mutation) throw new Error("the schema lacks a root");
  query.description = "What can be read; a key sees what is its user's, an administrator's key everything.";
  mutation.description =
    "What can be changed; mutations of one request run one after the other, each a commit of its own.";
  for (const field of Object.values(mutation.getFields())) {
    for (const argument of field.args) argument.description ??= getNamedType(argument.type).description;
    const { resolve } = field;
    field.resolve = (source, args, context: Context, info) => {
      context.forget();
      return resolve?.(source, args, context, info);
    };
  }
}

/** The text of `schema.graphql`, sorted by name. */
export function schemaText(schema: GraphQLSchema): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}
