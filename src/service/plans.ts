/**
 * The plans of the running service, on database connections of their own.
 */
import type { MikroORM } from "@mikro-orm/postgresql";
import type { GraphQLSchema } from "graphql";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import type { ConnectionSupervisor } from "../database/connection-supervisor.ts";
import { Pipeline } from "../database/pipeline.ts";
import { Plans } from "../graphql/plan/plans.ts";
import type { StatementKind } from "../graphql/plan/root.ts";
import { urlOf } from "./start-database.ts";

/**
 * The connections of each kind, and how long PostgreSQL works on a statement there, ms: the ordinary way has more time. Which way leads
 * to the rows of a search soonest depends on what is searched for.
 */
const connectionsOf = {
  points: { connections: 1, statementTimeoutMs: 2000 },
  lists: { connections: 2, statementTimeoutMs: 5000 },
  searches: { connections: 2, statementTimeoutMs: 1000, plansForValues: true },
} as const satisfies Record<StatementKind, unknown>;

export interface PlansDeps {
  readonly schema: GraphQLSchema;
  readonly config: Config;
  readonly log: Logger;
  readonly orm: MikroORM;
  readonly supervisor: ConnectionSupervisor;
  readonly resources: AsyncDisposableStack;
}

/** Opens the connections; `resources` closes them. Undefined when plans are switched off. */
export async function startPlans({
  schema,
  config,
  log,
  orm,
  supervisor,
  resources,
}: PlansDeps): Promise<Plans | undefined> {
  if (config.COMPILED_READS === "off") return undefined;
  const open = async (kind: StatementKind) => {
    const statementTimeoutMs = Math.min(connectionsOf[kind].statementTimeoutMs, config.LIST_TIMEOUT_MS);
    const pipeline = new Pipeline({ url: urlOf(orm), supervisor, ...connectionsOf[kind], statementTimeoutMs });
    resources.defer(() => pipeline.close());
    await pipeline.open();
    return pipeline;
  };
  const database = { points: await open("points"), lists: await open("lists"), searches: await open("searches") };
  return new Plans({
    schema,
    database,
    onFault: (error) => log.error({ err: error }, "a plan failed; the ordinary way has the answer"),
    isEager: config.COMPILED_READS === "eager",
  });
}
