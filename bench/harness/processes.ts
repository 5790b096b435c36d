/** The processes of a bench: starts the floor and the service on a PostgreSQL, and reads CPU time and memory from /proc (Linux). */
import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { startEmbeddedPostgres } from "../../src/postgres/embedded.ts";
import { migrate } from "../../src/service/database/migrate.ts";
import { openDatabase } from "../../src/service/database/open-database.ts";
import { adminKey, headers, type Question } from "./cases.ts";
import { isDone, textOf } from "./client.ts";
import { load, type Size } from "./data.ts";

/** A measured process. */
export interface Side {
  readonly port: number;
  readonly pid: number;
}

/** Starts an embedded PostgreSQL in a temporary folder; returns its URL. */
export async function startPostgres(undo: (() => unknown)[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "zonesmith-bench-"));
  chmodSync(folder, 0o755);
  undo.push(() => rmSync(folder, { recursive: true, force: true }));
  const postgres = await startEmbeddedPostgres(folder, { log: () => {} });
  undo.push(() => postgres.stop());
  return postgres.url;
}

/** Creates the tables and loads the data; returns the process id of PostgreSQL. */
export async function fill(url: string, size: Size): Promise<number> {
  const orm = await openDatabase({ url });
  await migrate(orm);
  await orm.close(true);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await load(client, size);
    const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
    return Number(stat(rows[0]?.pid as number)[1]);
  } finally {
    await client.end();
  }
}

/** Starts the floor on the same database, optionally with pipelined statements. */
export async function startFloor(url: string, undo: (() => unknown)[], ...words: "pipelined"[]): Promise<Side> {
  const floor = join(import.meta.dirname, "../floor/floor.js");
  const child = fork(floor, words, { env: { ...process.env, DATABASE_URL: url } });
  undo.push(() => end(child));
  const [port] = (await once(child, "message")) as [number];
  return { port, pid: child.pid as number };
}

/** Starts the service as an operator would, without a log and without request limits. */
export async function startService(
  url: string,
  flags: readonly string[],
  undo: (() => unknown)[],
  dnsPort = 0,
): Promise<Side> {
  const port = await freePort();
  const program = join(import.meta.dirname, "../../src/cli/zonesmith.js");
  chmodSync(program, 0o755);
  const child = spawn(program, ["serve"], {
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      ...process.env,
      ...(flags.length > 0 && { NODE_OPTIONS: flags.join(" ") }),
      DATABASE_URL: url,
      HTTP_PORT: String(port),
      DNS_PORT: String(dnsPort),
      ADMIN_API_KEY: adminKey,
      RATE_LIMIT_KEY: "0",
      RATE_LIMIT_ADDRESS: "0",
    },
  });
  undo.push(() => end(child));
  for (;;) {
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    if (ready?.ok) return { port, pid: child.pid as number };
    if (child.exitCode !== null) throw new Error("The service did not start.");
    await sleep(50);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}

export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}

/** Sends one request and returns the text of the answer; throws unless its status means success. */
export async function askOnce(port: number, question: Question): Promise<string> {
  const { method, path, body } = question;
  const asked = request({ port, host: "127.0.0.1", method, path, headers: question.headers ?? headers, agent: false });
  asked.end(textOf(body));
  const [response] = (await once(asked, "response")) as [IncomingMessage];
  const answer = await text(response);
  if (!isDone(response.statusCode as number))
    throw new Error(`${path}: status ${response.statusCode}: ${answer.slice(0, 300)}`);
  return answer;
}

/** The data of a GraphQL operation by the administrator; throws the errors of the answer. */
// biome-ignore lint/suspicious/noExplicitAny: the data of any operation
export async function askGraphql(port: number, query: string, variables: Record<string, unknown> = {}): Promise<any> {
  const body = JSON.stringify({ query, variables });
  const response = await fetch(`http://127.0.0.1:${port}/graphql`, { method: "POST", headers, body });
  const { data, errors } = JSON.parse(await response.text());
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}

/** The fields of /proc/PID/stat after the program name: state, parent, … */
function stat(pid: number): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  return text.slice(text.lastIndexOf(")") + 2).split(" ");
}

/** The CPU time of all processes of the machine so far, ms, in steps of 10 ms. */
export function cpuOfAll(): number {
  const [, user, nice, system, , , irq, softirq] = readFileSync("/proc/stat", "utf8").split(/\s+/).map(Number);
  return 10 * [user, nice, system, irq, softirq].reduce<number>((sum, ticks = 0) => sum + ticks, 0);
}

/** The CPU time of a process and its threads so far, ms. */
export function cpuOf(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const ofThread = (thread: string) =>
    Number(/^\d+/.exec(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8"))?.[0]);
  return threads.reduce((sum, thread) => sum + ofThread(thread), 0) / 1e6;
}

/**
 * The CPU time of each connection of PostgreSQL so far, ms, by process id. Background work such as vacuuming is left out: it follows the
 * writes of all sides, whichever side is measured then.
 */
export function cpuOfConnections(postgres: number): ReadonlyMap<string, number> {
  const ofProcess = (pid: string): [string, number][] => {
    try {
      const isConnection = /^postgres: \S+ \S+ \[local\] /.test(readFileSync(`/proc/${pid}/cmdline`, "utf8"));
      return isConnection && stat(Number(pid))[1] === String(postgres) ? [[pid, cpuOf(Number(pid))]] : [];
    } catch {
      return []; // It has ended meanwhile.
    }
  };
  return new Map(
    readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .flatMap(ofProcess),
  );
}

/** The CPU time of connections between two readings, ms. The time of a connection that ended in between is unknown. */
export function cpuBetween(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): number {
  return [...after].reduce((sum, [pid, cpu]) => sum + cpu - (before.get(pid) ?? 0), 0);
}

/** The peak memory of a process since `forgetPeak`, MB. */
export function peakOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}

/** The present memory of a process, MB. */
export function residentOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}

/** Resets the peak memory to the present memory. */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
}
