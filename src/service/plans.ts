/**
 * The plans of the running service, on database connections of their own.
 */
import type { GraphQLSchema } from "graphql";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import { Plans } from "../graphql/plan/plans.ts";
import type { Pipelines } from "./pipelines.ts";

/** Makes the plans of a schema. */
export function createPlans(schema: GraphQLSchema, config: Config, log: Logger, database: Pipelines): Plans {
  return new Plans({
    schema,
    log,
    database,
    onFault: (error) => log.error({ err: error }, "a plan failed; the ordinary way has the answer"),
    isEager: config.COMPILED_DOCUMENTS === "eager",
  });
}
