/**
 * The service as a process on a database of the test's choice, and eight writers that use all of its interfaces.
 */

import { freePort } from "../basics/free-port.ts";
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

  async isReady(): Promise<boolean> {
    return (await fetch(`${this.url}/readyz`)).status === 200;
  }
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
    const { id } = (await (await service.rest("/user/add", { email: "owner@example.com" })).json()) as { id: string };
    for (const zone of zones) await service.rest("/domain/add", { zone, user_id: id });
    const create = mutation("createTsigKey", "secret tsigKey { name algorithm }");
    const { createTsigKey } = (await service.graphql(create, { name: "writer.example.com", userId: id })).data;
    const writers = new Writers(service, clientKey(createTsigKey.tsigKey.name, createTsigKey.secret));
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
        const answer = await this.#service.rest("/record/add", {
          zone,
          owner,
          rtype: "A",
          rdata: "192.0.2.1",
          ttl: "300",
        });
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
