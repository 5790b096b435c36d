/**
 * The journal of versions (migration 20261122230000): a database whose journal says of every change what it removed and added, as
 * earlier versions wrote it, has the same changes once it is migrated. Such a database is made of a present one.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { MikroORM } from "@mikro-orm/postgresql";
import { openDatabase } from "../../../src/service/database/open-database.ts";
import { changedRecords } from "../../../src/zone/change-record.ts";
import { changeZone } from "../../../src/zone/edit/change-zone.ts";
import { deleteDomain } from "../../../src/zone/lifecycle/domain-lifecycle.ts";
import { importZone } from "../../../src/zone/master-file/import.ts";
import { emptyDatabase, query } from "../../setup/database/database.ts";
import { fieldsOf, testZones } from "../../setup/zones/session.ts";

const zones = testZones();
let earlier: string;
let orm: MikroORM;
beforeAll(async () => {
  earlier = await emptyDatabase();
  orm = await openDatabase({ url: earlier });
});
afterAll(async () => {
  await orm.close(true);
});

const add = (zone: string, ...lines: string[]) => changeZone(zones.session(), zone, { add: lines.map(fieldsOf) });

async function update(zone: string, [owner, type]: readonly [string, string], fields: object): Promise<void> {
  const id = await zones.idOf(zone, owner, type);
  await changeZone(zones.session(), zone, { update: [{ id, ...fields }] });
}

async function remove(zone: string, owner: string, type: string): Promise<void> {
  await changeZone(zones.session(), zone, { remove: [await zones.idOf(zone, owner, type)] });
}

const file = (...lines: string[]) => [`@ 3600 SOA ns1 hostmaster 1 2 3 4 5\n@ 3600 NS ns1.example.net.\n`, ...lines];

/** Zones with every kind of step: additions, edits, TTLs, spellings, removals, what came back, imports, deletions. */
async function fill(): Promise<void> {
  const zone = await zones.zone("web A 192.0.2.1", "web A 192.0.2.2", "mail MX 10 Mail.example.net.");
  await add(zone, "b TXT twice", "a TXT twice");
  await update(zone, ["web", "A"], { ttl: 300 });
  await update(zone, ["mail", "MX"], { rdata: "10 mail.example.net." });
  await update(zone, ["a", "TXT"], { owner: "c", rdata: "moved" });
  await remove(zone, "web", "A");
  await add(zone, "web A 192.0.2.1");
  await remove(zone, "c", "TXT");
  await add(zone, "a TXT twice", "c TXT moved");
  await update(zone, ["@", "SOA"], { ttl: 300 });
  const first = await zones.idOf(zone, "b", "TXT");
  const second = await zones.idOf(zone, "c", "TXT");
  await changeZone(zones.session(), zone, {
    update: [
      { id: first, owner: "c", rdata: "moved" },
      { id: second, owner: "b", rdata: "twice" },
    ],
  });
  const [kept] = (await zones.records(zone)).filter(({ owner, type }) => owner === "mail" && type === "MX");
  await changeZone(zones.session(), zone, {
    remove: [kept?.id as number],
    add: [{ owner: "mail", type: "MX", rdata: kept?.rdata as string }],
  });

  const imported = await zones.zone("old A 192.0.2.3", "same A 192.0.2.4");
  const { userId } = zones;
  const replacement = file("same 60 A 192.0.2.4\n", "z 60 A 192.0.2.5\n", "a 60 A 192.0.2.6\n");
  await importZone(zones.session(), { zone: imported, text: replacement, mode: "REPLACE" });
  await importZone(zones.session(), { zone: imported, text: ["old 60 A 192.0.2.3\n"], mode: "MERGE" });
  await importZone(zones.session(), { zone: imported, text: file("z 60 A 192.0.2.5\n"), mode: "REPLACE" });
  await importZone(zones.session(), { zone: "file.example.com", text: replacement, mode: "REPLACE", userId });

  await deleteDomain(zones.session(), "file.example.com");
  await importZone(zones.session(), { zone: "file.example.com", text: replacement, mode: "REPLACE", userId });
  const deleted = await zones.zone("web A 192.0.2.7");
  await remove(deleted, "web", "A");
  await deleteDomain(zones.session(), deleted);
}

/** The data of an SOA with a serial, as earlier versions stored it: each change had the one before and the one after it. */
const soaData = (serial: string) => `regexp_replace(rdata, ' \\d+ ', ' ' || ${serial} || ' ') as rdata,
  overlay(wire placing substr(int8send(${serial}), 5) from octet_length(wire) - 19 for 4) as wire`;
const soas = `(
  select domain_id, since, change_id as until, ttl, rdata, wire from change_record where type = 'SOA'
  union all select domain_id, change_id, null, ttl, rdata, wire from zone_record where type = 'SOA') s`;
const soasOfChanges = `
  select c.id, -1, true, '@', 'SOA', ttl, ${soaData("c.previous_serial")} from change c join ${soas}
    on s.domain_id = c.domain_id and since < c.id and coalesce(until >= c.id, true) where c.kind <> 'CREATE'
  union all
  select c.id, 0, false, '@', 'SOA', ttl, ${soaData("c.serial")} from change c join ${soas}
    on s.domain_id = c.domain_id and since <= c.id and coalesce(until > c.id, true) where c.kind <> 'DELETE'`;

/** The tables as earlier versions had them, by the statement that reads them. */
const tables = {
  user: 'select id, email from "user"',
  domain: "select id, zone, user_id, serial from domain",
  zone_record: `
    select id, domain_id, owner, type, ttl, rdata, wire, digest from zone_record where type <> 'SOA'
    union all select r.id, domain_id, owner, type, ttl, ${soaData("d.serial")}, '\\x00' from zone_record r
      join domain d on d.id = domain_id where type = 'SOA'`,
  change: "select id, domain_id, zone, kind, previous_serial, serial, actor, door, created_at from change",
  deleted_domain: "select id, zone, serial, user_id, deleted_at from deleted_domain",
  change_record: `
    select change_id, ordinal, removed, owner, type, ttl, rdata, wire from ${changedRecords} j where type <> 'SOA'
    union all ${soasOfChanges}`,
};

/** Fills the tables of the earlier database. */
async function copy(): Promise<void> {
  for (const [table, statement] of Object.entries(tables)) {
    const [{ rows } = { rows: null }] = await query<{ rows: object }>(
      zones.url,
      `select json_agg(to_json(t)) as rows from (${statement}) t`,
    );
    const [first] = rows as object[];
    const names = Object.keys(first as object).join(", ");
    const list = `insert into "${table}" (${names}) select ${names} from json_populate_recordset(null::"${table}", $1)`;
    await query(earlier, list, [JSON.stringify(rows)]);
  }
  await query(earlier, `select setval('zone_record_id_seq', $1)`, [10 ** 15 + 16 * 1000 + 2]);
}

// Of the places of records in a change, their order is what counts.
const changes = `select domain_id, change_id, removed, owner, type, ttl, rdata, wire from ${changedRecords} j
  order by change_id, ordinal`;
const begun = `select id, change_id, rank() over (partition by change_id order by change_ordinal), digest from zone_record
  order by id`;
const versions = `select change_id, rank() over (partition by change_id order by ordinal), owner, type, since,
    rank() over (partition by since order by since_ordinal) from change_record
  order by change_id, ordinal`;

test("a journal of removed and added records becomes one of versions, with the same changes", async () => {
  await fill();
  await orm.migrator.up({ to: "20261122200000-key-last-used" });
  await copy();
  await orm.migrator.up();
  for (const statement of [changes, begun, versions])
    expect(await query(earlier, statement)).toEqual(await query(zones.url, statement));
  const { length } = await query(earlier, versions);
  expect(length).toBeGreaterThan(20);
  const steps = await query<{ kind: string }>(earlier, "select distinct kind from change order by kind");
  expect(steps.map(({ kind }) => kind)).toEqual(["CREATE", "DELETE", "EDIT"]);
});

test("a version is one of the record that has its content now, and no two of a record overlap", async () => {
  const named = await query(
    earlier,
    `select v.record_id from change_record v join zone_record r on r.domain_id = v.domain_id and r.owner = v.owner
      and r.type = v.type and r.rdata = v.rdata where r.id <> v.record_id`,
  );
  expect(named).toEqual([]);
  const overlapping = await query(
    earlier,
    `select * from (
      select record_id, since, lag(change_id) over (partition by record_id order by since) as ended from (
        select record_id, since, change_id from change_record union all select id, change_id, null from zone_record
      ) versions
    ) v where ended > since`,
  );
  expect(overlapping).toEqual([]);
});

test("what was there before the journal was begun by change 0", async () => {
  const url = await emptyDatabase();
  const older = await openDatabase({ url });
  try {
    await older.migrator.up({ to: "20261122200000-key-last-used" });
    await query(url, "insert into domain (zone, serial) values ('example.com', 2)");
    await query(
      url,
      `insert into change (domain_id, zone, kind, previous_serial, serial, actor, door)
        select id, zone, 'EDIT', 1, 2, 'x', 'rest' from domain`,
    );
    await query(
      url,
      `insert into change_record (change_id, ordinal, removed, owner, type, ttl, rdata, wire)
        select id, 1, true, 'www', 'A', 60, '192.0.2.1', '\\xc0000201' from change`,
    );
    await query(
      url,
      `insert into zone_record (domain_id, owner, type, ttl, rdata, wire, digest)
        select id, 'old', 'A', 60, '192.0.2.2', '\\xc0000202', '\\x01' from domain`,
    );
    await older.migrator.up();
    expect(await query(url, "select since, since_ordinal from change_record")).toEqual([
      { since: "0", since_ordinal: 0 },
    ]);
    expect(await query(url, "select change_id, change_ordinal from zone_record")).toEqual([
      { change_id: "0", change_ordinal: 0 },
    ]);
  } finally {
    await older.close(true);
  }
});
