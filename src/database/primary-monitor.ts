/**
 * Finds and watches the primary among the servers at DATABASE_URL. Once a second, a separate connection asks the primary whether it is
 * still the primary. If it is not, or does not answer, all servers are asked until one of them is. A former primary that was suspended or
 * cut off may still believe for a moment that it is the primary. It can be recognized by its older timeline, a number that each promotion
 * increments.
 *
 * When several servers share one address, such as that of a proxy, only the timeline shows that another server is now the primary.
 */
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { serverConfig, serverUrls } from "./database-url.ts";

const checkMs = 1000;
const answerTimeoutMs = 2000;
/** How long the other servers may still answer after one says that it is the primary, ms. */
const graceMs = 300;
const retryMs = 200;
const waitMs = 3000;

export interface Primary {
  readonly host: string;
  readonly port: number;
  /** The timeline; 0 for services that resemble PostgreSQL and have no timelines. */
  readonly timeline: number;
}

interface Candidate {
  readonly client: pg.Client;
  readonly primary: Primary;
}

interface AskedClient {
  readonly host: string;
  readonly port: number;
  query(statement: string): unknown;
}

const timelineQuery = "select substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as timeline";

/** Returns the primary that a client is connected to; throws an error with SQLSTATE 25006 for a standby. */
export async function primaryOf(client: AskedClient): Promise<Primary> {
  const { host, port } = client;
  const rowOf = async (statement: string) =>
    ((await client.query(statement)) as pg.QueryResult<Record<string, unknown>>).rows[0];
  if ((await rowOf("select pg_is_in_recovery() as standby"))?.standby)
    throw Object.assign(new Error(`${host}:${port} is a standby`), { code: "25006" });
  try {
    return { host, port, timeline: Number.parseInt(String((await rowOf(timelineQuery))?.timeline), 16) };
  } catch (error) {
    if ((error as pg.DatabaseError).code !== "0A000") throw error;
    return { host, port, timeline: 0 };
  }
}

export class PrimaryMonitor {
  readonly #servers: readonly string[];
  readonly #onFound: (primary: Primary) => void;
  #primary: Primary | undefined;
  #found = Promise.withResolvers<Primary>();
  readonly #stopped = new AbortController();
  #lose: () => void = () => {};
  #failures: readonly Error[] = [];

  /** Starts to watch; `onFound` is called whenever a primary is found, also the same one again. */
  constructor(url: string, onFound: (primary: Primary) => void) {
    this.#servers = serverUrls(url);
    this.#onFound = onFound;
    void this.#run(this.#stopped.signal);
  }

  stop(): void {
    this.#stopped.abort();
    this.#lose();
  }

  /** Returns the primary to connect to; undefined for a URL of one server. Throws when no server is the primary. */
  async address(): Promise<Primary | undefined> {
    if (this.#servers.length === 1) return undefined;
    if (this.#primary) return this.#primary;
    const over = new AbortController();
    const timeout = sleep(waitMs, undefined, { signal: over.signal }).catch(() => undefined);
    const primary = await Promise.race([this.#found.promise, timeout]);
    over.abort();
    if (!primary) throw this.#notFound();
    return primary;
  }

  /** Throws when a connected server is no longer the primary, by its timeline. */
  check(primary: Primary): void {
    const timeline = this.#primary?.timeline ?? primary.timeline;
    if (primary.timeline > timeline) this.#lose();
    if (primary.timeline >= timeline) return;
    throw Object.assign(new Error(`${primary.host}:${primary.port} was the primary before`), { code: "25006" });
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const candidate = await this.#find();
      if (candidate) await this.#watch(candidate, signal);
      await sleep(candidate ? 0 : retryMs, undefined, { signal }).catch(() => {});
    }
  }

  async #watch({ client, primary }: Candidate, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return close(client);
    const lost = new AbortController();
    this.#lose = () => lost.abort();
    client.on("end", () => lost.abort());
    this.#primary = primary;
    this.#found.resolve(primary);
    this.#onFound(primary);
    while (!lost.signal.aborted) {
      await sleep(checkMs, undefined, { signal: lost.signal }).catch(() => {});
      const present = await primaryOf(client).catch(() => undefined);
      if (present?.timeline !== primary.timeline) lost.abort();
    }
    this.#primary = undefined;
    this.#found = Promise.withResolvers();
    close(client);
  }

  /** Asks all servers; of several that say they are the primary, the one on the newest timeline is. */
  async #find(): Promise<Candidate | undefined> {
    const candidates: Candidate[] = [];
    const failures: Error[] = [];
    const over = new AbortController();
    const { promise: first, resolve: onFirst } = Promise.withResolvers<void>();
    const ask = async (url: string) => {
      try {
        candidates.push(await connect(url));
        onFirst();
      } catch (error) {
        failures.push(error as Error);
      }
    };
    const all = Promise.all(this.#servers.map(ask));
    const grace = first.then(() => sleep(graceMs, undefined, { signal: over.signal }).catch(() => {}));
    await Promise.race([all, grace]);
    over.abort();
    this.#failures = failures;
    const [chosen] = candidates.toSorted((a, b) => b.primary.timeline - a.primary.timeline);
    void all.then(() => {
      for (const candidate of candidates) if (candidate !== chosen) close(candidate.client);
    });
    return chosen;
  }

  /** The error of a connection that found no primary; its cause is an error of a server, preferably one of PostgreSQL. */
  #notFound(): Error {
    const cause = this.#failures.find((error) => error instanceof pg.DatabaseError) ?? this.#failures[0];
    const reasons = this.#failures.map(({ message }) => message).join("; ");
    return new Error(`No server of DATABASE_URL is the primary (${reasons || "none answers"})`, { cause });
  }
}

async function connect(url: string): Promise<Candidate> {
  const client = new pg.Client({
    ...serverConfig(url),
    application_name: "zonesmith-monitor",
    connectionTimeoutMillis: answerTimeoutMs,
    query_timeout: answerTimeoutMs,
  });
  client.on("error", () => {}); // "end" follows.
  try {
    await client.connect();
    return { client, primary: await primaryOf(client) };
  } catch (error) {
    close(client);
    throw error;
  }
}

function close(client: pg.Client): void {
  client.connection.stream.destroy();
}
