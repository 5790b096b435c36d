/** The pipelined connections of the running service. Each statement on them is a transaction of its own. */
import type { MikroORM, PostgreSqlConnection } from "@mikro-orm/postgresql";
import type { Config } from "../../config/config.ts";
import type { ConnectionSupervisor } from "../../database/connection-supervisor.ts";
import { Pipeline, type PipelineOptions, type StatementRunner } from "../../database/pipeline.ts";
import { byIndexSettings, noTableScans } from "../../database/point-reads.ts";
import type { Replicas } from "../../database/replicas.ts";
import type { StatementKind } from "../../graphql/plan/root.ts";
import type { ParserOf } from "../../sql/shared-reads.ts";
import type { TypedPool } from "./open-database.ts";
import { urlOf } from "./start-database.ts";

interface PipelinesDeps {
  readonly config: Config;
  readonly orm: MikroORM;
  readonly replicas: Replicas;
  readonly supervisor: ConnectionSupervisor;
  readonly resources: AsyncDisposableStack;
}

/**
 * The pipelined connections by kind: for plans (by the kind of their statements), for writes, and for other reads outside of transactions.
 * `parserOf` has the parsers of the cells.
 */
export interface Pipelines
  extends Readonly<Record<PrimaryKind, Pipeline> & Record<Exclude<Kind, PrimaryKind>, StatementRunner>> {
  readonly parserOf: ParserOf;
}

type Kind = StatementKind | "writes" | "reads" | "readLists";

/** The kinds whose statements run on the primary alone: writes, and reads that are as short as asking a replica how far it is. */
type PrimaryKind = "points" | "writes" | "reads";

/**
 * The number of connections of each kind, and the time limit of a statement, ms. A read that exceeds the limit is run again on a connection
 * of the pool, which allows more time; a write has as much time here as on the pool. A search is planned each time, since the best plan
 * depends on the text that is searched for. A write that has to wait for a lock is ended, so that it does not hold up the statements behind
 * it, and is run again on the pool. `reads` and `readLists` (sql/shared-reads.ts) are planned as on the pool.
 */
const options: Readonly<Record<Kind, Omit<PipelineOptions, "url" | "supervisor">>> = {
  points: { connections: 1, statementTimeoutMs: 2000, settings: byIndexSettings },
  lists: { connections: 2, statementTimeoutMs: 5000 },
  searches: { connections: 2, statementTimeoutMs: 1000, planning: "force_custom_plan" },
  reads: { connections: 2, statementTimeoutMs: 250, planning: "auto", settings: noTableScans },
  readLists: { connections: 2, statementTimeoutMs: 250, planning: "auto" },
  writes: { connections: 4, statementTimeoutMs: 60_000, lockTimeoutMs: 100, writes: true, settings: byIndexSettings },
};

export async function startPipelines({
  config,
  orm,
  replicas,
  supervisor,
  resources,
}: PipelinesDeps): Promise<Pipelines> {
  const optionsOf = (kind: Kind): PipelineOptions => {
    const longest = kind === "writes" ? Number.POSITIVE_INFINITY : config.LIST_TIMEOUT_MS;
    const statementTimeoutMs = Math.min(options[kind].statementTimeoutMs, longest);
    return { url: urlOf(orm), supervisor, ...options[kind], statementTimeoutMs };
  };
  const open = async (kind: PrimaryKind) => {
    const pipeline = new Pipeline(optionsOf(kind));
    resources.defer(() => pipeline.close());
    await pipeline.open();
    return pipeline;
  };
  const openReplicated = async (kind: Exclude<Kind, PrimaryKind>) => {
    const runner = await replicas.open(optionsOf(kind));
    resources.defer(() => runner.close());
    return runner;
  };
  const { types } = ((await (orm.em.getConnection() as PostgreSqlConnection).getNativeClient()) as TypedPool).options;
  return {
    points: await open("points"),
    lists: await openReplicated("lists"),
    searches: await openReplicated("searches"),
    writes: await open("writes"),
    reads: await open("reads"),
    readLists: await openReplicated("readLists"),
    parserOf: (type) => types.getTypeParser(type),
  };
}
