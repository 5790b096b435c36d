/**
 * Connections on which statements do not wait for each other's answers: those of one turn of the event loop leave together, and
 * PostgreSQL answers them in their order. Each is a transaction of its own. A statement that takes long holds up those behind it, so
 * statements of lists have other connections than those that find one row, and those that write.
 *
 * A connection that is lost, or gives no answer for a while, fails all that is on it; what wrote may be stored or not. It is opened again
 * when the next statement comes, which finds no connection, as every statement does while PostgreSQL is away: the caller has another way.
 */
import type { ConnectionSupervisor, SupervisedClient } from "./connection-supervisor.ts";
import { type Answer, type Cells, PipelinedStatement, PreparedStatements } from "./pipelined-statement.ts";
import { beginStatement } from "./statement-span.ts";

export interface PipelineOptions {
  readonly url: string;
  readonly supervisor: ConnectionSupervisor;
  /** How many connections, and whether statements on them may write. */
  readonly connections: number;
  readonly writes?: boolean;
  /** How long PostgreSQL works on a statement, and how long that waits for a lock, ms. */
  readonly statementTimeoutMs: number;
  readonly lockTimeoutMs?: number;
  /** Whether PostgreSQL plans statements for their values each time, or chooses; otherwise it plans them once, for any. */
  readonly planning?: "force_custom_plan" | "auto";
  /** Settings of the sessions beside those of all pipelines, as `-c name=value`. */
  readonly settings?: string;
}

/** How much later than PostgreSQL's own limit a connection without an answer counts as lost, ms. */
const graceMs = 2000;

/** How often connections on which statements wait are looked at, ms. */
const checkMs = 500;

/** Between two attempts to open a connection, ms. */
const retryMs = 250;

/** Statements that a connection keeps prepared. */
const maxStatements = 500;

export class Pipeline {
  readonly #connections: readonly PipelinedConnection[];

  constructor(options: PipelineOptions) {
    this.#connections = Array.from({ length: options.connections }, () => new PipelinedConnection(options));
  }

  /** Opens the connections; those that cannot be opened now are tried again later. */
  async open(): Promise<void> {
    await Promise.all(this.#connections.map((connection) => connection.open()));
  }

  /** Runs a statement on the connection where the fewest wait; undefined when there is none now. */
  run(text: string, values: Cells): Promise<Answer> | undefined {
    let free: PipelinedConnection | undefined;
    for (const connection of this.#connections)
      if (connection.isOpen() && (!free || connection.waiting < free.waiting)) free = connection;
    return free?.run(text, values);
  }

  /** The rows of a statement whose columns its caller knows. */
  query(text: string, values: Cells): Promise<readonly Cells[]> | undefined {
    return this.run(text, values)?.then(({ rows }) => rows);
  }

  /** Ends the connections, and what is on them. */
  async close(): Promise<void> {
    await Promise.all(this.#connections.map((connection) => connection.close()));
  }
}

/** A connection that is open. */
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
  /** Statements without an answer so far, and when the last answer came or the first of them was sent. */
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

  /** How many statements have no answer so far. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Whether it can be used now; if not, it is opened again, unless that was just tried. */
  isOpen(): boolean {
    if (this.#open) return !this.#open.client.isLost;
    if (!this.#isClosed && performance.now() - this.#triedAt > retryMs) void this.open();
    return false;
  }

  run(text: string, values: Cells): Promise<Answer> | undefined {
    const open = this.#open;
    if (!open) return undefined;
    const span = beginStatement(text);
    return new Promise((resolve, reject) => {
      const settle = (result: Error | Answer) => {
        this.#waiting -= 1;
        this.#progressAt = performance.now();
        const error = open.client.settled(result instanceof Error ? result : undefined, text);
        span?.end(error && { error });
        if (!error) return resolve(result as Answer);
        // What it failed of may be the statement as it is prepared.
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
    } = this.#options;
    this.#triedAt = performance.now();
    try {
      const client = supervisor.createClient({
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
      });
      client.once("end", () => {
        if (this.#open?.client === client) this.#open = undefined;
        this.#stopWatching();
      });
      await client.connect();
      this.#open = { client, statements: new PreparedStatements(maxStatements) };
      if (this.#isClosed) await client.end();
    } catch {
      // PostgreSQL is away, or the service stops: whoever asks finds no connection.
    }
  }

  /** Ends a connection that gave no answer for too long; watches no further when nothing waits. */
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
