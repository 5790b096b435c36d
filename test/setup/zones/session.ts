/** The zone room without its interfaces: sessions on a database of its own, with a clock that the test sets, and zones to change. */
import type { MikroORM } from "@mikro-orm/postgresql";
import type pg from "pg";
import { createUser } from "../../../src/account/user.ts";
import { Refusal } from "../../../src/errors.ts";
import { openDatabase } from "../../../src/service/database/open-database.ts";
import { type Actor, system } from "../../../src/session/authorization.ts";
import type { Policy } from "../../../src/session/operator-policy.ts";
import type { Session } from "../../../src/session/session.ts";
import { changedRecords } from "../../../src/zone/change-record.ts";
import { domainByZone } from "../../../src/zone/domain.ts";
import type { RecordFields } from "../../../src/zone/edit/canonical-record.ts";
import { type ChangeOptions, changeZone, type ZoneChange } from "../../../src/zone/edit/change-zone.ts";
import type { ZoneEdits } from "../../../src/zone/edit/edit-plan.ts";
import { createDomain, deleteDomain } from "../../../src/zone/lifecycle/domain-lifecycle.ts";
import { exportZone } from "../../../src/zone/master-file/export.ts";
import type { RecordRow } from "../../../src/zone/record.ts";
import { listRecords } from "../../../src/zone/record-list.ts";
import { opened } from "../basics/opened.ts";
import { freshDatabase, openPool } from "../database/database.ts";

export const policy: Policy = {
  nameServers: ["ns1.example.net.", "ns2.example.net."],
  hostmaster: "hostmaster.example.net.",
  soaTimers: { refresh: 10800, retry: 3600, expire: 1209600, minimum: 3600 },
  ttlChoices: [300, 3600],
  ttlMin: 0,
  ttlMax: 2147483647,
  topLevelZones: false,
  deletedZoneGraceDays: 3,
  ownerLimits: { records: 100, types: 100 },
  changeSetLimits: { zones: 1000, records: 100_000, open: 100, days: 30, graceSeconds: 300 },
  quota: { domains: null, recordsPerDomain: null, records: null, changesPerDay: null },
  secretKey: "",
  catalogZone: "catalog.zonesmith",
  catalogMembersMax: 0,
  primary: { address: "127.0.0.1", port: 5300 },
  publicationLateSeconds: 60,
  weakTsigAlgorithms: false,
  privateWebhookAddresses: [],
  requestLimits: { perMinute: 0, inProgress: 0 },
  resolver: undefined,
  importMegabytes: 256,
  importRecords: 2_000_000,
  defaultTemplate: "",
  restorePolicy: "automatic",
};

/** One record as `owner type rdata`, or `owner ttl type rdata`; without a TTL it takes that of its RRset, or the default. */
export function fieldsOf(line: string): RecordFields {
  const [owner = "", ttl = "", ...rest] = line.split(" ");
  if (!/^\d+$/.test(ttl)) return { owner, type: ttl, rdata: rest.join(" ") };
  const [type = "", ...rdata] = rest;
  return { owner, type, ttl: Number(ttl), rdata: rdata.join(" ") };
}

/** An administrator, with a key that may write. */
export const administrator: Actor = { role: "administrator", userId: null, readOnly: false, name: "administrator" };

/** A user whom no other row belongs to, as an actor with a key that may write. */
export const actorOf = (userId: number): Actor => ({
  role: "user",
  userId,
  readOnly: false,
  name: `user ${userId}`,
});

interface JournalEntry {
  readonly id: number;
  readonly createdAt: Date;
  readonly kind: string;
  /** The change that it undoes, and the one that it returns to. */
  readonly undoes: number | null;
  readonly returnsTo: number | null;
  readonly previousSerial: number | null;
  readonly serial: number;
  readonly actor: string;
  readonly appliedBy: string | null;
  readonly source: string;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** The database of a test file, sessions on it, and zones of one user. */
export class TestZones {
  url = "";
  userId = 0;
  /** The clock of every session. */
  now = new Date("2026-11-21T12:00:00Z");
  #orm: MikroORM | undefined;
  #pool: pg.Pool | undefined;
  #made = 0;

  async open(): Promise<void> {
    this.url = await freshDatabase();
    this.#orm = await openDatabase({ url: this.url });
    this.userId = (await createUser(this.session(), "zones@example.com")).id;
  }

  async close(): Promise<void> {
    await this.#orm?.close(true);
    await this.#pool?.end();
  }

  session(actor: Actor = system, changes: Partial<Policy> = {}): Session {
    if (!this.#orm) throw new Error("the database is not open yet");
    return {
      em: this.#orm.em.fork(),
      actor,
      source: "graphql",
      policy: { ...policy, ...changes },
      now: () => this.now,
    };
  }

  /** Creates a zone with its default records and these, and returns its name. */
  async zone(...lines: string[]): Promise<string> {
    this.#made += 1;
    const zone = `z${this.#made}.example.com`;
    await this.create(zone);
    if (lines.length > 0) await this.add(zone, ...lines);
    return zone;
  }

  domain(zone: string) {
    return domainByZone(this.session(), zone);
  }

  /** Creates a zone of this name for the user, as the service itself. */
  create(zone: string, more?: Parameters<typeof createDomain>[3]) {
    return createDomain(this.session(), this.userId, zone, more);
  }

  /** Deletes a zone as the service itself. */
  remove(zone: string) {
    return deleteDomain(this.session(), zone);
  }

  /** Changes a zone as the service itself. */
  change(zone: string, edits: ZoneEdits, options?: ChangeOptions): Promise<ZoneChange> {
    return changeZone(this.session(), zone, edits, options);
  }

  /** Adds records, each as `owner type rdata`. */
  add(zone: string, ...lines: string[]): Promise<ZoneChange> {
    return this.change(zone, { add: lines.map(fieldsOf) });
  }

  /** The records of a zone, in the order of lists. */
  async records(zone: string): Promise<readonly RecordRow[]> {
    return (await listRecords(this.session(), { zone }, { first: 1000, order: "NAME" })).rows;
  }

  /** The id of the first record of this owner and type. */
  async idOf(zone: string, owner: string, type: string): Promise<number> {
    const found = (await this.records(zone)).find((record) => record.owner === owner && record.type === type);
    if (!found) throw new Error(`${zone} has no ${owner} ${type}`);
    return found.id;
  }

  /** The records of a zone as `owner ttl type rdata`; those that match, if it is said what. */
  async lines(zone: string, pattern = /^/): Promise<string[]> {
    const all = (await this.records(zone)).map(({ owner, type, ttl, rdata }) => `${owner} ${ttl} ${type} ${rdata}`);
    return all.filter((line) => pattern.test(line));
  }

  /** The records of a zone, the serial aside. */
  async contents(zone: string): Promise<string[]> {
    return (await this.lines(zone)).map((line) => line.replace(/( SOA \S+ \S+) \d+/, "$1"));
  }

  async exported(zone: string): Promise<string> {
    let text = "";
    for await (const piece of await exportZone(this.session(), zone)) text += piece;
    return text;
  }

  /** The journal of a zone's name from its beginning; records as `owner ttl type rdata`. */
  journal(zone: string): Promise<JournalEntry[]> {
    const side = (removed: boolean) =>
      `array(select concat_ws(' ', owner, ttl, type, rdata) from ${changedRecords} r
        where r.domain_id = c.domain_id and r.change_id = c.id and removed = ${removed} order by ordinal)`;
    return this.sql<JournalEntry>(
      `select c.id::float8 as id, c.created_at as "createdAt", c.undoes::float8 as undoes, c.returns_to::float8 as "returnsTo",
        c.kind, c.previous_serial::float8 as "previousSerial", c.serial::float8 as serial, c.actor, c.applied_by as "appliedBy", c.door as source,
        ${side(true)} as removed, ${side(false)} as added from change c where c.zone = $1 order by c.id`,
      [zone],
    );
  }

  /** What a refused change leaves as it was: the zone's serial, its records and the length of its journal. */
  async state(zone: string): Promise<object> {
    const [domain] = await this.sql<{ serial: string; changes: string }>(
      "select d.serial, (select count(*) from change c where c.domain_id = d.id) as changes from domain d where zone = $1",
      [zone],
    );
    return { ...domain, records: await this.records(zone) };
  }

  async sql<Row extends object>(statement: string, values: unknown[] = []): Promise<Row[]> {
    this.#pool ??= openPool(this.url);
    return (await this.#pool.query<Row & Record<string, unknown>>(statement, values)).rows;
  }
}

export const testZones = () => opened(new TestZones());

/** What refuses an operation. */
export async function refusalOf(refused: Promise<unknown>): Promise<Refusal> {
  const error = await refused.then(
    () => undefined,
    (refusal) => refusal,
  );
  if (!(error instanceof Refusal)) throw error ?? new Error("it was not refused");
  return error;
}

/** The reasons of a refusal, each as its code, and its field if it names one. */
export async function reasonsOf(refused: Promise<unknown>): Promise<string[]> {
  return (await refusalOf(refused)).reasons.map(({ code, field }) => (field ? `${code} ${field}` : code));
}
