/**
 * The data of the bench, loaded by SQL into empty tables: small zones of 12 records, one large zone, one zone a tenth of its size, and
 * zones whose hundred hosts are edited. Names, ids and serials have a fixed length, so that all answers to one request have the same size.
 */
import type pg from "pg";

import { readConfig } from "../../src/config/config.ts";
import type { Policy } from "../../src/session/operator-policy.ts";
import { idRemainders, idStep } from "../../src/sql/typed-ids.ts";
import { type CanonicalRecord, parseRecord } from "../../src/zone/edit/canonical-record.ts";

export interface Size {
  readonly zones: number;
  readonly records: number;
}

/** The ids in a new database, by the order of creation. */
const idOf = (type: keyof typeof idRemainders, n: number) => 1_000_000_000_000_000 + idRemainders[type] + n * idStep;
const users = 100;
const recordsOfZone = 12;

export const largeZone = "large.example";
/** A zone with a tenth of the records of the large zone. */
export const tenthZone = "tenth.example";

/** The name of zone `n`. */
export const zoneName = (n: number) => `zone-${String(n).padStart(5, "0")}.example`;
/** The id of the apex address of zone `n`, its sixth record. */
export const addressId = (n: number) => idOf("Record", n * recordsOfZone + 5);
/** The id of host `n` of the large zone, whose records follow those of the tenth zone. */
export const largeHostId = (size: Size, n: number) =>
  idOf("Record", smallRecords(size) + size.records / 10 + apex().length + n);
export const tenthHost = (size: Size, n: number) => {
  const [owner, type] = host(n);
  return { id: idOf("Record", smallRecords(size) + apex().length + n), owner, type };
};
/** The id of user `n`. */
export const userId = (n: number) => idOf("User", n % users);
/** Number of records in all small zones. */
export const smallRecords = (size: Size) => size.zones * recordsOfZone;

const { NAME_SERVERS: nameServers, HOSTMASTER: hostmaster } = readConfig({});
/** The settings that decide how a record is read. */
const policy = { ttlMin: 0, ttlMax: 2147483647 } as Policy;

type Text = readonly [owner: string, type: string, rdata: string];

function apex(): Text[] {
  const soa = `${nameServers[0]} ${hostmaster} 2026010101 10800 3600 1209600 3600`;
  return [["@", "SOA", soa], ...nameServers.map((name): Text => ["@", "NS", name])];
}

function smallZone(n: number): Text[] {
  const address = (host: number) => `192.0.2.${100 + ((n + host) % 100)}`;
  return [
    ...apex(),
    ["@", "MX", "10 mail"],
    ["@", "TXT", '"v=spf1 mx -all"'],
    ["@", "A", address(1)],
    ["api", "A", address(2)],
    ["ftp", "CNAME", "www"],
    ["mail", "A", address(3)],
    ["www", "A", address(4)],
    ["www", "AAAA", `2001:db8::${(4096 + (n % 4096)).toString(16)}`],
    ["_sip._tcp", "SRV", "10 20 5060 www"],
  ];
}

/** The record of host `n` of a zone with many hosts. */
const host = (n: number): Text => [`host-${String(n).padStart(6, "0")}`, "A", `192.0.2.${100 + (n % 100)}`];

function bigZone(records: number): Text[] {
  return [...apex(), ...Array.from({ length: records - apex().length }, (_, n) => host(n))];
}

/** The number of zones with edited hosts, and of hosts in each. */
const editedZones = 64;
const hostsOfEditedZone = 100;
/** The name of the zone that request `n` edits. */
export const editedZone = (n: number) => `edited-${String(n % editedZones).padStart(2, "0")}.example`;

function hostsZone(): Text[] {
  return [...apex(), ...Array.from({ length: hostsOfEditedZone }, (_, n): Text => [`host-${n}`, "A", "192.0.2.99"])];
}

/** Number of records in all edited zones. */
export const editedRecords = editedZones * hostsZone().length;

/** The ids of all hosts of the zone that request `n` edits, with an address that earlier requests have not used. */
export function editedHosts(n: number, { zones, records }: Size): { id: string; rdata: string }[] {
  const before = zones * recordsOfZone + records / 10 + records + (n % editedZones) * hostsZone().length;
  const round = Math.floor(n / editedZones);
  return Array.from({ length: hostsOfEditedZone }, (_, host) => ({
    id: String(idOf("Record", before + apex().length + host)),
    rdata: `192.0.2.${100 + ((round + host) % 100)}`,
  }));
}

/** Loads the data into migrated, empty tables. */
export async function load(db: pg.Client, size: Size): Promise<void> {
  await db.query(
    `insert into "user" (email) select 'user-' || lpad(n::text, 5, '0') || '@example.com' from generate_series(0, $1::int - 1) n`,
    [users],
  );
  const edited = Array.from({ length: editedZones }, (_, n) => editedZone(n));
  const names = [...Array.from({ length: size.zones }, (_, n) => zoneName(n)), tenthZone, largeZone, ...edited];
  await db.query(
    "insert into domain (zone, user_id, serial) select zone, $2::bigint + (n - 1) % $3::int * $4::int, 2026010101 from unnest($1::text[]) with ordinality as z(zone, n)",
    [names, idOf("User", 0), users, idStep],
  );
  for (let from = 0; from < size.zones; from += 1000) {
    const zones = Array.from({ length: Math.min(1000, size.zones - from) }, (_, n) => from + n);
    await insert(
      db,
      zones.flatMap((n) => smallZone(n).map((text) => read(text, zoneName(n), idOf("Domain", n)))),
    );
  }
  for (const [at, records] of [size.records / 10, size.records].entries()) {
    const zone = names[size.zones + at] as string;
    const rows = bigZone(records).map((text) => read(text, zone, idOf("Domain", size.zones + at)));
    for (let from = 0; from < rows.length; from += 10_000) await insert(db, rows.slice(from, from + 10_000));
  }
  for (const [at, zone] of edited.entries())
    await insert(
      db,
      hostsZone().map((text) => read(text, zone, idOf("Domain", size.zones + 2 + at))),
    );
  await db.query("vacuum analyze");
}

interface Row extends CanonicalRecord {
  readonly domainId: number;
}

function read([owner, type, rdata]: Text, zone: string, domainId: number): Row {
  return { ...parseRecord({ owner, type, rdata, ttl: 3600 }, zone, policy), domainId };
}

async function insert(db: pg.Client, rows: readonly Row[]): Promise<void> {
  const column = (value: (row: Row) => unknown) => rows.map(value);
  await db.query(
    `insert into zone_record (domain_id, owner, type, ttl, rdata, wire, digest)
    select d, o, t, 3600, r, w, decode(h, 'hex') from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::bytea[], $6::text[]) as e(d, o, t, r, w, h)`,
    [
      column(({ domainId }) => domainId),
      column(({ owner }) => owner),
      column(({ type }) => type),
      column(({ rdata }) => rdata),
      column(({ wire }) => Buffer.from(wire)),
      column(({ digest }) => digest),
    ],
  );
}
