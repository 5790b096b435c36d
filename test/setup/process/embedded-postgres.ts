/**
 * Embedded PostgreSQLs of a test file, in this process or in processes of their own, below one temporary folder; whatever a test leaves
 * running is ended.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "@jest/globals";
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions as Options,
  startEmbeddedPostgres,
} from "../../../src/postgres/embedded.ts";
import { eventually } from "../basics/eventually.ts";
import { processesIn } from "../basics/linux-processes.ts";
import { opened } from "../basics/opened.ts";
import { query } from "../database/database.ts";

export const project = join(import.meta.dirname, "../../..");
export const isRoot = process.getuid?.() === 0;
/** The uid of a user whom the machine does not know. */
export const stranger = 1234;

const program = `
  const [project, dataDir, options] = process.argv.slice(1);
  const log = (line) => console.log("log " + line);
  const { startEmbeddedPostgres } = await import(project + "/src/postgres/embedded.ts");
  try {
    const postgres = await startEmbeddedPostgres(dataDir, { log, ...JSON.parse(options) });
    process.once("SIGTERM", async () => { await postgres.stop(); process.exit(0); });
    console.log("ready " + postgres.url);
  } catch (error) {
    console.log("refused " + error.message);
  }`;

/** A process that has started an embedded PostgreSQL, or was refused. */
interface PostgresService {
  readonly child: ChildProcess;
  readonly log: string[];
  /** Its line of `ready` or `refused`. */
  readonly outcome: Promise<string>;
  readonly gone: Promise<unknown>;
}

/** How such a process is started: by whom, with which options and environment, from which copy of the project, after which code. */
interface PostgresServiceOptions {
  readonly uid?: number;
  readonly options?: Options;
  readonly env?: Record<string, string>;
  readonly project?: string;
  readonly before?: string;
}

class PostgresFolders {
  readonly #top = fs.mkdtempSync(join(tmpdir(), "zs-test-"));
  readonly #children: ChildProcess[] = [];
  readonly #started: EmbeddedPostgres[] = [];
  #made = 0;
  readonly #seed: string;

  constructor() {
    fs.chmodSync(this.#top, 0o755);
    this.#seed = this.folder();
  }

  /** Makes the database that `seeded` copies. */
  async open(): Promise<void> {
    await (await this.start(this.#seed)).stop();
  }

  async close(): Promise<void> {
    for (const child of this.#children) child.kill("SIGKILL");
    await Promise.all(this.#started.map((postgres) => postgres.stop()));
    await eventually(() => postmastersBelow(this.#top).length === 0);
  }

  /** A new folder, of this user or of another one. */
  folder(owner = process.getuid?.() ?? 0): string {
    this.#made += 1;
    const path = join(this.#top, `d${this.#made}`);
    fs.mkdirSync(path);
    fs.chownSync(path, owner, owner === process.getuid?.() ? (process.getgid?.() ?? 0) : owner);
    return path;
  }

  /** A folder with a stopped database in it, which is quicker than a first start. */
  seeded(): string {
    const path = this.folder();
    spawnSync("cp", ["-a", join(this.#seed, "postgres"), path]);
    return path;
  }

  async start(dataDir: string, options: Options = {}): Promise<EmbeddedPostgres> {
    const postgres = await startEmbeddedPostgres(dataDir, { log: () => {}, ...options });
    this.#started.push(postgres);
    return postgres;
  }

  service(
    dataDir: string,
    { uid, options = {}, env = {}, project: from = project, before = "" }: PostgresServiceOptions = {},
  ): PostgresService {
    const words = ["--no-warnings", "--input-type=module", "-e", before + program];
    const child = spawn(process.execPath, [...words, from, dataDir, JSON.stringify(options)], {
      ...(uid === undefined ? {} : { uid, gid: uid }),
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.#children.push(child);
    const log: string[] = [];
    const gone = new Promise((resolve) => child.once("close", resolve));
    const outcome = new Promise<string>((resolve) => {
      let text = "";
      child.stdout?.on("data", (chunk) => {
        text += chunk;
        const lines = text.split("\n");
        text = lines.pop() ?? "";
        log.push(...lines);
        const line = lines.find((each) => /^(ready|refused) /.test(each));
        if (line) resolve(line);
      });
      void gone.then(() => resolve(`silent ${log.join("\n")}`));
    });
    return { child, log, outcome, gone };
  }
}

export const testPostgresFolders = () => opened(new PostgresFolders());

/** Ends a process that has started one, as an operator does. */
export async function end({ child, gone }: PostgresService): Promise<void> {
  child.kill("SIGTERM");
  await gone;
}

/** The only postmaster that works below a folder; one that forks a process is two for a moment. */
export function postmasterOf(path: string): Promise<number> {
  return eventually(() => {
    const found = postmastersBelow(path);
    expect(found).toHaveLength(1);
    return found[0] as number;
  });
}

/** The postmasters that work below a folder: a child of one has another postgres as its parent. */
export function postmastersBelow(path: string): number[] {
  const found = processesIn(path).filter(({ name }) => name === "postgres");
  return found.filter(({ parent }) => !found.some(({ pid }) => pid === parent)).map(({ pid }) => pid);
}

export const ask = (url: string, sql: string): Promise<Record<string, unknown>[]> => query(url, sql);

/** The URL in an outcome, which has to be `ready`. */
export function urlOf(outcome: string): string {
  expect(outcome).toMatch(/^ready /);
  return outcome.slice("ready ".length);
}
