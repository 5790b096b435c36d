/**
 * The schema: type-graphql builds it from the resolvers and the nouns; `schema.graphql` is its text.
 */
import "reflect-metadata";
import { type GraphQLSchema, lexicographicSortSchema, printSchema } from "graphql";
import { buildSchema } from "type-graphql";
import { ChangeResolver } from "./change.ts";
import { DomainResolver } from "./domain.ts";
import { ApiKeyResolver } from "./key.ts";
import { RecordResolver } from "./record.ts";
import { TtlPolicyResolver } from "./ttl-policy.ts";
import { UserResolver } from "./user.ts";

/** Builds the schema; arguments are checked by class-validator before a resolver sees them. */
export function createSchema(): Promise<GraphQLSchema> {
  return buildSchema({
    resolvers: [UserResolver, DomainResolver, RecordResolver, ChangeResolver, ApiKeyResolver, TtlPolicyResolver],
    validate: { forbidUnknownValues: false, stopAtFirstError: true },
  });
}

/** The text of `schema.graphql`, sorted by name. */
export function schemaText(schema: GraphQLSchema): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}
