/** Services as processes on one database, and writers that use all of their interfaces. */
import { expect } from "@jest/globals";
import { eventually } from "../basics/eventually.ts";
import { opened } from "../basics/opened.ts";
import { freshDatabase, query } from "../database/database.ts";
import { UpdateClient } from "../dns/update-client.ts";
import { mutation } from "../service/client.ts";
import { RunningService } from "./running-service.ts";

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

  sql<Row extends Record<string, unknown>>(statement: string, values: unknown[] = []): Promise<Row[]> {
    return query<Row>(this.url, statement, values);
  }

  async close(): Promise<void> {
    for (const service of this.#all.splice(0)) await service.end("SIGKILL");
  }
}

export const servicesOfDatabase = () => opened(new ServicesOfDatabase());

/** Six writers by all interfaces, which begin their next write when the last one is answered, each with owners of its own. */
export class Writers {
  readonly #counts = [0, 0, 0, 0, 0, 0];
  #loops: Promise<void>[] = [];
  #isStopped = false;

  static async start(service: RunningService): Promise<Writers> {
    const zones = ["a.example.com", "b.example.com", "c.example.com"];
    const key = await service.tsigKey({ name: "writer.example.com", userId: await service.domains(...zones) });
    const updates = new UpdateClient(() => service.dnsPort);
    const createRecord = mutation("createRecord", "record { id }");
    const rdata = "192.0.2.1";
    const rest = async (zone: string, owner: string) =>
      (await service.rest("POST", "/record/add", { form: { zone, owner, rtype: "A", rdata, ttl: 300 } })).status ===
      201;
    const graphql = async (zone: string, owner: string) =>
      !(await service.graphql(createRecord, { input: { zone, owner, type: "A", rdata } })).body.errors;
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
