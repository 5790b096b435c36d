/**
 * One real name server of another package, in a folder and at a port of its own: configured, started, asked as a resolver would,
 * and ended by its process id.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "../basics/eventually.ts";
import { freePort } from "../basics/free-port.ts";
import { temporaryFolder } from "../basics/temporary-folder.ts";
import { type Asked, askAt } from "./kdig.ts";
import type { Server } from "./name-servers.ts";

const maxLog = 1_000_000;

export class ServerProcess {
  readonly server: Server;
  readonly folder = temporaryFolder();
  port = 0;
  /** What it has printed since its start, up to a million characters of it. */
  log = "";
  #child: ChildProcess | undefined;

  constructor(server: Server) {
    this.server = server;
    // Servers that give up root's rights enter the folder as another account.
    chmodSync(this.folder, 0o777);
  }

  /** Chooses its port, before anything is said of it. */
  async choosePort(): Promise<number> {
    this.port = await freePort();
    return this.port;
  }

  /** Writes its configuration: the stanza, below what gives it its place. */
  configure(stanza: string): void {
    const { configFile, configuration } = this.server;
    writeFileSync(join(this.folder, configFile), configuration(this.folder, this.port, stanza));
  }

  /** Starts it as it is configured, and waits until it answers. */
  async start(): Promise<void> {
    const [program] = this.server.programs;
    const child = spawn(program, this.server.arguments(this.folder), { stdio: ["ignore", "pipe", "pipe"] });
    this.#child = child;
    this.log = "";
    let isReady = false;
    await new Promise<void>((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", () => reject(new Error(`${program} ended: ${this.log}`)));
      for (const stream of [child.stdout, child.stderr])
        stream.on("data", (data: Buffer) => {
          if (this.log.length < maxLog) this.log += data;
          isReady ||= this.server.ready.test(this.log);
          if (isReady) resolve();
        });
    });
  }

  async stop(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, "exit");
    child.kill("SIGTERM");
    const patience = setTimeout(() => child.kill("SIGKILL"), 30_000);
    await exit;
    clearTimeout(patience);
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  ask(name: string, type: string, ...options: string[]): Promise<Asked> {
    return askAt(this.port, name, type, ...options);
  }
}

/** A server that serves zones from these master files, and lets this machine transfer them; `more` is added to its configuration. */
export async function primaryWith(
  server: Server,
  files: Readonly<Record<string, string>>,
  more = "",
): Promise<ServerProcess> {
  const primary = new ServerProcess(server);
  await primary.choosePort();
  const zones = Object.keys(files);
  for (const [zone, text] of Object.entries(files)) writeFileSync(join(primary.folder, `${zone}.zone`), text);
  const stanza = server.primary(zones, primary.folder) + more;
  primary.configure(stanza);
  await server.prepare?.(primary.folder);
  await server.run?.(primary.folder, stanza);
  await primary.start();
  for (const zone of zones) await eventually(async () => (await primary.ask(zone, "SOA")).answers.length === 1);
  return primary;
}
