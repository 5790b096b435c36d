/**
 * The laws that hold after every cycle, whatever was disturbed: each returns what breaks it. `kind` is the column that it is counted in.
 */

import { nameText, ownerName } from "../../../src/dns/name.ts";
import { recordType } from "../../../src/dns/rdata/record-type-registry.ts";
import { compareSerial, serial } from "../../../src/dns/serial.ts";
import { eventually } from "../basics/eventually.ts";
import type { Json } from "../service/client.ts";
import { type Book, isHalf } from "./book.ts";
import type { Moments } from "./moments.ts";
import { expectTidy } from "./tidy.ts";
import type { World } from "./world.ts";
import { readZones, type StoredChange, type StoredRecord, type StoredZone } from "./zones.ts";

const ofData = ["lost", "half", "serial", "journal", "past", "secondary", "moved", "orphan"] as const;
export const kinds = [...ofData, "unready", "internal", "stuck", "refused"] as const;
type Kind = (typeof kinds)[number];

export interface Breach {
  readonly kind: Kind;
  readonly what: string;
}

const catalog = "catalog.zonesmith";

const owners = /^p\d+\.(.+)$/;
const keyOf = ({ owner, ttl, type, wire }: StoredRecord) => `${owner} ${ttl} ${type} ${wire}`;

/** Zones that nobody writes, as they were when the run began. */
export type Untouched = ReadonlyMap<string, string>;

export const stateOf = ({ serial, records }: StoredZone) => `${serial}\n${records.map(keyOf).sort().join("\n")}`;

/** Checks everything that the database and the secondary hold, once the service is ready. */
export async function breaches(world: World, book: Book, untouched: Untouched, moments: Moments): Promise<Breach[]> {
  const found: Breach[] = [];
  const attempt = async (kind: Kind, check: () => Promise<unknown>) => {
    await check().catch((error: Error) => found.push({ kind, what: error.message.slice(0, 2000) }));
  };
  await attempt("orphan", () => eventually(() => expectTidy(world)));
  await attempt("secondary", () => eventually(() => expectLive(world)));
  const zones = await readZones(world);
  const byName = new Map(zones.filter(({ isDeleted }) => !isDeleted).map((zone) => [zone.zone, zone]));
  found.push(...writesIn(byName, book), ...serialsIn(zones, book), ...replayed(zones), ...moved(byName, untouched));
  found.push(...moments.check(zones));
  // The service itself goes on writing the catalog: what is compared is read again.
  const served = (zone: string) => world.served(zone);
  await attempt("secondary", () => eventually(async () => expectEqual(served, await readZones(world))));
  const copied = (zone: string) => world.copies.update(zone);
  await attempt("secondary", () => eventually(async () => expectEqual(copied, await readZones(world))));
  found.push(...world.copies.takeFaults().map((what) => ({ kind: "secondary" as const, what })));
  return found;
}

/** Laws 1 and 2: every acknowledged write is there, none in part; and nothing else is in the written zones. */
function writesIn(zones: ReadonlyMap<string, StoredZone>, book: Book): Breach[] {
  const found: Breach[] = [];
  for (const [zone, life] of book.zones)
    if (!life.check(zones.has(zone)))
      found.push({ kind: "lost", what: `${zone} ${zones.has(zone) ? "is there, deleted" : "is not there, created"}` });
  const contents = new Map<string, string[]>();
  for (const { zone, records } of [...zones.values()].filter((each) => each.zone !== catalog))
    for (const { owner, rdata, type } of records) {
      const [, name] = owners.exec(owner) ?? [];
      const key = `${zone} ${name}`;
      if (name === undefined && !/^(SOA|NS|CNAME)$/.test(type)) found.push({ kind: "moved", what: `${owner}.${zone}` });
      if (name === undefined) continue;
      if (!book.groups.has(key)) found.push({ kind: "moved", what: `${owner}.${zone} was written by nobody` });
      contents.set(key, [...(contents.get(key) ?? []), `${owner} ${rdata}`]);
    }
  for (const [key, group] of book.groups) {
    const { expected } = group;
    const content = contents.get(key) ?? [];
    const kind = group.check(content);
    if (kind) found.push({ kind, what: `${key}: [${content.join(", ")}] instead of ${expected}` });
  }
  for (const groups of book.sets.splice(0))
    if (isHalf(groups))
      found.push({ kind: "half", what: `the change set of ${groups[0]?.name} is applied in some of its zones` });
  return found;
}

/**
 * Law 3: serials rise strictly (RFC 1982) and times never go back in the order of the ids of changes, and every serial that an answer named
 * is in the journal.
 */
function serialsIn(zones: readonly StoredZone[], book: Book): Breach[] {
  const found: Breach[] = [];
  const given = new Map<string, Set<number>>();
  for (const { zone, changes, ...stored } of zones) {
    const serials = given.get(zone) ?? new Set();
    given.set(zone, serials);
    let last: number | null = null;
    let lastTime = 0;
    for (const change of changes) {
      // No difference leads from a deleted zone to what is restored.
      const follows = change.previous === (change.kind === "RESTORE" ? null : last);
      const rises = change.kind === "DELETE" ? change.serial === last : last === null || isAfter(change.serial, last);
      if (!follows || !rises)
        found.push({ kind: "serial", what: `${zone}: ${change.previous} to ${change.serial} after ${last}` });
      if (change.createdAt.getTime() < lastTime)
        found.push({ kind: "serial", what: `${zone}: ${change.serial} is before` });
      lastTime = change.createdAt.getTime();
      last = change.serial;
      serials.add(change.serial);
    }
    if (stored.serial !== last) found.push({ kind: "serial", what: `${zone}: ${stored.serial}, journal ${last}` });
  }
  for (const { zone, serial } of book.serials.splice(0))
    if (!given.get(zone)?.has(serial)) found.push({ kind: "lost", what: `${zone}: serial ${serial} was acknowledged` });
  return found;
}

const isAfter = (after: number, before: number) => compareSerial(serial(after), serial(before)) === 1;

/** Law 4: the journal, replayed from the creation of a zone, is the zone. */
function replayed(zones: readonly StoredZone[]): Breach[] {
  const found: Breach[] = [];
  for (const { zone, changes, records } of zones) {
    const problem = (what: string) => void found.push({ kind: "journal", what: `${zone}: ${what}` });
    const copy = new Set<string>();
    if (changes[0]?.kind !== "CREATE") problem("does not begin with its creation");
    for (const change of changes) {
      expectSoas(change, problem);
      replay(copy, change, problem);
    }
    const actual = new Set(records.map(keyOf));
    for (const key of copy) if (!actual.has(key)) problem(`the journal has ${key}, the zone has not`);
    for (const key of actual) if (!copy.has(key)) problem(`the zone has ${key}, the journal has not`);
  }
  return found;
}

/** A change takes and gives the SOA with the zone, or edits it; the serial is not in its row. */
function expectSoas({ kind, previous, serial, removed, added }: StoredChange, problem: (what: string) => void): void {
  const [before, after] = [removed, added].map((records) => records.filter(({ type }) => type === "SOA"));
  const count = `${before?.length} ${after?.length}`;
  const expected = { CREATE: ["0 1"], RESTORE: ["0 1"], DELETE: ["1 0"] }[kind] ?? ["0 0", "1 1"];
  const serials = [...(before ?? []), ...(after ?? [])].map(({ rdata }) => Number(rdata.split(" ")[2]));
  if (!expected.includes(count) || serials.some((each) => each !== 0))
    problem(`${previous} to ${serial} has SOAs: ${count}, of ${serials}`);
}

function replay(copy: Set<string>, { serial, removed, added }: StoredChange, problem: (what: string) => void): void {
  for (const record of removed)
    if (!copy.delete(keyOf(record))) problem(`${serial} removes ${keyOf(record)}, which is not there`);
  for (const record of added) {
    if (copy.has(keyOf(record))) problem(`${serial} adds ${keyOf(record)} a second time`);
    copy.add(keyOf(record));
  }
}

/** Law 6: nothing else moved. */
function moved(zones: ReadonlyMap<string, StoredZone>, untouched: Untouched): Breach[] {
  return [...untouched].flatMap(([zone, state]) => {
    const stored = zones.get(zone);
    return stored && stateOf(stored) === state ? [] : [{ kind: "moved" as const, what: `${zone} is not as it was` }];
  });
}

/** Law 5, first part: the service says of every zone that it is live. */
export async function expectLive(world: World): Promise<void> {
  const document = `{ domains(first: 100) { nodes { zone serial
    publication { state secondaries { state serial lastError } } } } }`;
  const { nodes } = (await world.data(document)).domains;
  const behind = nodes.filter(({ publication }: Json) => publication.state !== "LIVE");
  if (behind.length > 0) throw new Error(`not LIVE: ${JSON.stringify(behind)}`);
}

/** Law 5, second part: the secondary, and what differences lead to, has every zone record for record, and none that is deleted. */
async function expectEqual(
  read: (zone: string) => Promise<readonly string[]>,
  zones: readonly StoredZone[],
): Promise<void> {
  for (const { zone, serial, records, isDeleted } of zones) {
    const served = await read(zone);
    if (isDeleted) {
      const isServedAgain = zones.some((other) => other.zone === zone && !other.isDeleted);
      if (!isServedAgain && !served[0]?.startsWith("rcode")) throw new Error(`${zone} is deleted and still served`);
      continue;
    }
    const theirs = new Set(served);
    const ours = new Set(records.map((record) => lineOf(zone, serial, record)));
    const missing = [...ours].filter((line) => !theirs.has(line));
    const strange = [...theirs].filter((line) => !ours.has(line));
    if (missing.length + strange.length > 0)
      throw new Error(`${zone} misses ${missing.slice(0, 5)} (${missing.length}), has ${strange.slice(0, 5)}`);
  }
}

/** A record in the form of `transfer`, an SOA with the serial of its zone. */
function lineOf(zone: string, serial: number, { owner, ttl, type, wire: stored }: StoredRecord): string {
  const name = nameText(ownerName(owner, zone));
  const digits = serial.toString(16).padStart(8, "0");
  const wire = type === "SOA" ? stored.slice(0, -40) + digits + stored.slice(-32) : stored;
  return `${name} ${ttl} TYPE${recordType(type).code} \\# ${wire.length / 2} ${wire}`;
}
