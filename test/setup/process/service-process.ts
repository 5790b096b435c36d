/**
 * The service as a process on a database of the test's choice, and writers that use all of its interfaces.
 */
import { afterAll, beforeAll, expect } from "@jest/globals";
import { eventually } from "../basics/eventually.ts";
import { freePort } from "../basics/free-port.ts";
import { dropDatabase, freshDatabase, query } from "../database/database.ts";
import { clientKey, UpdateClient } from "../dns/update-client.ts";
import { adminKey, type Json, mutation } from "../service/client.ts";
import { type ServiceProcess, zonesmith } from "./process.ts";

export class RunningService {
  readonly process: ServiceProcess;
  readonly url: string;
  readonly dnsPort: number;

  private constructor(process: ServiceProcess, url: string, dnsPort: number) {
    this.process = process;
    this.url = url;
    this.dnsPort = dnsPort;
  }

  /** Starts it with these settings and waits until it listens. */
  static async start(settings: Record<string, string>): Promise<RunningService> {
    const dnsPort = await freePort();
    const process = zonesmith(["serve"], {
      HTTP_PORT: "0",
      DNS_PORT: String(dnsPort),
      ADMIN_API_KEY: adminKey,
      LOG_LEVEL: "silent",
      RATE_LIMIT_KEY: "0",
      RATE_LIMIT_ADDRESS: "0",
      ...settings,
    });
    const url = await process.answersAt();
    return new RunningService(process, url, dnsPort);
  }

  rest(path: string, form: Record<string, string>, key = adminKey): Promise<Response> {
    return fetch(`${this.url}/api${path}`, {
      method: "POST",
      headers: { "X-API-Key": key },
      body: new URLSearchParams(form),
    });
  }

  async graphql(query: string, input: Json): Promise<Json> {
    const response = await fetch(`${this.url}/graphql`, {
      method: "POST",
      headers: { "X-API-Key": adminKey, "Content-Type": "application/json" },
      body: JSON.stringify({ query, variables: { input } }),
    });
    return response.json();
  }

  /** Does a mutation; returns what is selected of its payload. Throws when it is refused. */
  async mutate(name: string, input: Json, selection: string): Promise<Json> {
    const { data, errors } = await this.graphql(mutation(name, selection), input);
    if (errors) throw new Error(JSON.stringify(errors));
    return data[name];
  }

  /** Creates a user and these domains of theirs; returns the user's id. */
  async domains(...zones: readonly string[]): Promise<string> {
    const { id } = (await this.mutate("createUser", { email: "owner@example.com" }, "user { id }")).user;
    for (const zone of zones) await this.mutate("createDomain", { zone, userId: id }, "domain { id }");
    return id;
  }

  async isReady(): Promise<boolean> {
    return (await fetch(`${this.url}/readyz`)).status === 200;
  }

  /** Ends it, and waits for that; returns its exit code. */
  end(signal: NodeJS.Signals = "SIGTERM"): Promise<number | null> {
    this.process.child.kill(signal);
    return this.process.ended();
  }
}

/** Services on one new database for a test file, as many as it starts; those that still run are killed at its end. */
export class ServicesOfDatabase {
  url = "";
  readonly #all: RunningService[] = [];

  async open(): Promise<void> {
    this.url = await freshDatabase();
  }

  async start(settings: Record<string, string> = {}): Promise<RunningService> {
    const service = await RunningService.start({ DATABASE_URL: this.url, ...settings });
    this.#all.push(service);
    return service;
  }

  /** Starts one, and waits until it leads. */
  async startLeader(settings: Record<string, string> = {}): Promise<RunningService> {
    const service = await this.start(settings);
    const leads = `select from pg_locks where locktype = 'advisory' and granted
      and database = (select oid from pg_database where datname = current_database())`;
    await eventually(async () => expect(await this.sql(leads)).not.toEqual([]));
    return service;
  }

  /** Runs one statement. */
  sql<Row extends Record<string, unknown>>(statement: string, values: unknown[] = []): Promise<Row[]> {
    return query<Row>(this.url, statement, values);
  }

  async close(): Promise<void> {
    for (const service of this.#all.splice(0)) await service.end("SIGKILL");
    await dropDatabase(this.url);
  }
}

/** The services of a test file. */
export function servicesOfDatabase(): ServicesOfDatabase {
  const services = new ServicesOfDatabase();
  beforeAll(() => services.open());
  afterAll(() => services.close());
  return services;
}

/** Six writers by all interfaces, which begin their next write when the last one is answered, each with owners of its own. */
export class Writers {
  readonly #counts = [0, 0, 0, 0, 0, 0];
  #loops: Promise<void>[] = [];
  #isStopped = false;

  static async start(service: RunningService): Promise<Writers> {
    const zones = ["a.example.com", "b.example.com", "c.example.com"];
    const input = { name: "writer.example.com", userId: await service.domains(...zones) };
    const { tsigKey, secret } = await service.mutate("createTsigKey", input, "secret tsigKey { name }");
    const key = clientKey(tsigKey.name, secret);
    const updates = new UpdateClient(() => service.dnsPort);
    const createRecord = mutation("createRecord", "record { id }");
    const rdata = "192.0.2.1";
    const rest = async (zone: string, owner: string) =>
      (await service.rest("/record/add", { zone, owner, rtype: "A", rdata, ttl: "300" })).status === 201;
    const graphql = async (zone: string, owner: string) =>
      !(await service.graphql(createRecord, { zone, owner, type: "A", rdata })).errors;
    const update = async (zone: string, owner: string) =>
      (await updates.update(zone, [`add ${owner} 300 A ${rdata}`], { key, protocol: "tcp" })).rcode === "NOERROR";
    const writers = new Writers();
    writers.#loops = [rest, graphql, update, graphql, update, rest].map((write, at) =>
      writers.#run(at, (owner) => write(zones[at % zones.length] as string, owner)),
    );
    return writers;
  }

  async #run(at: number, write: (owner: string) => Promise<boolean>): Promise<void> {
    for (let count = 0; !this.#isStopped; count += 1)
      if (await write(`w${at}-${count}`).catch(() => false)) this.#counts[at] = (this.#counts[at] as number) + 1;
  }

  progress(): readonly number[] {
    return [...this.#counts];
  }

  /** Lets the writes that were begun come to their end, and begins no more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#loops);
  }
}
