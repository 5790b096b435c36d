/**
 * A real Knot in a folder and on a port of its own, following a catalog of ours; ended by its process id.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "./process.ts";

/** What Knot is told: where our name server is, and the key it shares with us. */
export interface Primary {
  readonly port: number;
  readonly catalog: string;
  readonly key: string;
  readonly secret: string;
}

export class Knot {
  port = 0;
  log = "";
  private readonly folder = mkdtempSync(join(tmpdir(), "zonesmith-knot-"));
  private child: ChildProcess | undefined;

  /** Chooses the port, before anything is told of it. */
  async choosePort(): Promise<number> {
    this.port = await freePort();
    return this.port;
  }

  async start(primary: Primary): Promise<void> {
    const path = join(this.folder, "knot.conf");
    for (const name of ["zones", "db"]) mkdirSync(join(this.folder, name), { recursive: true });
    writeFileSync(path, configuration(this.folder, this.port, primary));
    const child = spawn("knotd", ["-c", path], { stdio: ["ignore", "pipe", "pipe"] });
    this.child = child;
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (data) => (this.log += data));
    while (!this.log.includes("server started")) {
      if (child.exitCode !== null) throw new Error(`knotd ended: ${this.log}`);
      await Promise.race([once(child.stderr as NodeJS.ReadableStream, "data"), once(child, "exit")]);
    }
  }

  /** Stops it; its data stays for the next start. */
  async stop(): Promise<void> {
    const { child } = this;
    this.child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, "exit");
    child.kill("SIGTERM");
    const patience = setTimeout(() => child.kill("SIGKILL"), 3000);
    await exit;
    clearTimeout(patience);
    this.log = "";
  }

  /** Stops it for good. */
  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Asks it as a resolver would. */
  ask(name: string, type: string): Promise<Asked> {
    return askPort(this.port, name, type);
  }
}

/** What a server answered: the rcode, and the data of the answer. */
export interface Asked {
  readonly status: string;
  readonly answers: readonly string[];
}

/** Asks the server on a port of 127.0.0.1. */
export async function askPort(port: number, name: string, type: string): Promise<Asked> {
  const words = ["@127.0.0.1", "-p", String(port), "+noall", "+header", "+answer", "+time=2", name, type];
  const { stdout } = await promisify(execFile)("kdig", words);
  const lines = stdout.split("\n").filter((line) => line !== "" && !line.startsWith(";"));
  return {
    status: /status: (\w+)/.exec(stdout)?.[1] ?? "none",
    answers: lines.map((line) => line.split(/\s+/).slice(4).join(" ")),
  };
}

function configuration(folder: string, port: number, { port: primary, catalog, key, secret }: Primary): string {
  return `
server:
    listen: 127.0.0.1@${port}
    rundir: ${folder}
    pidfile: knot.pid
    automatic-acl: off
log:
  - target: stderr
    any: info
database:
    storage: ${folder}/db
key:
  - id: ${key}
    algorithm: hmac-sha256
    secret: ${secret}
remote:
  - id: primary
    address: 127.0.0.1@${primary}
    key: ${key}
acl:
  - id: notify_from_primary
    key: ${key}
    action: [notify, transfer]
template:
  - id: member
    master: primary
    acl: notify_from_primary
    storage: ${folder}/zones
    zonefile-sync: -1
    zonefile-load: none
    journal-content: all
    semantic-checks: off
zone:
  - domain: ${catalog}
    master: primary
    acl: notify_from_primary
    storage: ${folder}/zones
    zonefile-sync: -1
    zonefile-load: none
    journal-content: all
    catalog-role: interpret
    catalog-template: member
`;
}
