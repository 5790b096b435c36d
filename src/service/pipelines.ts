/**
 * The pipelined connections of the running service: for plans, and for the statements of a change, which are transactions of their own.
 */
import type { MikroORM } from "@mikro-orm/postgresql";
import type { Config } from "../config.ts";
import type { ConnectionSupervisor } from "../database/connection-supervisor.ts";
import { Pipeline } from "../database/pipeline.ts";
import { urlOf } from "./start-database.ts";

export interface PipelinesDeps {
  readonly config: Config;
  readonly orm: MikroORM;
  readonly supervisor: ConnectionSupervisor;
  readonly resources: AsyncDisposableStack;
}

/** Connections for statements that find a few rows by a key, for those of lists, and for those that write. */
export interface Pipelines {
  readonly points: Pipeline;
  readonly lists: Pipeline;
  readonly writes: Pipeline;
}

/**
 * How many connections, and how long PostgreSQL works on a statement, ms: what reads has more time the ordinary way, what writes has as much
 * as there. A statement that waits for a lock gives way to those behind it, and is run again in a connection of the pool.
 */
const options = {
  points: { connections: 1, statementTimeoutMs: 2000 },
  lists: { connections: 2, statementTimeoutMs: 5000 },
  writes: { connections: 4, statementTimeoutMs: 60_000, lockTimeoutMs: 100, writes: true },
};

/** Opens the connections; `resources` closes them. Undefined when they are switched off. */
export async function startPipelines({
  config,
  orm,
  supervisor,
  resources,
}: PipelinesDeps): Promise<Pipelines | undefined> {
  if (config.COMPILED_DOCUMENTS === "off") return undefined;
  const open = async (each: (typeof options)[keyof typeof options]) => {
    const pipeline = new Pipeline({ url: urlOf(orm), supervisor, ...each });
    resources.defer(() => pipeline.close());
    await pipeline.open();
    return pipeline;
  };
  return { points: await open(options.points), lists: await open(options.lists), writes: await open(options.writes) };
}
