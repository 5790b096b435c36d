/**
 * The zone room without its fronts: sessions on a database of its own, with a clock that the test sets.
 */
import { afterAll, beforeAll } from "@jest/globals";
import type { MikroORM } from "@mikro-orm/postgresql";
import { openDatabase } from "../../src/database.ts";
import { type Actor, system } from "../../src/session/authorization.ts";
import type { Policy } from "../../src/session/policy.ts";
import type { Session } from "../../src/session/session.ts";
import { dropDatabase, freshDatabase } from "./database.ts";

export const policy: Policy = {
  nameServers: ["ns1.example.net.", "ns2.example.net."],
  hostmaster: "hostmaster.example.net.",
  soaTimers: { refresh: 10800, retry: 3600, expire: 1209600, minimum: 3600 },
  ttlChoices: [300, 3600],
  ttlMin: 0,
  ttlMax: 2147483647,
  topLevelZones: false,
  ownerLimits: { records: 100, types: 100 },
  secretKey: "",
  catalogZone: "catalog.zonesmith",
  primary: { address: "127.0.0.1", port: 5300 },
  publicationLateSeconds: 60,
  weakTsigAlgorithms: false,
};

/** The database of a test file, and sessions on it. */
export class TestZones {
  url = "";
  /** The clock of every session. */
  now = new Date("2026-11-21T12:00:00Z");
  private orm: MikroORM | undefined;

  async open(): Promise<void> {
    this.url = await freshDatabase();
    this.orm = await openDatabase({ url: this.url });
  }

  async close(): Promise<void> {
    await this.orm?.close(true);
    await dropDatabase(this.url);
  }

  session(actor: Actor = system, changes: Partial<Policy> = {}): Session {
    if (!this.orm) throw new Error("the database is not open yet");
    return { em: this.orm.em.fork(), actor, door: "graphql", policy: { ...policy, ...changes }, now: () => this.now };
  }
}

/** A database for the whole test file. */
export function testZones(): TestZones {
  const zones = new TestZones();
  beforeAll(() => zones.open(), 30_000);
  afterAll(() => zones.close());
  return zones;
}
