/**
 * What a run disturbs: the service as a process, its PostgreSQL (embedded, one of its operator, or a cluster that fails over), a disk of
 * their own, and a secondary.
 */
import { chmodSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { type EmbeddedPostgres, runningPostgres, startEmbeddedPostgres } from "../../../src/postgres/embedded.ts";
import { eventually } from "../basics/eventually.ts";
import { freePort } from "../basics/free-port.ts";
import { temporaryFolder } from "../basics/temporary-folder.ts";
import { type ClientKey, clientKey } from "../dns/update-client.ts";
import type { PatroniCluster } from "../servers/patroni-cluster.ts";
import type { Place } from "./client.ts";
import { type Disk, mountDisk } from "./disk.ts";
import { Keeper } from "./keeper.ts";
import { childrenOf } from "./linux-processes.ts";
import { followWith, type Witness } from "./witness.ts";

// biome-ignore lint/suspicious/noExplicitAny: the data of a response
type Json = any;

/**
 * Whose PostgreSQL it is: the service's own, or one at DATABASE_URL; or a cluster, of which DATABASE_URL names every server, or HAProxy
 * before them.
 */
export const databases = ["embedded", "url", "hosts", "haproxy"] as const;
export type Database = (typeof databases)[number];

/** Whether this database is a cluster. */
export const isCluster = (database: Database) => database === "hosts" || database === "haproxy";

const apiKey = "zs_acknowledged-writes-administrator-000";

export class World implements Place {
  readonly database: Database;
  readonly apiKey = apiKey;
  readonly folder = temporaryFolder();
  readonly dataDir = join(this.folder, "disk", "data");
  url = "";
  dnsPort = 0;
  userId = "";
  tsigKey: ClientKey = clientKey("none", "");
  disk: Disk | undefined;
  #service: Keeper | undefined;
  #witness: Witness | undefined;
  #operated: EmbeddedPostgres | undefined;
  readonly #cluster: PatroniCluster | undefined;
  /** The name of the database in the cluster. */
  #name = "";
  #isClosed = false;

  private constructor(database: Database, cluster: PatroniCluster | undefined) {
    this.database = database;
    this.#cluster = isCluster(database) ? cluster : undefined;
  }

  /** Starts everything, but no cluster. Without Knot the secondary is one of our own. */
  static async open(database: Database, secondary: "knot" | "own", cluster?: PatroniCluster): Promise<World> {
    const world = new World(database, cluster);
    try {
      await world.#start(secondary);
      return world;
    } catch (error) {
      await world.close();
      throw error;
    }
  }

  async #start(secondary: "knot" | "own"): Promise<void> {
    const mountPoint = join(this.folder, "disk");
    mkdirSync(mountPoint);
    this.disk = mountDisk(mountPoint);
    mkdirSync(this.dataDir);
    chmodSync(this.dataDir, 0o755);
    const [http, dns] = [await freePort(), await freePort()];
    this.url = `http://127.0.0.1:${http}`;
    this.dnsPort = dns;
    this.#service = new Keeper({
      ...(await this.#databaseSettings()),
      HTTP_PORT: String(http),
      DNS_PORT: String(dns),
      ADMIN_API_KEY: apiKey,
      LOG_LEVEL: "error",
      RATE_LIMIT_KEY: "0",
      RATE_LIMIT_ADDRESS: "0",
    });
    this.service.start();
    await eventually(() => this.isReady());
    this.service.takeEnds();
    this.userId = (await this.run("createUser", "user { id }", { email: "owner@example.com" })).user.id;
    const input = { name: "writer.example", userId: this.userId };
    const { tsigKey, secret } = await this.run("createTsigKey", "tsigKey { name } secret", input);
    this.tsigKey = clientKey(tsigKey.name, secret);
    this.#witness = await followWith(secondary, this);
  }

  /** Where the service finds its database. */
  async #databaseSettings(): Promise<Record<string, string>> {
    if (this.database === "embedded") return { DATA_DIR: this.dataDir };
    if (this.database === "url") return { DATABASE_URL: (await this.#operate()).url };
    const { name, ...urls } = await this.cluster.createDatabase();
    this.#name = name;
    return { DATABASE_URL: urls[this.database] };
  }

  /** The cluster of this world; throws when it has none. */
  get cluster(): PatroniCluster {
    if (!this.#cluster) throw new Error("the world has no cluster");
    return this.#cluster;
  }

  get service(): Keeper {
    if (!this.#service) throw new Error("the world has no service");
    return this.#service;
  }

  get witness(): Witness {
    if (!this.#witness) throw new Error("the world has no secondary");
    return this.#witness;
  }

  /** Stops everything and removes what it wrote. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#witness?.remove();
    await this.#service?.close();
    await this.#operated?.stop();
    this.disk?.unmount();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async isReady(): Promise<boolean> {
    const response = await fetch(`${this.url}/readyz`, { signal: AbortSignal.timeout(5000) });
    await response.arrayBuffer();
    return response.ok;
  }

  /** Runs a GraphQL document and returns its data; throws what it was refused with. */
  async data(document: string, variables: Json = {}): Promise<Json> {
    const response = await fetch(`${this.url}/graphql`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-API-Key": apiKey },
      body: JSON.stringify({ query: document, variables }),
      signal: AbortSignal.timeout(60_000),
    });
    const { data, errors } = (await response.json()) as Json;
    if (errors) throw new Error(JSON.stringify(errors));
    return data;
  }

  /** Runs a mutation and returns its payload. */
  async run(mutation: string, selection: string, input: Json): Promise<Json> {
    const type = `${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Input!`;
    const document = `mutation ($input: ${type}) { ${mutation}(input: $input) { ${selection} } }`;
    return (await this.data(document, { input }))[mutation];
  }

  /** Opens a connection to the database, beside the service; its loss is no error of this process. */
  async connect(): Promise<pg.Client> {
    const url = this.#cluster ? await this.#cluster.urlOfPrimary(this.#name) : runningPostgres(this.dataDir);
    if (!url) throw new Error("PostgreSQL does not run");
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000, query_timeout: 60_000 });
    client.on("error", () => {});
    await client.connect();
    return client;
  }

  async sql(statement: string, values: unknown[] = []): Promise<Json[]> {
    const client = await this.connect();
    try {
      return (await client.query(statement, values)).rows;
    } finally {
      await client.end();
    }
  }

  /** The process id of the first process of PostgreSQL; 0 when it does not run. */
  get postmaster(): number {
    try {
      const [pid] = readFileSync(join(this.dataDir, "postgres/cluster/postmaster.pid"), "utf8").split("\n");
      return Number(pid);
    } catch {
      return 0;
    }
  }

  /** All processes of PostgreSQL, the first one first. */
  get postgresProcesses(): number[] {
    const { postmaster } = this;
    return postmaster === 0 ? [] : [postmaster, ...childrenOf(postmaster)];
  }

  /** Runs a PostgreSQL as its operator does: when it ends it is started again. */
  async #operate(): Promise<EmbeddedPostgres> {
    const postgres = await startEmbeddedPostgres(this.dataDir, { log: () => {} });
    this.#operated = postgres;
    postgres.onExit(() => void this.#operateAgain(postgres));
    return postgres;
  }

  async #operateAgain(ended: EmbeddedPostgres): Promise<void> {
    await ended.stop();
    await eventually(async () => {
      if (!this.#isClosed) await this.#operate();
    });
  }
}
