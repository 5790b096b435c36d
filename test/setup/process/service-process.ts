/**
 * The service as a process on a database of the test's choice, and writers that use all of its interfaces.
 */
import { freePort } from "../basics/free-port.ts";
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

  async kill(): Promise<void> {
    this.process.child.kill("SIGKILL");
    await this.process.ended();
  }

  async isReady(): Promise<boolean> {
    return (await fetch(`${this.url}/readyz`)).status === 200;
  }
}

/** Six writers by all interfaces, which begin their next write when the last one is answered, each with owners of its own. */
export class Writers {
  readonly #counts = [0, 0, 0, 0, 0, 0];
  #loops: Promise<void>[] = [];
  #isStopped = false;

  static async start(service: RunningService): Promise<Writers> {
    const zones = ["a.example.com", "b.example.com", "c.example.com"];
    const { id } = (await (await service.rest("/user/add", { email: "owner@example.com" })).json()) as { id: string };
    for (const zone of zones) await service.rest("/domain/add", { zone, user_id: id });
    const createKey = mutation("createTsigKey", "secret tsigKey { name }");
    const { createTsigKey } = (await service.graphql(createKey, { name: "writer.example.com", userId: id })).data;
    const key = clientKey(createTsigKey.tsigKey.name, createTsigKey.secret);
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
    return this.#counts;
  }

  /** Lets the writes that were begun come to their end, and begins no more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#loops);
  }
}
