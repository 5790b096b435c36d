/** Few differences: one statement without a snapshot, whatever PostgreSQL knows of the tables, and the same records as by steps. */
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { Pool } from "pg";
import { type Reads, readsOf } from "../../../src/database/point-reads.ts";
import { readFewDifferences, readJournal, readJournalPath } from "../../../src/nameserver/zone/zone-journal.ts";
import { closeSnapshot, openSnapshot, readZoneSoa, storedZones } from "../../../src/nameserver/zone/zone-reader.ts";
import { openReaders } from "../../../src/service/database/open-database.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { serialOf, transfer } from "../../setup/dns/transfer.ts";
import { insertAddresses, testFront } from "../../setup/service/nameserver.ts";
import { testService } from "../../setup/service/service.ts";

const service = testService({ OWNER_TYPES: "200", RRSET_RECORDS: "4000" });
let pool: Pool;
let user = "";
/** The texts of reads of the front, and how often it took a connection for a snapshot. */
const texts: string[] = [];
let snapshots = 0;

/** By how much the zone's serial differs where the permission is read. */
let raisedMeanwhile = 0;

const counted: Reads = {
  query: (text, values) => {
    texts.push(text);
    return readsOf(pool).query(text, values);
  },
};
/** The transfers that may be sent, and those that are being recorded, by zone; the record of one waits for a test. */
const [admitted, recording] = [new Set<number>(), new Set<number>()];
const records = new Map<number, PromiseWithResolvers<void>>();

const front = testFront(service, {
  reads: counted,
  transfers: 1,
  hooks: {
    isWithheld: (domainId) => {
      admitted.add(domainId);
      return false;
    },
    recordTransfer: async (domainId) => {
      recording.add(domainId);
      await records.get(domainId)?.promise;
    },
    transferAccess: async (zone) => ({
      mayTransfer: true,
      isSecondary: true,
      fitsDifferencesTo: (await service.serial(zone)) + raisedMeanwhile,
    }),
  },
});

beforeAll(async () => {
  pool = openReaders({ url: service.databaseUrl, connections: 4 });
  front.onSnapshot = () => {
    snapshots += 1;
  };
  user = await service.user("owner@example.com");
  await service.domain("example.com", user);
});
afterAll(() => pool.end());

const change = (zone: string, ...add: object[]) =>
  service.mutate("changeRecords", { zone, force: true, add }, "change { serial }");
const address = (owner: string, at: number, ttl = 60) => ({
  ...{ owner, type: "A", ttl },
  rdata: `192.0.${at >> 8}.${at & 255}`,
});

/** The differences since a serial, without their SOAs: owner, TTL, type and data. */
const differencesSince = async (zone: string, since: number) =>
  (await transfer(front.port, zone, { since })).filter((line) => !line.includes(" TYPE6 "));

test("are read by one statement, without a snapshot: of each change the old SOA, the removed, the new SOA, the added", async () => {
  for (const owner of ["a", "b", "c", "d", "e", "f"]) await service.record("example.com", owner, "A", "192.0.2.1");
  const from = await service.serial("example.com");
  await change("example.com", address("x", 9));
  await change("example.com", address("y", 8));
  [texts.length, snapshots] = [0, 0];
  const lines = await transfer(front.port, "example.com", { since: from });
  expect([texts.length, snapshots]).toEqual([1, 0]);
  const kinds = lines.map((each) => (each.includes(" TYPE6 ") ? "SOA" : each.replace(/ .* /, " ")));
  const [x, y] = ["x.example.com. c0000009", "y.example.com. c0000008"];
  expect(kinds).toEqual(["SOA", "SOA", "SOA", x, "SOA", "SOA", y, "SOA"]);
});

test("are read again in a snapshot when the zone was changed between them and the permission", async () => {
  const from = await service.serial("example.com");
  await change("example.com", address("v", 7));
  [texts.length, snapshots, raisedMeanwhile] = [0, 0, 1];
  const found = await differencesSince("example.com", from);
  raisedMeanwhile = 0;
  expect(snapshots).toBe(1);
  expect(found).toEqual(["v.example.com. 60 TYPE1 \\# 4 c0000007"]);
});

const addresses = (owner: string, count: number) => Array.from({ length: count }, (_, at) => address(owner, at));
const large = `"${"x".repeat(250)}" `.repeat(100);
test.each<[what: string, zone: string, edit: (zone: string) => Promise<unknown>, count: number]>([
  ["more than 500 records", "many.example", (zone) => change(zone, ...addresses("m", 600)), 600],
  [
    "more than 64 KB",
    "long.example",
    async (zone) => {
      for (const at of [0, 1, 2]) await change(zone, { owner: `t${at}`, type: "TXT", rdata: large, ttl: 60 });
    },
    3,
  ],
])("are %s no more, and read in a snapshot", async (_what, zone, edit, count) => {
  await service.domain(zone, user);
  await change(zone, ...addresses("z", 900));
  const from = await service.serial(zone);
  await edit(zone);
  snapshots = 0;
  const found = await differencesSince(zone, from);
  expect(snapshots).toBe(1);
  expect(found).toHaveLength(count);
});

describe("where they are not there, the whole zone is sent", () => {
  /** A zone that is not read by one statement; its id. */
  const filled = async (zone: string) => {
    await service.domain(zone, user);
    await change(zone, ...addresses("w", 600));
    const [row] = await service.sql<{ id: string }>("select id from domain where zone = $1", [zone]);
    return Number(row?.id);
  };
  const unknownSerial = 5;
  /** Transfers a zone up to its last message, for which its record is waited for. */
  const upToRecord = async (id: number, zone: string, since?: number) => {
    const record = Promise.withResolvers<void>();
    records.set(id, record);
    recording.delete(id);
    const lines = transfer(front.port, zone, { since });
    await eventually(() => recording.has(id));
    return { lines, record };
  };

  test("in the same turn and from the same snapshot", async () => {
    await filled("whole.example");
    snapshots = 0;
    const lines = await transfer(front.port, "whole.example", { since: unknownSerial });
    expect(lines.length).toBeGreaterThan(600);
    expect(snapshots).toBe(1);
  });

  test("as it is when its turn has come, also where an earlier version is kept", async () => {
    const id = await filled("late.example");
    await transfer(front.port, "late.example");
    const other = await upToRecord(await filled("holding.example"), "holding.example");
    admitted.delete(id);
    const late = transfer(front.port, "late.example", { since: unknownSerial });
    await eventually(() => admitted.has(id));
    await service.record("late.example", "late", "A", "192.0.2.1");
    other.record.resolve();
    expect(serialOf(await late)).toBe(await service.serial("late.example"));
    await other.lines;
  });

  test("from memory without a turn", async () => {
    const id = await filled("kept.example");
    await transfer(front.port, "kept.example");
    const kept = await upToRecord(id, "kept.example", unknownSerial);
    await filled("next.example");
    expect((await transfer(front.port, "next.example")).length).toBeGreaterThan(600);
    kept.record.resolve();
    expect((await kept.lines).length).toBeGreaterThan(600);
  });
});

test("are those that are read step by step, over many changes of every kind", async () => {
  const zone = "mixed.example";
  await service.domain(zone, user);
  await change(zone, ...Array.from({ length: 90 }, (_, at) => address(`z${at}`, 1)));
  const from = await service.serial(zone);
  for (let at = 0; at < 6; at += 1) {
    await change(zone, { owner: `m${at}`, type: "TXT", rdata: `"\\000${at}"`, ttl: 60 + at });
    const [row] = await service.sql<{ id: string }>(
      "select r.id from zone_record r join domain d on d.id = r.domain_id where d.zone = $1 and r.owner = $2",
      [zone, `z${at}`],
    );
    await service.mutate("deleteRecord", { recordId: row?.id }, "deletedId");
  }
  const few = await readFewDifferences(readsOf(pool), zone, from);
  const snapshot = await openSnapshot(pool);
  const served = await readZoneSoa(readsOf(snapshot), zone);
  const path = served && (await readJournalPath(snapshot, served.zone, from));
  const steps: unknown[] = [];
  if (served && path) for await (const rows of readJournal(snapshot, served.zone.id, path)) steps.push(...rows);
  await closeSnapshot(snapshot);
  expect(steps.length).toBeGreaterThan(30);
  expect(few?.differences).toEqual(steps);
  expect({ ...few, differences: undefined }).toEqual({ ...served, differences: undefined });
});

test("no serial but one of the journal leads to differences, and none that are longer than the zone", async () => {
  const zone = "short.example";
  await service.domain(zone, user);
  const from = await service.serial(zone);
  for (const owner of ["a", "b", "c", "d"]) await service.record(zone, owner, "A", "192.0.2.1");
  expect((await readFewDifferences(readsOf(pool), zone, from))?.differences).toBeUndefined();
  expect((await readFewDifferences(readsOf(pool), zone, from - 1))?.differences).toBeUndefined();
  expect(await readFewDifferences(readsOf(pool), "other.example", from)).toBeUndefined();
  const last = await service.serial(zone);
  await service.sql("update change set previous_serial = previous_serial - 1 where zone = $1 and serial = $2", [
    zone,
    last,
  ]);
  expect((await readFewDifferences(readsOf(pool), zone, last - 1))?.differences).toBeUndefined();
});

test("and names are found by an index where statistics speak for a whole table", async () => {
  const zone = "imported.example";
  await service.domain(zone, user);
  await insertAddresses(service, zone, 20_000);
  const from = await service.serial(zone);
  await service.record(zone, "x", "A", "192.0.2.1");
  await service.sql("vacuum analyze");
  const plans: string[] = [];
  const explained: Reads = {
    query: async (text, values) => {
      const client = await pool.connect();
      await client.query(`prepare explained as ${text}`);
      const literals = values.map((value) => (value === null ? "null" : `'${value}'`)).join(", ");
      const { rows } = await client.query(`explain execute explained (${literals})`);
      plans.push(rows.map((row) => row["QUERY PLAN"]).join("\n"));
      client.release(true);
      return readsOf(pool).query(text, values);
    },
  };
  const names = [`h7.${zone}`, zone, "example"];
  expect((await readFewDifferences(explained, zone, from))?.differences).toHaveLength(3);
  expect((await storedZones(explained).neighbourhood(names, names, ["A", "NS", "SOA"]))?.owners.get("h7")).toHaveLength(
    1,
  );
  expect(plans).toHaveLength(2);
  for (const plan of plans) expect(plan).not.toMatch(/Seq Scan|Bitmap/);
});
