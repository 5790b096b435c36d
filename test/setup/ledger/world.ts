/**
 * What a run disturbs: the service as a process, its PostgreSQL (embedded, one of its operator, or a cluster that fails over), a disk of
 * their own, a Knot that follows by catalog, NOTIFY and IXFR, and copies that follow by IXFR alone.
 */
import { chmodSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { type EmbeddedPostgres, runningPostgres, startEmbeddedPostgres } from "../../../src/postgres/embedded.ts";
import { eventually } from "../basics/eventually.ts";
import { freePort } from "../basics/free-port.ts";
import { childrenOf } from "../basics/linux-processes.ts";
import { temporaryFolder } from "../basics/temporary-folder.ts";
import { transfer } from "../dns/transfer.ts";
import { type ClientKey, clientKey } from "../dns/update-client.ts";
import { Disk } from "../process/disk.ts";
import { Follower } from "../servers/follower.ts";
import { knot } from "../servers/name-servers.ts";
import type { PatroniCluster } from "../servers/patroni-cluster.ts";
import { Client, type Json } from "../service/client.ts";
import { Copies } from "./copies.ts";
import { Keeper } from "./keeper.ts";

/**
 * Whose PostgreSQL it is: the service's own, or one at DATABASE_URL; or a cluster, of which DATABASE_URL names every server, or HAProxy
 * before them.
 */
export const databases = ["embedded", "url", "hosts", "haproxy"] as const;
export type Database = (typeof databases)[number];

export const isCluster = (database: Database) => database === "hosts" || database === "haproxy";

export class World extends Client {
  readonly database: Database;
  readonly folder = temporaryFolder();
  readonly dataDir = join(this.folder, "disk", "data");
  userId = "";
  writersKey: ClientKey = clientKey("none", "");
  disk: Disk | undefined;
  #service: Keeper | undefined;
  readonly #follower = new Follower(this, knot);
  #copies: Copies | undefined;
  #operated: EmbeddedPostgres | undefined;
  readonly #cluster: PatroniCluster | undefined;
  /** The name of the database in the cluster. */
  #name = "";
  #isClosed = false;

  private constructor(database: Database, cluster: PatroniCluster | undefined) {
    super();
    this.database = database;
    this.#cluster = isCluster(database) ? cluster : undefined;
  }

  /** Starts everything, but no cluster. */
  static async open(database: Database, cluster?: PatroniCluster): Promise<World> {
    const world = new World(database, cluster);
    try {
      await world.#start();
      return world;
    } catch (error) {
      await world.close();
      throw error;
    }
  }

  async #start(): Promise<void> {
    const mountPoint = join(this.folder, "disk");
    mkdirSync(mountPoint);
    this.disk = Disk.mount(mountPoint);
    mkdirSync(this.dataDir);
    chmodSync(this.dataDir, 0o755);
    const http = await freePort();
    this.url = `http://127.0.0.1:${http}`;
    this.dnsPort = await freePort();
    this.#service = new Keeper({
      ...(await this.#databaseSettings()),
      HTTP_PORT: String(http),
      DNS_PORT: String(this.dnsPort),
      ADMIN_API_KEY: this.apiKey,
      LOG_LEVEL: "error",
      RATE_LIMIT_KEY: "0",
      RATE_LIMIT_ADDRESS: "0",
    });
    await eventually(() => this.isReady());
    this.service.takeEnds();
    this.userId = await this.user("owner@example.com");
    this.writersKey = await this.tsigKey({ name: "writer.example", userId: this.userId });
    await this.#follower.follow();
    this.#copies = await Copies.register(this);
  }

  /** Where the service finds its database. */
  async #databaseSettings(): Promise<Record<string, string>> {
    if (this.database === "embedded") return { DATA_DIR: this.dataDir };
    if (this.database === "url") return { DATABASE_URL: (await this.#operate()).url };
    const { name, ...urls } = await this.cluster.createDatabase();
    this.#name = name;
    return { DATABASE_URL: urls[this.database] };
  }

  get cluster(): PatroniCluster {
    if (!this.#cluster) throw new Error("the world has no cluster");
    return this.#cluster;
  }

  get copies(): Copies {
    if (!this.#copies) throw new Error("the world has no copies");
    return this.#copies;
  }

  get service(): Keeper {
    if (!this.#service) throw new Error("the world has no service");
    return this.#service;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#follower.remove();
    await this.#copies?.close();
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

  /** A zone as the secondary serves it, in the form of `transfer`; `rcode n` when it does not serve it. */
  served(zone: string): Promise<string[]> {
    const { key, port } = this.#follower;
    return transfer(port, zone, { key: clientKey(key.name, key.secret) });
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

  async sql(statement: string): Promise<Json[]> {
    const client = await this.connect();
    try {
      return (await client.query(statement)).rows;
    } finally {
      await client.end();
    }
  }

  /** The process id of the first process of PostgreSQL; 0 when it does not run. */
  get postmaster(): number {
    try {
      return Number.parseInt(readFileSync(join(this.dataDir, "postgres/cluster/postmaster.pid"), "utf8"), 10);
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
    postgres.onExit(async () => {
      await postgres.stop();
      await eventually(async () => {
        if (!this.#isClosed) await this.#operate();
      });
    });
    return postgres;
  }
}
