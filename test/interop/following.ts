/**
 * A service and one real name server that follows it: started from the stanza that the service printed, asked by dig and kdig, ended
 * by its process id.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect } from "@jest/globals";
import { recordType } from "../../src/dns/types.ts";
import { identities } from "../oracle/servers.ts";
import { eventually } from "../publisher/publication.ts";
import { freePort, temporaryFolder } from "../setup/process.ts";
import { adminKey, type Json, type TestService } from "../setup/service.ts";
import { has } from "../setup/tools.ts";
import { open, type Server } from "./servers.ts";

const run = promisify(execFile);

/** The key as kdig's -y and dig's -y take it. */
export interface Key {
  readonly id: string;
  readonly name: string;
  readonly secret: string;
}

/** Where the service is reached; a TestService, or a process of its own. */
export type Reached = Pick<TestService, "data" | "dnsPort" | "url">;

export class Following {
  readonly server: Server;
  secondaryId = "";
  key: Key = { id: "", name: "", secret: "" };
  port = 0;
  log = "";
  private readonly service: Reached;
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
    const { name, folder } = { name: this.server.name, folder: this.folder };
    const { createTsigKey } = await this.service.data(
      "mutation ($input: CreateTsigKeyInput!) { createTsigKey(input: $input) { tsigKey { id name } secret } }",
      { input: { name: `k${this.port}.example.com` } },
    );
    this.key = { ...createTsigKey.tsigKey, secret: createTsigKey.secret };
    const { createSecondary } = await this.service.data(
      "mutation ($input: CreateSecondaryInput!) { createSecondary(input: $input) { secondary { id } } }",
      { input: { name, address: "127.0.0.1", port: this.port, tsigKey: this.key.id } },
    );
    this.secondaryId = createSecondary.secondary.id;
    const stanza = await this.stanza();
    this.server.configure(folder, this.port, stanza);
    await this.server.prepare?.(folder, stanza);
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
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (data: Buffer) => (this.log += data));
    await eventually(() => {
      if (child.exitCode !== null) throw new Error(`${program} ended: ${this.log}`);
      expect(this.log).toMatch(this.server.ready);
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

  /** Expects that the change becomes LIVE, and that it is this server where it does. */
  async live(change: string, within = 20_000): Promise<void> {
    const document = `query ($id: ID!, $within: Int!) { change(id: $id) {
      publication(waitFor: LIVE, timeoutMs: $within) { state secondaries { secondary { name } state lastError } } } }`;
    const { publication } = (await this.service.data(document, { id: change, within })).change;
    const served = [{ secondary: { name: this.server.name }, state: "LIVE", lastError: null }];
    const log = publication.state === "LIVE" ? "" : this.log.slice(-3000);
    expect({ ...publication, log }).toEqual({ state: "LIVE", secondaries: served, log: "" });
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

  /** Expects that the zone it serves, as dig transfers it, is record for record the zone in the database. */
  async servesOurs(zone: string): Promise<number> {
    const theirs = await transfer(this.port, zone, this.server.opensTo === "key" ? this.key : undefined);
    const response = await fetch(`${this.service.url}/api/domain/zonefile/${encodeURIComponent(zone)}`, {
      headers: { "X-API-Key": adminKey },
    });
    const left = (this.server.omits ?? []).map((mnemonic) => ` TYPE${recordType(mnemonic).code} `);
    const have = await identities(theirs, zone);
    const ours = await identities(await response.text(), zone);
    const want = ours.filter((each) => !left.some((type) => each.includes(type)));
    const lacks = new Set(have);
    const holds = new Set(want);
    expect({
      missing: want.filter((each) => !lacks.has(each)).slice(0, 20),
      strange: have.filter((each) => !holds.has(each)).slice(0, 20),
      count: have.length,
    }).toEqual({ missing: [], strange: [], count: want.length });
    return ours.length;
  }
}

/** A zone as dig transfers it from a port of 127.0.0.1, data in the form of RFC 3597, or what it printed instead. */
export async function transfer(port: number, zone: string, key?: Key): Promise<string> {
  const signed = key ? ["-y", `hmac-sha256:${key.name}:${key.secret}`] : [];
  const words = ["@127.0.0.1", "-p", `${port}`, ...signed, "+noall", "+answer", "+onesoa", "+unknownformat"];
  const { stdout } = await run("dig", [...words, zone, "AXFR"], { maxBuffer: 2 ** 27 });
  return stdout;
}

/** One server that follows the service of a test file. */
export function testFollowing(service: TestService, server: Server): Following {
  const following = new Following(service, server);
  beforeAll(async () => {
    if (has(...server.programs) || process.env.CI) await following.follow();
  }, 30_000);
  afterAll(() => following.remove(), 10_000);
  return following;
}
