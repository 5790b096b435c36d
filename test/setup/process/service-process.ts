/**
 * The service as a process on a database of the test's choice, and eight writers that use all of its interfaces.
 */
import { afterAll, beforeAll, expect } from "@jest/globals";
import { eventually } from "../basics/eventually.ts";
import { freePort } from "../basics/free-port.ts";
import { dropDatabase, freshDatabase, query } from "../database/database.ts";
import { type ClientKey, clientKey, UpdateClient } from "../dns/update-client.ts";
import type { Json } from "../service/service.ts";
import { adminKey, mutation } from "../service/service.ts";
import { type ServiceProcess, zonesmith } from "./process.ts";

export const zones = ["a.example.com", "b.example.com", "c.example.com", "d.example.com"];

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
    const leads = "select from pg_locks where locktype = 'advisory' and granted";
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

/** One write: `stored` when it was acknowledged, `unavailable` when the service said so, otherwise the wrong answer. */
type Outcome = "stored" | "unavailable" | { readonly wrong: unknown };

/** Writers, which begin their next write when the last one is answered, each with an owner of its own. */
export class Writers {
  readonly #service: RunningService;
  readonly #key: ClientKey;
  readonly #loops: Promise<void>[] = [];
  #isStopped = false;
  /** Owners with their zone whose record was acknowledged, by writer. */
  readonly stored: string[][] = [];
  /** Answers that no failure of the database excuses. */
  readonly wrong: unknown[] = [];
  unavailable = 0;

  private constructor(service: RunningService, key: ClientKey) {
    this.#service = service;
    this.#key = key;
  }

  /** Creates the zones and a key, and starts eight: three by REST, three by GraphQL, two by updates. */
  static async start(service: RunningService): Promise<Writers> {
    const userId = await service.domains(...zones);
    const input = { name: "writer.example.com", userId };
    const { tsigKey, secret } = await service.mutate("createTsigKey", input, "secret tsigKey { name }");
    const writers = new Writers(service, clientKey(tsigKey.name, secret));
    writers.#startAll();
    return writers;
  }

  #startAll(): void {
    const { rest, graphql, update } = this.#interfaces();
    for (const write of [rest, graphql, update, rest, graphql, update, rest, graphql])
      this.#loops.push(this.#run(this.#loops.length, write));
  }

  async #run(at: number, write: (zone: string, owner: string) => Promise<Outcome>): Promise<void> {
    const zone = zones[at % zones.length] as string;
    const stored: string[] = [];
    this.stored.push(stored);
    for (let count = 0; !this.#isStopped; count += 1) {
      const owner = `w${at}-${count}`;
      const outcome = await write(zone, owner).catch((error: unknown): Outcome => ({ wrong: error }));
      if (outcome === "stored") stored.push(`${owner}.${zone}`);
      else if (outcome === "unavailable") this.unavailable += 1;
      else if (!this.#isStopped) this.wrong.push(outcome.wrong);
    }
  }

  #interfaces(): Record<"rest" | "graphql" | "update", (zone: string, owner: string) => Promise<Outcome>> {
    const client = new UpdateClient(() => this.#service.dnsPort);
    const create = mutation("createRecord", "record { id }");
    return {
      rest: async (zone, owner) => {
        const form = { zone, owner, rtype: "A", rdata: "192.0.2.1", ttl: "300" };
        const answer = await this.#service.rest("/record/add", form);
        const body = await answer.json();
        if (answer.status === 201) return "stored";
        return answer.status === 503 && answer.headers.has("retry-after") ? "unavailable" : { wrong: body };
      },
      graphql: async (zone, owner) => {
        const answer = await this.#service.graphql(create, { zone, owner, type: "A", rdata: "192.0.2.1" });
        if (!answer.errors) return "stored";
        const { code, retryAfter } = answer.errors[0].extensions;
        return code === "UNAVAILABLE" && retryAfter > 0 ? "unavailable" : { wrong: answer };
      },
      update: async (zone, owner) => {
        const lines = [`add ${owner} 300 A 192.0.2.1`];
        const { rcode } = await client.update(zone, lines, { key: this.#key, protocol: "tcp" });
        return rcode === "NOERROR" ? "stored" : rcode === "SERVFAIL" ? "unavailable" : { wrong: rcode };
      },
    };
  }

  /** How many writes of each writer were acknowledged. */
  progress(): readonly number[] {
    return this.stored.map(({ length }) => length);
  }

  /** Lets the writes that were begun come to their end, and begins no more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#loops);
  }
}
