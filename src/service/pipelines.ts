/**
 * The pipelined connections of the running service: for plans, and for the statements of a change, which are transactions of their own.
 */
import type { MikroORM } from "@mikro-orm/postgresql";
import type { Config } from "../config.ts";
import type { ConnectionSupervisor } from "../database/connection-supervisor.ts";
import { Pipeline } from "../database/pipeline.ts";
import { byIndexSettings } from "../database/point-reads.ts";
import type { StatementKind } from "../graphql/plan/root.ts";
import { urlOf } from "./start-database.ts";

export interface PipelinesDeps {
  readonly config: Config;
  readonly orm: MikroORM;
  readonly supervisor: ConnectionSupervisor;
  readonly resources: AsyncDisposableStack;
}

/** Connections for the statements of plans by their kind, and for those that write. */
export type Pipelines = Readonly<Record<StatementKind | "writes", Pipeline>>;

/**
 * How many connections, and how long PostgreSQL works on a statement, ms: what reads has more time when it is executed, what writes has as much
 * as there. Which way leads to the rows of a search soonest depends on what is searched for. A write that waits for a lock gives way to
 * those behind it, and is run again in a connection of the pool.
 */
const options = {
  points: { connections: 1, statementTimeoutMs: 2000, settings: byIndexSettings },
  lists: { connections: 2, statementTimeoutMs: 5000 },
  searches: { connections: 2, statementTimeoutMs: 1000, plansForValues: true },
  writes: { connections: 4, statementTimeoutMs: 60_000, lockTimeoutMs: 100, writes: true, settings: byIndexSettings },
};

/** Opens the connections; `resources` closes them. */
export async function startPipelines({ config, orm, supervisor, resources }: PipelinesDeps): Promise<Pipelines> {
  const open = async (kind: keyof Pipelines) => {
    const longest = kind === "writes" ? Number.POSITIVE_INFINITY : config.LIST_TIMEOUT_MS;
    const statementTimeoutMs = Math.min(options[kind].statementTimeoutMs, longest);
    const pipeline = new Pipeline({ url: urlOf(orm), supervisor, ...options[kind], statementTimeoutMs });
    resources.defer(() => pipeline.close());
    await pipeline.open();
    return pipeline;
  };
  return {
    points: await open("points"),
    lists: await open("lists"),
    searches: await open("searches"),
    writes: await open("writes"),
  };
}
