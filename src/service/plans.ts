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
import { urlOf } from "./start-database.ts";

/** Connections for statements of lists, besides one for those that find a few rows by a key. */
const listConnections = 2;

/** How long PostgreSQL works on the statement of a plan, ms: the ordinary way has more time. */
const statementTimeoutMs = { points: 2000, lists: 5000 };

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
  if (config.COMPILED_DOCUMENTS === "off") return undefined;
  const open = async (connections: number, timeoutMs: number) => {
    const pipeline = new Pipeline({ url: urlOf(orm), supervisor, connections, statementTimeoutMs: timeoutMs });
    resources.defer(() => pipeline.close());
    await pipeline.open();
    return pipeline;
  };
  const points = await open(1, statementTimeoutMs.points);
  const lists = await open(listConnections, statementTimeoutMs.lists);
  return new Plans({
    schema,
    log,
    database: { points, lists },
    onFault: (error) => log.error({ err: error }, "a plan failed; the ordinary way has the answer"),
    isEager: config.COMPILED_DOCUMENTS === "eager",
  });
}
