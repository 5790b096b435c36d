/**
 * The connections to PostgreSQL, as clients of node-postgres that a long-running service can rely on:
 *
 * - A failed connection leaves its pool at once. Kysely returns the connection of a transaction only after a successful `commit` or
 *   `rollback`, and drops it when `begin` fails. On a lost connection all of them fail, and its place in the pool would be lost too.
 *   So `rollback` never fails here: the server does it, or the end of the connection.
 * - A commit that PostgreSQL confirms without its synchronous standby has an unknown outcome: a failover may lose it.
 * - Every wait ends: for an answer of a hanging server, and for the end of a connection.
 * - A connection is to the primary among the servers at its URL, and ends when another server becomes the primary; or it is to a replica.
 * - All connections, also those being opened, can be ended at once, so that nothing waits for them when the service stops.
 */
import type tls from "node:tls";
import pg from "pg";
import { serverConfig, serverUrls } from "./database-url.ts";
import { type Primary, PrimaryMonitor, primaryOf } from "./primary-monitor.ts";
import { type DatabaseFailure, databaseFailureOf, isUnreplicatedCommit } from "./sqlstate.ts";
import { beginStatement } from "./statement-span.ts";

export const statementTimeoutMs = 60_000;

/** The additional time after PostgreSQL's own time limit, ms. After it the server counts as hung, and the connection as lost. */
const graceMs = 5000;

const endTimeoutMs = 1000;

export const connectionLimits = {
  statement_timeout: statementTimeoutMs,
  query_timeout: statementTimeoutMs + graceMs,
  keepAlive: true,
};

/**
 * Settings of every session. `client_min_messages`: warnings report commits that are not replicated. `jit`: just-in-time compilation
 * takes seconds for a statement of milliseconds, again on each new connection. `gin_pending_list_limit`: searches walk the pending list
 * of their index, so writes keep it below 256 KB.
 */
const sessionSettings = "-c client_min_messages=warning -c jit=off -c gin_pending_list_limit=256";

const sessionOptions = (...parts: readonly (string | undefined)[]) =>
  [...parts, sessionSettings].filter(Boolean).join(" ");

function configOf(config: pg.ClientConfig, url: string): pg.ClientConfig {
  const { connectionString: _, options: ours, ...rest } = config;
  const { options, ...named } = serverConfig(url);
  return { ...rest, ...named, options: sessionOptions(options, ours) };
}

/** node-postgres's client, with one signature for the overloads of its methods. */
const BaseClient = pg.Client as unknown as new (
  config?: pg.ClientConfig,
) => Omit<pg.Client, "host" | "port" | "query" | "connect" | "end"> & {
  host: string;
  port: number;
  query(...args: unknown[]): unknown;
  connect(callback?: (error?: Error) => void): unknown;
  end(callback?: () => void): unknown;
};

/** The result reported for a `rollback` that was not needed because the end of the connection already rolled back the transaction. */
const rolledBack = { command: "ROLLBACK", rowCount: null, rows: [] };

/** The statement that sets a time limit, ms, for a transaction. */
const ownLimit = /^set local statement_timeout = ([1-9]\d*)$/;

/** Statements that Kysely expects to succeed: after any error of them it does not return the connection to the pool. */
const transactionControl = /^(begin|start transaction|rollback$)/;

/**
 * The comment at the beginning of a writing statement that is a transaction of its own. When such a statement succeeds, its changes are
 * committed.
 */
export const ownTransaction = "/* own transaction */";

/**
 * Whether a statement may have been committed although it failed with this error and its connection ended. The statement is a text or a
 * query configuration of node-postgres. A statement that is its own transaction is rolled back when the server reports an error, except for
 * a crash (PANIC), which may happen after the commit.
 */
function mayBeCommitted(statement: unknown, error: Error): boolean {
  if (statement === "commit") return true;
  const text = typeof statement === "object" ? (statement as pg.QueryConfig | null)?.text : statement;
  if (typeof text !== "string" || !text.startsWith(ownTransaction)) return false;
  return !(error instanceof pg.DatabaseError && (error.severity === "ERROR" || error.severity === "FATAL"));
}

interface ClientOptions {
  readonly isReplica?: boolean | undefined;
}

/** A client whose connection ends with the first failure that leaves its state uncertain. */
export class SupervisedClient extends BaseClient {
  readonly #supervisor: ConnectionSupervisor;
  /** Returns the client to its pool; undefined while no caller holds it. */
  #giveBack: ((error?: unknown) => void) | undefined;
  #isLost = false;
  /** The warning of PostgreSQL that the commit it confirms next is not replicated. */
  #unreplicated: string | undefined;
  /** The TLS options of the connection, with the host whose certificate is expected. */
  readonly #tls: tls.ConnectionOptions;
  #primary: Primary | undefined;
  /** The URL of all servers, one of them the primary; undefined for a replica, and for a local socket, which has no failover. */
  readonly #url: string | undefined;
  #patienceMs: number | undefined;

  constructor(config: pg.ClientConfig, supervisor: ConnectionSupervisor, { isReplica = false }: ClientOptions = {}) {
    const { connectionString: url } = config;
    const own = url === undefined ? config : configOf(config, serverUrls(url)[0] as string);
    super(own);
    this.#tls = typeof own.ssl === "object" ? own.ssl : {};
    this.#url = isReplica || this.host.startsWith("/") ? undefined : url;
    this.#supervisor = supervisor;
    this.on("error", (error) => this.lose(error));
    this.on("notice", (notice) => {
      if (isUnreplicatedCommit(notice)) this.#unreplicated = notice.message ?? "it is not replicated";
    });
  }

  /**
   * The function that returns the client to its pool. The pool sets it whenever it hands out the client. Only the first call has an effect,
   * so a second one is harmless, for example after the connection was lost.
   */
  get release(): (error?: unknown) => void {
    return (error) => {
      const giveBack = this.#giveBack;
      this.#giveBack = undefined;
      giveBack?.(error);
    };
  }

  set release(giveBack: (error?: unknown) => void) {
    this.#giveBack = giveBack;
  }

  override connect(callback?: (error?: Error) => void): unknown {
    const connected = this.#connect();
    return callback ? void connected.then(() => callback(), callback) : connected;
  }

  async #connect(): Promise<void> {
    const monitor = this.#supervisor.admit(this, this.#url);
    try {
      const primary = await monitor?.address();
      if (primary) {
        Object.assign(this, { host: primary.host, port: primary.port });
        this.#tls.host = primary.host;
      }
      // The client was ended during the wait.
      if (this.connection.stream.destroyed) throw new Error("Connection terminated");
    } catch (error) {
      this.#supervisor.dismiss(this);
      throw error;
    }
    await super.connect();
    if (!monitor) return;
    try {
      this.#primary = await primaryOf(this);
      monitor.check(this.#primary);
    } catch (error) {
      this.lose(error as Error);
      throw error;
    }
  }

  override query(...args: unknown[]): unknown {
    const [statement] = args;
    const wasLost = this.#isLost;
    if (wasLost && statement === "rollback") return Promise.resolve(rolledBack);
    const result = super.query(...this.#patient(args));
    if (!(result instanceof Promise)) return result;
    const span = beginStatement(statement);
    if (span)
      result.then(
        () => span.end(),
        (error) => span.end({ error }),
      );
    const replicated = result.then((value: unknown) => {
      if (this.#unreplicated === undefined) return value;
      throw new Error(this.#unreplicated);
    });
    return replicated.catch((error: Error) => {
      const failure = this.#failureOf(error, statement, wasLost);
      if (statement === "rollback") return rolledBack;
      throw failure;
    });
  }

  #patient(args: unknown[]): unknown[] {
    const [statement, values, ...rest] = args;
    if (typeof statement === "string") {
      const limit = ownLimit.exec(statement)?.[1];
      if (limit !== undefined) this.#patienceMs = Number(limit) + graceMs;
      if (statement === "commit" || statement === "rollback") this.#patienceMs = undefined;
    }
    if (this.#patienceMs === undefined || typeof values === "function") return args;
    const isText = typeof statement === "string";
    if (!isText && typeof (statement as { submit?: unknown }).submit === "function") return args;
    const query = isText ? { text: statement, values } : (statement as object);
    return [{ ...query, query_timeout: this.#patienceMs }, ...(isText ? rest : args.slice(1))];
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  /** The error of a submitted statement after its answer or the end of the connection; undefined when it succeeded. */
  settled(error: Error | undefined, statement: string): Error | undefined {
    if (error) return this.#failureOf(error, statement, false);
    if (this.#unreplicated === undefined) return undefined;
    return this.#failureOf(new Error(this.#unreplicated), statement, false);
  }

  #failureOf(error: Error, statement: unknown, wasLost: boolean): Error {
    this.examine(error, statement);
    const isLost = this.#isLost && !wasLost;
    const isUnknown = this.#unreplicated !== undefined || (isLost && mayBeCommitted(statement, error));
    return isUnknown ? unknownOutcome(this.#unreplicated ?? "the connection was lost", error) : error;
  }

  override end(callback?: () => void): unknown {
    const timeout = setTimeout(() => this.connection.stream.destroy(), endTimeoutMs).unref();
    this.once("end", () => clearTimeout(timeout));
    return super.end(callback);
  }

  /** Ends the connection and all its statements at once, and frees its place in the pool. */
  lose(error: Error): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.connection.stream.destroy();
    this.release(error);
  }

  keepOnly({ host, port, timeline }: Primary): void {
    const primary = this.#primary;
    if (!primary || (primary.host === host && primary.port === port && primary.timeline === timeline)) return;
    this.lose(new Error(`Connection terminated: the primary is ${host}:${port} now`));
  }

  /** Reports the error of a statement, and ends the connection if it is no longer usable. */
  examine(error: Error, statement: unknown): void {
    const failure = databaseFailureOf(error);
    if (failure) this.#supervisor.report(failure);
    const isOfServer = error instanceof pg.DatabaseError;
    const isControl = typeof statement === "string" && transactionControl.test(statement);
    if (!isOfServer || failure?.endsConnection || isControl) this.lose(error);
  }
}

/** The error of a commit that was sent and not confirmed; 08007 is "transaction resolution unknown" of PostgreSQL. */
function unknownOutcome(why: string, cause: Error): Error {
  return Object.assign(new Error(`a commit was not confirmed: ${why}`, { cause }), { code: "08007" });
}

export interface PoolCounts {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
  readonly options: { readonly max: number };
}

export class ConnectionSupervisor {
  readonly #clients = new Set<SupervisedClient>();
  /** The monitors by URL. They run while there are clients. */
  readonly #monitors = new Map<string, PrimaryMonitor>();
  #isClosed = false;

  readonly Client: typeof pg.Client;

  readonly pools = new Map<string, PoolCounts>();

  /** Set when a write found the database's disk full; reset by whoever finds free space. */
  isDiskFull = false;

  constructor() {
    const supervisor = this;
    const Client = class extends SupervisedClient {
      constructor(config: pg.ClientConfig = {}) {
        super(config, supervisor);
      }
    };
    this.Client = Client as unknown as typeof pg.Client;
  }

  createClient(config: pg.ClientConfig, options?: ClientOptions): SupervisedClient {
    return new SupervisedClient(config, this, options);
  }

  /** Registers a client before it connects; returns the monitor of the primary. Throws when the service is closing. */
  admit(client: SupervisedClient, url: string | undefined): PrimaryMonitor | undefined {
    if (this.#isClosed) throw new Error("the service closes its database connections");
    this.#clients.add(client);
    client.once("end", () => this.dismiss(client));
    return url === undefined ? undefined : this.#monitorOf(url);
  }

  dismiss(client: SupervisedClient): void {
    this.#clients.delete(client);
    if (this.#clients.size > 0) return;
    for (const monitor of this.#monitors.values()) monitor.stop();
    this.#monitors.clear();
  }

  #monitorOf(url: string): PrimaryMonitor {
    const monitor =
      this.#monitors.get(url) ??
      new PrimaryMonitor(url, (primary) => {
        for (const client of this.#clients) client.keepOnly(primary);
      });
    this.#monitors.set(url, monitor);
    return monitor;
  }

  report(failure: DatabaseFailure): void {
    if (failure.codes.includes("53100")) this.isDiskFull = true;
  }

  close(): void {
    this.#isClosed = true;
    for (const client of this.#clients) client.lose(new Error("the service closes its database connections"));
  }
}
