/**
 * Pipelined connections: the statements of one turn of the event loop are sent together, and PostgreSQL answers them in order. Each
 * statement is a transaction of its own. A slow statement holds up those behind it, so lists, reads of single rows and writes have
 * separate connections.
 *
 * A connection that is lost, or that gives no answer for a while, fails all its statements; a write may or may not be stored. The next
 * statement opens the connection again and itself gets no connection, as every statement does while PostgreSQL is away; the caller then
 * uses the pool.
 */
import type { ConnectionSupervisor, SupervisedClient } from "./connection-supervisor.ts";
import { type Answer, type Cells, PipelinedStatement, PreparedStatements } from "./pipelined-statement.ts";
import { beginStatement } from "./statement-span.ts";

export interface PipelineOptions {
  readonly url: string;
  readonly supervisor: ConnectionSupervisor;
  readonly connections: number;
  readonly writes?: boolean;
  /** The time limits in PostgreSQL of a statement and of its wait for a lock, ms. */
  readonly statementTimeoutMs: number;
  readonly lockTimeoutMs?: number;
  /** Whether PostgreSQL plans statements each time for their values, or chooses. By default it plans them once for any values. */
  readonly planning?: "force_custom_plan" | "auto";
  readonly settings?: string;
  /** Whether the URL is a standby's. */
  readonly isReplica?: boolean;
}

export type Statement = readonly [text: string, values: Cells];

/** How long after PostgreSQL's own limit a connection without an answer counts as lost, ms. */
const graceMs = 2000;

const checkMs = 500;

const retryMs = 250;

const maxStatements = 500;

/** Runs statements; undefined, also later, when no connection is open. */
export interface StatementRunner {
  run(text: string, values: Cells): Promise<Answer | undefined> | undefined;
  query(text: string, values: Cells): Promise<readonly Cells[] | undefined> | undefined;
  close(): Promise<void>;
}

export class Pipeline implements StatementRunner {
  readonly #connections: readonly PipelinedConnection[];

  constructor(options: PipelineOptions) {
    this.#connections = Array.from({ length: options.connections }, () => new PipelinedConnection(options));
  }

  /** Opens the connections; failed ones are opened later. */
  async open(): Promise<void> {
    await Promise.all(this.#connections.map((connection) => connection.open()));
  }

  run(text: string, values: Cells): Promise<Answer> | undefined {
    return this.runAll([[text, values]])?.[0];
  }

  /**
   * Runs statements one after the other on the open connection with the fewest waiting statements; undefined without an open connection.
   */
  runAll(statements: readonly Statement[]): readonly Promise<Answer>[] | undefined {
    let free: PipelinedConnection | undefined;
    for (const connection of this.#connections)
      if (connection.isOpen() && (!free || connection.waiting < free.waiting)) free = connection;
    return free?.runAll(statements);
  }

  query(text: string, values: Cells): Promise<readonly Cells[]> | undefined {
    return this.run(text, values)?.then(({ rows }) => rows);
  }

  async close(): Promise<void> {
    await Promise.all(this.#connections.map((connection) => connection.close()));
  }
}

interface Open {
  readonly client: SupervisedClient;
  readonly statements: PreparedStatements;
}

class PipelinedConnection {
  readonly #options: PipelineOptions;
  #open: Open | undefined;
  #opening: Promise<void> | undefined;
  #triedAt = Number.NEGATIVE_INFINITY;
  #isClosed = false;
  /** The number of statements without an answer, and when the last answer arrived or the first of them was sent. */
  #waiting = 0;
  #progressAt = 0;
  #watch: NodeJS.Timeout | undefined;

  constructor(options: PipelineOptions) {
    this.#options = options;
  }

  open(): Promise<void> {
    this.#opening ??= this.#connect().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Whether the connection is usable now. If it is not, it is opened again, at most once each `retryMs`. */
  isOpen(): boolean {
    if (this.#open) return !this.#open.client.isLost;
    if (!this.#isClosed && performance.now() - this.#triedAt > retryMs) void this.open();
    return false;
  }

  runAll(statements: readonly Statement[]): readonly Promise<Answer>[] | undefined {
    const open = this.#open;
    return open && statements.map(([text, values]) => this.#run(open, text, values));
  }

  #run(open: Open, text: string, values: Cells): Promise<Answer> {
    const span = beginStatement(text);
    return new Promise((resolve, reject) => {
      const settle = (result: Error | Answer) => {
        this.#waiting -= 1;
        this.#progressAt = performance.now();
        const error = open.client.settled(result instanceof Error ? result : undefined, text);
        span?.end(error && { error });
        if (!error) return resolve(result as Answer);
        // The error may be caused by the prepared statement itself, so it is prepared again the next time.
        open.statements.forget(text, open.client.connection);
        reject(error);
      };
      if (this.#waiting === 0) this.#progressAt = performance.now();
      this.#waiting += 1;
      this.#watch ??= setInterval(() => this.#check(open), checkMs).unref();
      open.client.query(new PipelinedStatement(open.statements, text, values, settle));
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#opening;
    await this.#open?.client.end();
  }

  async #connect(): Promise<void> {
    const {
      url,
      supervisor,
      statementTimeoutMs,
      lockTimeoutMs,
      writes,
      planning = "force_generic_plan",
      settings = "",
      isReplica,
    } = this.#options;
    this.#triedAt = performance.now();
    try {
      const config = {
        connectionString: url,
        pipeline: true,
        keepAlive: true,
        application_name: writes ? "zonesmith-writes" : "zonesmith-reads",
        connectionTimeoutMillis: 5000,
        statement_timeout: statementTimeoutMs,
        ...(lockTimeoutMs !== undefined && { lock_timeout: lockTimeoutMs }),
        options: [
          ...(writes ? [] : ["-c default_transaction_read_only=on"]),
          `-c plan_cache_mode=${planning}`,
          "-c TimeZone=UTC -c max_parallel_workers_per_gather=0",
          settings,
        ].join(" "),
      };
      const client = supervisor.createClient(config, { isReplica });
      client.once("end", () => {
        if (this.#open?.client === client) this.#open = undefined;
        this.#stopWatching();
      });
      await client.connect();
      this.#open = { client, statements: new PreparedStatements(maxStatements) };
      if (this.#isClosed) await client.end();
    } catch {
      // PostgreSQL is away, or the service stops: callers get no connection.
    }
  }

  /** Ends a connection without an answer for too long; stops the checks when nothing waits. */
  #check({ client }: Open): void {
    if (this.#waiting === 0) this.#stopWatching();
    else if (performance.now() - this.#progressAt > this.#options.statementTimeoutMs + graceMs)
      client.lose(new Error("Query read timeout"));
  }

  #stopWatching(): void {
    clearInterval(this.#watch);
    this.#watch = undefined;
  }
}
