/**
 * A PostgreSQL of a test's own on a port of loopback, which the test may restart, kill and suspend. Its postmaster is a child of the
 * test and ends with it.
 */
import { execFileSync } from "node:child_process";
import { appendFileSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findBinaries } from "../../../src/postgres/binaries.ts";
import type { Account } from "../../../src/postgres/data-folder.ts";
import { startEmbeddedPostgres } from "../../../src/postgres/embedded.ts";
import { type PostgresProcess, shutDown, startProcess } from "../../../src/postgres/process.ts";
import { eventually } from "../basics/eventually.ts";
import { freePort } from "../basics/free-port.ts";
import { childrenOf, processOf, signal } from "../basics/linux-processes.ts";
import { temporaryFolder } from "../basics/temporary-folder.ts";
import { query } from "../database/database.ts";

/** The processes of a server: the postmaster and its children. */
const familyOf = (postmaster: number) => [postmaster, ...childrenOf(postmaster)];

export class OwnPostgres {
  readonly #program: string;
  readonly #account: Account;
  readonly #port: number;
  readonly #folder: string;
  readonly dataFolder: string;
  readonly url: string;
  #server: PostgresProcess | undefined;
  #suspended: readonly number[] = [];

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.dataFolder = join(folder, "postgres/cluster");
    this.#port = port;
    const { uid, gid } = statSync(this.dataFolder);
    this.#account = { uid, gid };
    this.#program = join(findBinaries(this.#account, "/var/lib/zonesmith", () => {}).native, "bin/postgres");
    const password = readFileSync(join(this.dataFolder, "password"), "utf8");
    this.url = `postgresql://zonesmith:${password}@127.0.0.1:${port}/zonesmith`;
  }

  /** Creates one with an empty database, and starts it. */
  static async create(): Promise<OwnPostgres> {
    const folder = temporaryFolder();
    await (await startEmbeddedPostgres(folder, { log: () => {} })).stop();
    const own = new OwnPostgres(folder, await freePort());
    await own.start();
    return own;
  }

  /** Starts a standby that replicates from it: a copy of its folder, for which it is stopped meanwhile. */
  async standby(): Promise<OwnPostgres> {
    const folder = temporaryFolder();
    await this.stop();
    execFileSync("cp", ["-a", `${this.#folder}/.`, folder]);
    await this.start();
    const standby = new OwnPostgres(folder, await freePort());
    const { username, password, hostname, port } = new URL(this.url);
    const primary = `user=${username} password=${password} host=${hostname} port=${port}`;
    appendFileSync(join(standby.dataFolder, "postgresql.auto.conf"), `primary_conninfo = '${primary}'\n`);
    writeFileSync(join(standby.dataFolder, "standby.signal"), "");
    await standby.start();
    return standby;
  }

  get #postmaster(): number {
    return this.#server?.child.pid as number;
  }

  async start(): Promise<void> {
    const place = [`port=${this.#port}`, "listen_addresses=127.0.0.1", "unix_socket_directories="];
    const settings = [...place, "fsync=off", "log_min_messages=fatal"];
    const args = ["-D", this.dataFolder, ...settings.flatMap((setting) => ["-c", setting])];
    this.#server = startProcess(this.#account, this.dataFolder, this.#program, args);
    await eventually(() => query(this.url, "select 1"));
  }

  sql<Row extends Record<string, unknown>>(statement: string, values: unknown[] = []): Promise<Row[]> {
    return query<Row>(this.url, statement, values);
  }

  /** Stops it as `pg_ctl stop -m fast` does. */
  async stop(): Promise<void> {
    this.resume();
    if (this.#server) await shutDown(this.#server);
  }

  /** Kills the postmaster, and waits until its children have noticed. */
  async kill(): Promise<void> {
    const family = familyOf(this.#postmaster);
    signal(this.#postmaster, "SIGKILL");
    await eventually(() => !family.some(processOf));
    rmSync(join(this.dataFolder, "postmaster.pid"), { force: true });
  }

  /** Suspends the postmaster, and its children unless they are left out. */
  async suspend(which: "all" | "postmaster" = "all"): Promise<void> {
    this.#suspended = which === "all" ? familyOf(this.#postmaster) : [this.#postmaster];
    for (const pid of this.#suspended) signal(pid, "SIGSTOP");
    await eventually(() => this.#suspended.every((pid) => processOf(pid)?.isSuspended !== false));
  }

  resume(): void {
    for (const pid of this.#suspended) signal(pid, "SIGCONT");
    this.#suspended = [];
  }
}
