/**
 * Replicas: standbys of the primary that answer long reads in its place. A replica answers a question only when it has replayed everything
 * that was committed when the question came, so no answer is older than one of the primary's. The position of the primary is read after
 * the question came, once for all questions that wait; the replica's is read right before the statement on the same connection, which
 * may lead through a proxy to any of several servers.
 *
 * A replica that fails, does not answer, stays behind or belongs to another primary is left out. After a pause a question has it tried
 * again and does not wait for that. Whatever no replica answers, the primary does.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { ConnectionSupervisor } from "./connection-supervisor.ts";
import { serverConfig, serverUrls } from "./database-url.ts";
import { Pipeline, type PipelineOptions, type Statement, type StatementRunner } from "./pipeline.ts";
import type { Answer, Cells } from "./pipelined-statement.ts";
import { isCancelled } from "./sqlstate.ts";

/** How long a question waits for a replica that is behind, and the pause between two looks, ms. */
const [patienceMs, lookMs] = [50, 5];
/** How long a replica may take to say how far it is, ms; it may have to finish other statements first. */
const answerMs = 1000;
/** After which time a replica that was left out is tried again, ms. */
const retryMs = 2000;

/**
 * The cluster, its timeline and its position. What is flushed includes every commit that was acknowledged, unless commits do not wait
 * for it.
 */
const positionText = `
  select system_identifier::text, ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int::text,
    case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end::text
  from pg_control_system()`;

const behind = "it is behind";

/** What keeps a server from answering in the place of a primary with this position; null when nothing does. */
const objectionText = `
  select case
    when not pg_is_in_recovery() then 'it is no standby'
    when system_identifier <> $1::bigint then 'it is of another cluster'
    when greatest(timeline_id, min_recovery_end_timeline) <> $2::int then 'it is on another timeline'
    when pg_last_wal_replay_lsn() < $3::pg_lsn then '${behind}'
  end from pg_control_system(), pg_control_checkpoint(), pg_control_recovery()`;

interface ReplicasOptions {
  readonly url: string;
  /** Of the replicas; empty without any. */
  readonly readUrl: string;
  readonly supervisor: ConnectionSupervisor;
  readonly log: Logger;
}

export class Replicas {
  readonly #position: Position;
  readonly #replicas: readonly Replica[];

  constructor({ url, readUrl, supervisor, log }: ReplicasOptions) {
    const options = { url, supervisor, connections: 1, statementTimeoutMs: answerMs, settings: "-c jit=off" };
    this.#position = new Position(new Pipeline(options));
    const urls = readUrl === "" ? [] : serverUrls(readUrl);
    this.#replicas = urls.map((each) => new Replica(each, this.#position, log));
  }

  /** Opens connections for reads: to the primary, and to each replica. */
  async open(options: PipelineOptions): Promise<StatementRunner> {
    const primary = new Pipeline(options);
    await primary.open();
    if (this.#replicas.length === 0) return primary;
    await this.#position.open();
    const replicas = await Promise.all(
      this.#replicas.map(async (replica) => ({ replica, pipeline: await replica.open(options) })),
    );
    return new ReplicatedReads(primary, replicas);
  }

  close(): Promise<void> {
    return this.#position.close();
  }
}

/** The position of the primary. */
class Position {
  readonly #pipeline: Pipeline;
  #running: Promise<unknown> = Promise.resolve();
  #next: Promise<Cells | undefined> | undefined;

  constructor(pipeline: Pipeline) {
    this.#pipeline = pipeline;
  }

  /** The position at a moment after this call; undefined while it cannot be read. All calls during a read share the next one. */
  read(): Promise<Cells | undefined> {
    this.#next ??= this.#running.then(() => {
      this.#next = undefined;
      const reading = this.#read();
      this.#running = reading;
      return reading;
    });
    return this.#next;
  }

  async #read(): Promise<Cells | undefined> {
    try {
      return (await this.#pipeline.query(positionText, []))?.[0];
    } catch {
      return undefined; // The primary answers the question, or says why it cannot.
    }
  }

  open(): Promise<void> {
    return this.#pipeline.open();
  }

  close(): Promise<void> {
    return this.#pipeline.close();
  }
}

class Replica {
  readonly #url: string;
  readonly #name: string;
  readonly #position: Position;
  readonly #log: Logger;
  /** Undefined until it was tried. */
  #isFit: boolean | undefined;
  #tryAt = 0;
  readonly #pipelines: Pipeline[] = [];

  constructor(url: string, position: Position, log: Logger) {
    const { host = "localhost", port = 5432 } = serverConfig(url);
    this.#url = url;
    this.#name = `${host}:${port}`;
    this.#position = position;
    this.#log = log;
  }

  /** Opens connections for reads; those of a replica that is away are opened when it is tried again. */
  async open(options: PipelineOptions): Promise<Pipeline> {
    const pipeline = new Pipeline({ ...options, url: this.#url, isReplica: true });
    this.#pipelines.push(pipeline);
    await within(answerMs, pipeline.open()).catch(() => {});
    this.isFit(); // From the first question on.
    return pipeline;
  }

  /** Whether it answers questions now. One that was left out is tried again. */
  isFit(): boolean {
    if (!this.#isFit && performance.now() >= this.#tryAt) void this.#try();
    return this.#isFit === true;
  }

  async #try(): Promise<void> {
    this.#tryAt = Number.POSITIVE_INFINITY;
    const position = await this.#position.read();
    this.#tryAt = performance.now() + retryMs;
    if (!position) return;
    try {
      await Promise.all(this.#pipelines.map((pipeline) => freshAnswer(pipeline, position, [])));
      this.#isFit = true;
      this.#log.info({ replica: this.#name }, "a replica answers reads");
    } catch (error) {
      this.#leaveOut((error as Error).message);
    }
  }

  /** The answer to a statement; undefined when the primary has to answer it. */
  async run(pipeline: Pipeline, statement: Statement): Promise<Answer | undefined> {
    const position = await this.#position.read();
    try {
      return position && (await freshAnswer(pipeline, position, [statement]));
    } catch (error) {
      if (isCancelled(error)) throw error;
      return void this.#leaveOut((error as Error).message);
    }
  }

  #leaveOut(reason: string): void {
    if (this.#isFit !== false) this.#log.warn({ replica: this.#name, reason }, "a replica is left out");
    this.#isFit = false;
    this.#tryAt = performance.now() + retryMs;
  }
}

/** The answer to the statement, if one is given; throws when the server may not answer in the place of a primary with this position. */
async function freshAnswer(
  pipeline: Pipeline,
  position: Cells,
  statement: readonly Statement[],
): Promise<Answer | undefined> {
  const start = performance.now();
  let sent = statement;
  for (;;) {
    const [state, answer] = pipeline.runAll([[objectionText, position], ...sent]) ?? [];
    if (!state) throw new Error("it cannot be reached");
    answer?.catch(() => {}); // It may not be awaited.
    const objection: string | null = (await within(answerMs, state)).rows[0]?.[0] ?? null;
    if (objection === null && sent.length === statement.length) return answer;
    // A server that was behind gets the statement again only when it no longer is.
    sent = objection === null ? statement : [];
    if (objection === null) continue;
    if (objection !== behind || performance.now() - start > patienceMs) throw new Error(objection);
    await sleep(lookMs);
  }
}

async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  const over = new AbortController();
  const late = sleep(ms, undefined, { signal: over.signal }).then(() => {
    throw new Error("it does not answer");
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    over.abort();
  }
}

interface ReplicaPipeline {
  readonly replica: Replica;
  readonly pipeline: Pipeline;
}

/** Reads of one kind: of the replicas that are fit, in turn, and otherwise of the primary. */
class ReplicatedReads implements StatementRunner {
  readonly #primary: Pipeline;
  readonly #replicas: readonly ReplicaPipeline[];
  #turn = 0;

  constructor(primary: Pipeline, replicas: readonly ReplicaPipeline[]) {
    this.#primary = primary;
    this.#replicas = replicas;
  }

  async run(text: string, values: Cells): Promise<Answer | undefined> {
    const fit = this.#replicas.filter(({ replica }) => replica.isFit());
    this.#turn += 1;
    const next = fit[this.#turn % fit.length];
    return (await next?.replica.run(next.pipeline, [text, values])) ?? this.#primary.run(text, values);
  }

  async query(text: string, values: Cells): Promise<readonly Cells[] | undefined> {
    return (await this.run(text, values))?.rows;
  }

  async close(): Promise<void> {
    await Promise.all([this.#primary, ...this.#replicas.map(({ pipeline }) => pipeline)].map((each) => each.close()));
  }
}
