/**
 * One real name server that follows a service: started from the stanza that the service printed, asked by dig and kdig, ended by its
 * process id.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { promisify } from "node:util";
import { open, type Server } from "./name-servers.ts";
import { freePort, temporaryFolder } from "./process.ts";
import type { Json, TestService } from "./service.ts";

const run = promisify(execFile);

/** The key as kdig's -y and dig's -y take it. */
export interface Key {
  readonly id: string;
  readonly name: string;
  readonly secret: string;
}

/** Where the service is reached; a TestService, or a process of its own. */
export type Reached = Pick<TestService, "data" | "dnsPort" | "url">;

export class Follower {
  readonly server: Server;
  secondaryId = "";
  key: Key = { id: "", name: "", secret: "" };
  port = 0;
  log = "";
  readonly service: Reached;
  readonly folder = temporaryFolder();
  private child: ChildProcess | undefined;

  constructor(service: Reached, server: Server) {
    this.service = service;
    this.server = server;
  }

  /** Registers the server with a key of its own and starts it. */
  async follow(): Promise<void> {
    open(this.folder);
    this.port = await freePort();
    const { folder, server } = this;
    const { createTsigKey } = await this.service.data(
      "mutation ($input: CreateTsigKeyInput!) { createTsigKey(input: $input) { tsigKey { id name } secret } }",
      { input: { name: `k${this.port}.example.com` } },
    );
    this.key = { ...createTsigKey.tsigKey, secret: createTsigKey.secret };
    const { createSecondary } = await this.service.data(
      "mutation ($input: CreateSecondaryInput!) { createSecondary(input: $input) { secondary { id } } }",
      {
        input: {
          name: server.name,
          address: "127.0.0.1",
          port: this.port,
          tsigKey: this.key.id,
          ...this.server.registered,
        },
      },
    );
    this.secondaryId = createSecondary.secondary.id;
    const stanza = await this.stanza();
    server.configure(folder, this.port, stanza);
    await server.prepare?.(folder, stanza);
    await this.start();
  }

  /** What the service prints for it now. */
  async stanza(): Promise<string> {
    const document = `query ($id: ID!) { secondaryConfig(secondary: $id, server: ${this.server.stanza}) }`;
    return (await this.service.data(document, { id: this.secondaryId })).secondaryConfig;
  }

  /** Starts it with this secret in place of its key's. */
  async startWithSecret(secret: string): Promise<void> {
    const stanza = (await this.stanza()).replaceAll(this.key.secret, secret);
    this.server.configure(this.folder, this.port, stanza);
    await this.server.rekey?.(this.folder, stanza);
    await this.start();
  }

  async start(): Promise<void> {
    const [program] = this.server.programs;
    const child = spawn(program, this.server.arguments(this.folder), { stdio: ["ignore", "pipe", "pipe"] });
    this.child = child;
    this.log = "";
    await new Promise<void>((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", () => reject(new Error(`${program} ended: ${this.log}`)));
      for (const stream of [child.stdout, child.stderr])
        stream.on("data", (data: Buffer) => {
          this.log += data;
          if (this.server.ready.test(this.log)) resolve();
        });
    });
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
  }

  /** Stops it for good. */
  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Lets a server that follows no catalog know which zones there are, as its operator does. */
  async learn(): Promise<void> {
    if (!this.server.reload) return;
    this.server.configure(this.folder, this.port, await this.stanza());
    await this.server.reload(this.folder);
  }

  /** What the service noted about it. */
  async noted(fields: string): Promise<Json> {
    const document = `query ($id: ID!) { secondary(id: $id) { ${fields} } }`;
    return (await this.service.data(document, { id: this.secondaryId })).secondary;
  }

  /** Asks it as a resolver would; answers the rcode and the data. */
  async ask(name: string, type: string, ...options: string[]): Promise<{ status: string; answers: string[] }> {
    const words = ["@127.0.0.1", "-p", `${this.port}`, "+noall", "+header", "+answer", ...options, name, type];
    const { stdout } = await run("kdig", words);
    const lines = stdout.split("\n").filter((line) => line !== "" && !line.startsWith(";"));
    const [, status = "none"] = /status: (\w+)/.exec(stdout) ?? [];
    return { status, answers: lines.map((line) => line.split(/\s+/).slice(4).join(" ")) };
  }
}

/** A zone as dig transfers it from a port of 127.0.0.1, data in the form of RFC 3597, or what it printed instead. */
export async function transfer(port: number, zone: string, key?: Key): Promise<string> {
  const signed = key ? ["-y", `hmac-sha256:${key.name}:${key.secret}`] : [];
  const words = ["@127.0.0.1", "-p", `${port}`, ...signed, "+noall", "+answer", "+onesoa", "+unknownformat"];
  const { stdout } = await run("dig", [...words, zone, "AXFR"], { maxBuffer: 2 ** 27 });
  return stdout;
}
