/**
 * The PostgreSQL of Debian's packages, with its own pg_dump and pg_restore, on a port of loopback. Its postmaster is a child of the test.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "../basics/eventually.ts";
import { freePort } from "../basics/free-port.ts";
import { temporaryFolder } from "../basics/temporary-folder.ts";
import { query } from "../database/database.ts";

/** The folder of programs of the newest one. */
export function binariesFolder(): string {
  const top = "/usr/lib/postgresql";
  const [version] = readdirSync(top).toSorted((a, b) => Number(b) - Number(a));
  return join(top, version as string, "bin");
}

/** The account that PostgreSQL runs as: it does not run as root. */
export function postgresAccount(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (option: string) => Number(spawnSync("id", [option, "postgres"], { encoding: "utf8" }).stdout);
  return { uid: idOf("-u"), gid: idOf("-g") };
}

export class DebianPostgres {
  readonly #folder = temporaryFolder();
  readonly #account = postgresAccount();
  #server: ChildProcess | undefined;
  url = "";

  /** Creates it with an empty database, and starts it. */
  async start(): Promise<void> {
    const { uid, gid } = this.#account;
    if (uid !== undefined && gid !== undefined) chownSync(this.#folder, uid, gid);
    const data = join(this.#folder, "data");
    this.run("initdb", "-U", "postgres", "-A", "trust", "-N", "-D", data);
    const port = await freePort();
    const settings = [`port=${port}`, "listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off"];
    const args = ["-D", data, ...settings.flatMap((setting) => ["-c", setting])];
    this.#server = spawn(join(binariesFolder(), "postgres"), args, { ...this.#account, stdio: "ignore" });
    this.url = `postgresql://postgres@127.0.0.1:${port}/zonesmith`;
    const server = this.url.replace(/zonesmith$/, "postgres");
    await eventually(() => query(server, "select 1"));
    await query(server, "create database zonesmith");
  }

  /** Runs one of its programs, which has to succeed. */
  run(program: string, ...args: readonly string[]): void {
    const options = { ...this.#account, cwd: this.#folder, encoding: "utf8" } as const;
    const { status, stderr } = spawnSync(join(binariesFolder(), program), args, options);
    if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`);
  }

  async stop(): Promise<void> {
    if (this.#server?.exitCode === null) {
      this.#server.kill("SIGQUIT");
      await once(this.#server, "exit");
    }
  }
}
