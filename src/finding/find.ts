/**
 * Finds what is wrong with zones, as far as the session sees them. Nothing is stored: zones are read in batches, with the names in other
 * zones that they need, and checked in memory.
 */
import { TsigKey } from "../account/tsig-key.ts";
import { isWithin, type Name, ownerName, ownerText, parseName, zoneNameText, zoneNameWire } from "../dns/name.ts";
import { addressOctets, reverseName } from "../dns/rdata/address.ts";
import { rdataNames } from "../dns/rdata/rdata.ts";
import { recordType } from "../dns/rdata/record-type-registry.ts";
import { listRows } from "../lists/list-statement.ts";
import { cursorText, defaultPageSize, type PageRequest, readCursor } from "../lists/pagination.ts";
import { Secondary } from "../secondary/secondary.ts";
import { unlessMalformed } from "../session/parse-field.ts";
import type { Session } from "../session/session.ts";
import { table } from "../sql/columns.ts";
import { isBelow } from "../sql/names-below.ts";
import { type Sql, sql } from "../sql/sql.ts";
import { Pieces } from "../turns/long-work.ts";
import { inTurn } from "../turns/queues.ts";
import { Domain, domains, readZone } from "../zone/domain.ts";
import { ancestors, type RuledRecord } from "../zone/edit/rules.ts";
import type { Labels } from "../zone/label.ts";
import { ZoneRecord } from "../zone/record.ts";
import { type AboutZone, below, CheckedZone, type Surroundings, suffixes, World } from "./checked-zone.ts";
import { type Finding, type FindingCode, findingsOf, type Severity } from "./finding-code.ts";
import { isSpf, policiesIn, spfTerms, textOf } from "./mail-policies.ts";
import { type AtServers, atServers, findingsAtServers } from "./server-check.ts";

export const d = table(Domain, "d");
export const r = table(ZoneRecord, "r");
const s = table(Secondary, "s");
const k = table(TsigKey, "k");

/** The most records that are checked at a time; a zone with more is checked alone. */
const recordsAtATime = 20_000;
const zonesAtATime = 500;

/** How long a page is looked for before it ends, ms. */
const pageMs = 2000;

export interface FindingFilter {
  readonly zone?: string | undefined;
  readonly codes?: readonly FindingCode[] | undefined;
  readonly severities?: readonly Severity[] | undefined;
}

export interface FindingPage {
  readonly nodes: readonly Finding[];
  /** The cursor for `after`; null when nothing follows. */
  readonly endCursor: string | null;
}

export interface ZoneRow {
  readonly id: number;
  readonly zone: string;
  readonly serial: number;
  readonly userId: number | null;
  readonly recordCount: number;
  readonly labels: Labels;
  readonly atServers: AtServers | null;
}

const zoneRows = sql`
  ${d.columns("id", "zone", "serial", "userId", "recordCount", "labels")}, ${atServers(d.id)}`;

/** A zone, the position in it at which a part begins, and the number of the part's findings that were on earlier pages. */
const order = { name: "findings", kinds: ["string", "string", "number"] } as const;

/** One page of the findings, by zone, in the order of the zone's records. A page may be short, and end within a zone. */
export async function listFindings(
  session: Session,
  { zone, codes, severities }: FindingFilter,
  { first, after }: Pick<PageRequest, "first" | "after">,
): Promise<FindingPage> {
  const from = (after ? readCursor(after, order) : ["", "", 0]) as [string, string, number];
  const only = zone === undefined ? sql`true` : sql`${d.zone} = ${readZone(zone)}`;
  const isSought = ({ code, severity }: Finding) =>
    (!codes || codes.includes(code)) && (!severities || severities.includes(severity));
  const nodes: Finding[] = [];
  const until = performance.now() + pageMs;
  let isFirst = true;
  for await (const part of partsFrom(session, only, from)) {
    const begin = isFirst ? from[2] : 0;
    const end = begin + (first ?? defaultPageSize) - nodes.length;
    const endsAt = (seen: number) => cursorText([order.name, part.zone.zone, part.position, seen]);
    if (!isFirst && (end === 0 || performance.now() > until)) return { nodes, endCursor: endsAt(0) };
    isFirst = false;
    const sought = (await findingsOfPart(part)).filter(isSought);
    nodes.push(...sought.slice(begin, end));
    if (end < sought.length) return { nodes, endCursor: endsAt(end) };
  }
  return { nodes, endCursor: null };
}

/** The findings of these domains by id. */
export async function findingsOfDomains(
  session: Session,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly Finding[]>> {
  const findings = new Map<number, Finding[]>();
  for await (const part of partsFrom(session, sql`${d.id} = any(${ids}::bigint[])`))
    findings.set(part.row.id, [...(findings.get(part.row.id) ?? []), ...(await findingsOfPart(part))]);
  return findings;
}

async function findingsOfPart({ row, position, zone }: Part): Promise<Finding[]> {
  const ofServers = position === "" ? findingsAtServers(zone.zone, row.atServers) : [];
  return [...ofServers.filter(({ code }) => !zone.about.ignored.has(code)), ...(await findingsOf(zone))];
}

/** A zone, or a part of a large one: the records from a position on. */
interface Part {
  readonly row: ZoneRow;
  readonly position: string;
  readonly zone: CheckedZone;
}

/** The zones from a place on, by name: small ones together and whole, large ones in parts of whole names. */
export async function* partsFrom(
  session: Session,
  only: Sql,
  [zone, position]: readonly [string, string, ...unknown[]] = ["", ""],
): AsyncGenerator<Part> {
  for (let [from, start] = [zone, position]; ; ) {
    const rows = await listRows<ZoneRow>(
      session,
      sql`select ${zoneRows} from ${d} where ${d.zone} >= ${from} and ${only} and ${domains.sees(session.actor)}
        order by ${d.zone} limit ${zonesAtATime + 1}`,
    );
    const [row] = rows;
    if (!row) return;
    if (row.zone !== from) [from, start] = [row.zone, ""];
    const batch = rows.slice(0, countOf(rows));
    const { zones, next } = await inTurn("search", () => readZones(session, batch, start));
    for (const each of zones) yield { ...each, position: start };
    const following = rows[batch.length];
    if (next !== undefined) start = next;
    else if (following) [from, start] = [following.zone, ""];
    else return;
  }
}

/** How many zones of the beginning are checked together. */
function countOf(rows: readonly ZoneRow[]): number {
  let [count, records] = [0, 0];
  for (const { recordCount } of rows.slice(0, zonesAtATime)) {
    records += recordCount;
    if (count > 0 && records > recordsAtATime) break;
    count += 1;
  }
  return count;
}

type StoredRecord = RuledRecord & { readonly domainId: number; readonly position: string };

const selectRecords = sql`
  select ${r.columns("id", "domainId", "owner", "type", "ttl", "rdata", "wire", "position")} from ${r}`;

/** Reads zones, or the part of a large zone from a position on; `next` is the position at which the next part begins. */
async function readZones(session: Session, rows: readonly ZoneRow[], start: string) {
  const [first] = rows;
  const ids = rows.map(({ id }) => id);
  const isPart = first !== undefined && first.recordCount > recordsAtATime;
  const read = await sql<StoredRecord>`${selectRecords}
    where ${r.domainId} = any(${ids}::bigint[]) and ${r.position} >= ${start}
    order by ${r.domainId}, ${r.position} limit ${isPart ? recordsAtATime : null}`.run(session);
  const last = isPart && read.length === recordsAtATime ? read.at(-1) : undefined;
  // A part ends between two names, or between two RRsets of a name with very many records.
  const isOneName = last?.owner === read[0]?.owner;
  const isNext = (each: StoredRecord) => (isOneName ? each.position === last?.position : each.owner === last?.owner);
  const records = Map.groupBy(last ? read.filter((each) => !isNext(each)) : read, ({ domainId }) => domainId);
  const zones = await checkedZones(
    session,
    rows.map((row) => ({ row, records: records.get(row.id) ?? [], isWhole: !isPart })),
  );
  return { zones, next: last && read.find(isNext)?.position };
}

/** Records of a zone to check. */
export interface ToCheck {
  readonly row: ZoneRow;
  readonly records: readonly RuledRecord[];
  readonly isWhole?: boolean;
}

/** Zones with the names that their records need, of records that `isKept`. */
export async function checkedZones(
  session: Session,
  zones: readonly ToCheck[],
  isKept: (zone: string, record: RuledRecord) => boolean = () => true,
): Promise<{ row: ZoneRow; zone: CheckedZone }[]> {
  const world = new World(await surroundingsOf(session));
  const read = zones.map(({ row, records, isWhole = false }) => ({
    row,
    zone: new CheckedZone(aboutZone(row), records, world, isWhole ? undefined : []),
  }));
  await addNamed(session, read, world, isKept);
  return read.map(({ row }) => ({ row, zone: world.zone(row.zone) as CheckedZone }));
}

export const domainsToCheck = (session: Session, condition: Sql) =>
  sql<ZoneRow>`select ${zoneRows} from ${d} where ${condition}`.run(session);

/** Domains by id, with their records at the apex. */
export async function apexesOf(session: Session, ids: readonly number[]): Promise<ToCheck[]> {
  const records = await recordsAt(
    session,
    ids.map((id) => ({ id, owner: "@" })),
  );
  const rows = await domainsToCheck(session, sql`${d.id} = any(${ids}::bigint[])`);
  return rows.map((row) => ({ row, records: records.get(row.id) ?? [] }));
}

/** A label such as `ignore/PTR_MISSING` switches a check off. */
const ignoring = "ignore/";

function aboutZone({ zone, serial, userId, labels }: ZoneRow): AboutZone {
  const codes = Object.keys(labels).flatMap((name) => (name.startsWith(ignoring) ? name.slice(ignoring.length) : []));
  return { zone, serial, userId, ignored: new Set(codes) };
}

/** Users do not see where secondaries are. */
async function surroundingsOf(session: Session): Promise<Surroundings> {
  const secondaries = sql<Surroundings["secondaries"][0]>`
    select ${s.name}, ${s.address}, ${s.requiredForLive} as required from ${s} where ${session.actor.role !== "user"}`;
  const acmeKeys = sql<Surroundings["acmeKeys"][0]>`
    select ${k.columns("name", "userId", "zones", "owners")} from ${k}
    where ${k.revokedAt} is null and array_to_string(${k.owners}, ' ') like '%\\_acme-challenge%'`;
  return { now: session.now(), secondaries: await secondaries.run(session), acmeKeys: await acmeKeys.run(session) };
}

/** Adds what zones that are not whole in memory have at the names that these zones need, except records that are not kept. */
async function addNamed(
  session: Session,
  zones: readonly Pick<Part, "row" | "zone">[],
  world: World,
  isKept: (zone: string, record: RuledRecord) => boolean,
): Promise<void> {
  const reverse = await reverseZones(session);
  const names = new Map<string, Name>();
  const pieces = new Pieces();
  for (const { zone } of zones)
    for (const record of zone.records) {
      for (const name of namesNeeded(zone, record, reverse)) names.set(zoneNameText(name), name);
      await pieces.next();
    }
  const parts = zones.filter(({ zone }) => !zone.isWhole);
  const above = new Set([...names.keys()].flatMap(suffixes).filter((zone) => !world.zone(zone)));
  const isSeen = sql`${d.zone} = any(${[...above]}) and ${domains.sees(session.actor)}`;
  const others = await domainsToCheck(session, isSeen);
  const byZone = new Map([...others, ...parts.map(({ row }) => row)].map((row) => [row.zone, row]));
  const wanted = new Map<number, Set<string>>();
  for (const [text, name] of names) {
    const zone = suffixes(text).find((each) => byZone.has(each) || world.zone(each));
    const row = zone === undefined ? undefined : byZone.get(zone);
    if (!row) continue;
    const owner = ownerText(name, zoneNameWire(row.zone));
    const owners = wanted.get(row.id) ?? new Set();
    for (const each of [owner, ...ancestors(owner)]) owners.add(each).add(below("*", each));
    wanted.set(row.id, owners);
  }
  for (const { row, zone } of parts) for (const owner of zone.byOwner.keys()) wanted.get(row.id)?.delete(owner);
  const pairs = [...wanted].flatMap(([id, owners]) => [...owners].map((owner) => ({ id, owner })));
  const records = await recordsAt(session, pairs);
  for (const row of byZone.values()) {
    const others = records.get(row.id)?.filter((record) => isKept(row.zone, record));
    new CheckedZone(aboutZone(row), world.zone(row.zone)?.records ?? [], world, others ?? []);
  }
}

/** The records of names, by the id of their domain. */
export async function recordsAt(session: Session, names: readonly { readonly id: number; readonly owner: string }[]) {
  const [ids, owners] = [names.map(({ id }) => id), names.map(({ owner }) => owner)];
  const read = await sql<StoredRecord>`${selectRecords}
    where (${r.domainId}, ${r.owner}) in (select * from unnest(${ids}::bigint[], ${owners}::text[]))`.run(session);
  return Map.groupBy(read, ({ domainId }) => domainId);
}

/** The zones of the reverse tree, by name. */
async function reverseZones(session: Session): Promise<ReadonlySet<string>> {
  const rows = await sql<{ zone: string }>`
    select ${d.zone} from ${d} where ${isBelow(d.zone, "arpa")} and ${domains.sees(session.actor)}`.run(session);
  return new Set(rows.map(({ zone }) => zone));
}

/** The names that the checks of a record look at and that are not in memory, as far as a zone of the service may have them. */
function* namesNeeded(zone: CheckedZone, record: RuledRecord, reverse: ReadonlySet<string>): Generator<Name> {
  const { owner, type, wire, rdata } = record;
  const isUnknown = (name: Name) => !isWithin(name, zone.origin) || !zone.byOwner.has(ownerText(name, zone.origin));
  if (!zone.isWhole || (type === "NS" && owner !== "@")) yield ownerName(owner, zone.zone);
  if (type === "A" || type === "AAAA") {
    const pointer = reverse.size > 0 ? reverseName(addressOctets(rdata) as Uint8Array) : "";
    if (suffixes(pointer).some((each) => reverse.has(each))) yield parseName(`${pointer}.`);
  } else if (type === "TXT") {
    const terms = isSpf(textOf(wire)) ? spfTerms(textOf(wire)) : "";
    for (const policy of typeof terms === "string" ? [] : policiesIn(terms)) {
      const name = unlessMalformed(() => parseName(`${policy}.`));
      if (name && isUnknown(name)) yield name;
    }
  } else for (const { name } of rdataNames(recordType(type), wire)) if (name.length > 1 && isUnknown(name)) yield name;
}
