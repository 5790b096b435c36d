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
import { type Sql, sql } from "../sql/sql.ts";
import { Pieces } from "../turns/long-work.ts";
import { inTurn } from "../turns/queues.ts";
import { Domain, domainByZone, domains } from "../zone/domain.ts";
import { ancestors, type RuledRecord } from "../zone/edit/rules.ts";
import type { Labels } from "../zone/label.ts";
import { ZoneRecord } from "../zone/record.ts";
import { type AboutZone, below, CheckedZone, type Surroundings, suffixes, World } from "./checked-zone.ts";
import { type Finding, type FindingCode, findingsOf, type Severity } from "./finding-code.ts";
import { policiesIn, termsOf } from "./mail-policies.ts";
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

/** One page of the findings, by zone, the worst of a zone first. A page may be short, and end within a zone. */
export async function listFindings(
  session: Session,
  { zone, codes, severities }: FindingFilter,
  { first, after }: Pick<PageRequest, "first" | "after">,
): Promise<FindingPage> {
  const from = (after ? readCursor(after, order) : ["", "", 0]) as [string, string, number];
  const only = zone === undefined ? sql`true` : sql`${d.id} = ${(await domainByZone(session, zone)).id}`;
  const isSought = ({ code, severity }: Finding) =>
    (!codes || codes.includes(code)) && (!severities || severities.includes(severity));
  const nodes: Finding[] = [];
  let until = Number.POSITIVE_INFINITY;
  let isFirst = true;
  for await (const part of partsFrom(session, only, from)) {
    const begin = part.zone.zone === from[0] && part.position === from[1] ? from[2] : 0;
    const end = begin + (first ?? defaultPageSize) - nodes.length;
    const endsAt = (seen: number) => cursorText([order.name, part.zone.zone, part.position, seen]);
    if (!isFirst && (end === 0 || performance.now() > until)) return { nodes, endCursor: endsAt(0) };
    // What was waited for and read for the first zone does not count.
    if (isFirst) until = performance.now() + pageMs;
    isFirst = false;
    const sought = (await findingsOfPart(part)).filter(isSought);
    nodes.push(...sought.slice(begin, end));
    if (end < sought.length) return { nodes, endCursor: endsAt(end) };
  }
  return { nodes, endCursor: null };
}

const fromWorst: readonly Severity[] = ["ERROR", "WARNING", "NOTE"];

/** The findings of a part, the worst first. */
async function findingsOfPart({ row, position, zone }: Part): Promise<Finding[]> {
  const ofServers = position === "" ? findingsAtServers(zone.zone, row.atServers) : [];
  const findings = [...ofServers.filter(({ code }) => !zone.about.ignored.has(code)), ...(await findingsOf(zone))];
  return findings.toSorted((a, b) => fromWorst.indexOf(a.severity) - fromWorst.indexOf(b.severity));
}

/** A zone, or a part of a large one: the records from a position on. */
interface Part {
  readonly row: ZoneRow;
  readonly position: string;
  readonly zone: CheckedZone;
}

/** The zones from a place on, by name: small ones together and whole, large ones in parts of whole names. */
async function* partsFrom(
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
    const batch = rows.slice(0, start === "" ? countOf(rows) : 1);
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
  const isPart = start !== "" || rows.some(({ recordCount }) => recordCount > recordsAtATime);
  const read = await sql<StoredRecord>`${selectRecords}
    where ${r.domainId} = any(${rows.map(({ id }) => id)}::bigint[]) and ${r.position} >= ${start}
    order by ${r.domainId}, ${r.position} limit ${isPart ? recordsAtATime : null}`.run(session);
  const last = isPart && read.length === recordsAtATime ? read.at(-1) : undefined;
  // A part ends between two names, or between two RRsets of a name with very many records.
  const isOneName = last?.owner === read[0]?.owner;
  const isNext = (each: StoredRecord) => (isOneName ? each.position === last?.position : each.owner === last?.owner);
  const records = Map.groupBy(last ? read.filter((each) => !isNext(each)) : read, ({ domainId }) => domainId);
  const toCheck = rows.map((row) => ({ row, records: records.get(row.id) ?? [], isWhole: !isPart }));
  const zones = zonesOf(await loadNamed(session, toCheck));
  return {
    zones: rows.map((row) => ({ row, zone: zones.get(row.id) as CheckedZone })),
    next: last && read.find(isNext)?.position,
  };
}

/** Records of a zone to check; all of the zone when it is whole. */
interface ToCheck {
  readonly row: ZoneRow;
  readonly records: readonly RuledRecord[];
  readonly isWhole?: boolean;
}

/** What checks need in memory: zones with the records to check, and other records that are only looked at. */
interface Loaded {
  readonly surroundings: Surroundings;
  readonly zones: readonly (ToCheck & { readonly others: readonly RuledRecord[] })[];
}

type Edit = (zone: string, records: readonly RuledRecord[]) => readonly RuledRecord[];

/** The zones as checks look at them, by the id of their domain, after an edit of their records. */
export function zonesOf({ surroundings, zones }: Loaded, edit: Edit = (_zone, records) => records) {
  const world = new World(surroundings);
  const checked = zones.map(({ row, records, others, isWhole }) => {
    const zone = row.zone;
    const looked = isWhole ? undefined : edit(zone, others);
    return [row.id, new CheckedZone(aboutZone(row), edit(zone, records), world, looked)] as const;
  });
  return new Map(checked);
}

/** Names of domains, by id, with all their records. */
export async function loadNames(
  session: Session,
  names: readonly { readonly id: number; readonly owner: string }[],
  added: ReadonlyMap<string, readonly RuledRecord[]> = new Map(),
): Promise<Loaded> {
  const records = await recordsAt(session, names);
  const ids = [...new Set(names.map(({ id }) => id))];
  const rows = await domainsToCheck(
    session,
    sql`${d.id} = any(${ids}::bigint[]) or ${d.zone} = any(${[...added.keys()]})`,
  );
  return loadNamed(
    session,
    rows.map((row) => ({ row, records: [...(records.get(row.id) ?? []), ...(added.get(row.zone) ?? [])] })),
  );
}

const domainsToCheck = (session: Session, condition: Sql) =>
  sql<ZoneRow>`select ${zoneRows} from ${d} where ${condition}`.run(session);

/** A label such as `ignore/PTR_MISSING` switches a check off. */
const ignoring = "ignore/";

function aboutZone({ zone, serial, userId, labels }: ZoneRow): AboutZone {
  const codes = Object.keys(labels).flatMap((name) => (name.startsWith(ignoring) ? name.slice(ignoring.length) : []));
  return { zone, serial, userId, ignored: new Set(codes) };
}

/** Users see neither where secondaries are nor the keys of others. */
async function surroundingsOf({ actor, ...session }: Session): Promise<Surroundings> {
  const isUser = actor.role === "user";
  const secondaries = sql<Surroundings["secondaries"][0]>`
    select ${s.name}, ${s.address}, ${s.requiredForLive} as required from ${s} where ${!isUser}`;
  const acmeKeys = sql<Surroundings["acmeKeys"][0]>`
    select ${k.columns("name", "userId", "zones", "owners")} from ${k}
    where ${k.revokedAt} is null and array_to_string(${k.owners}, ' ') like '%\\_acme-challenge%'
      and (${!isUser} or ${k.userId} = ${isUser ? actor.userId : null})`;
  return { now: session.now(), secondaries: await secondaries.run(session), acmeKeys: await acmeKeys.run(session) };
}

/** Loads what the checks of records look at in their zones, as far as these are not whole, and in others. */
async function loadNamed(session: Session, zones: readonly ToCheck[]): Promise<Loaded> {
  const pieces = new Pieces();
  const names = new Map<string, Name>();
  const inMemory = new Map<string, ReadonlySet<string>>();
  for (const zone of zones) {
    const owners = new Set(zone.records.map(({ owner }) => owner));
    const origin = zoneNameWire(zone.row.zone);
    const isUnknown = (name: Name) => !isWithin(name, origin) || !owners.has(ownerText(name, origin));
    inMemory.set(zone.row.zone, owners);
    for (const record of zone.records) {
      for (const name of namesNeeded(zone, record, isUnknown)) names.set(zoneNameText(name), name);
      await pieces.next();
    }
  }
  const above = new Set<string>();
  for (const name of names.keys()) {
    for (const each of suffixes(name)) if (!inMemory.has(each)) above.add(each);
    await pieces.next();
  }
  const isSeen = sql`${d.zone} = any(${[...above]}) and ${domains.sees(session.actor)}`;
  const others = await domainsToCheck(session, isSeen);
  const parts = new Map(
    [...others, ...zones.flatMap(({ row, isWhole }) => (isWhole ? [] : row))].map((row) => [row.zone, row]),
  );
  const wanted = new Map<number, Set<string>>();
  // In each zone above a name: the lower ones have its records, those above have delegations and glue.
  for (const [text, name] of names) {
    for (const zone of suffixes(text)) {
      const row = parts.get(zone);
      if (!row) continue;
      const owner = ownerText(name, zoneNameWire(zone));
      const owners = wanted.get(row.id) ?? new Set();
      for (const each of [owner, ...ancestors(owner)]) {
        if (!inMemory.get(zone)?.has(each)) owners.add(each);
        owners.add(below("*", each));
      }
      wanted.set(row.id, owners);
    }
    await pieces.next();
  }
  const records = await recordsAt(
    session,
    [...wanted].flatMap(([id, owners]) => [...owners].map((owner) => ({ id, owner }))),
  );
  const read = [...zones, ...others.map((row) => ({ row, records: [] }))];
  return {
    surroundings: await surroundingsOf(session),
    zones: read.map((zone) => {
      const owners = inMemory.get(zone.row.zone);
      return { ...zone, others: (records.get(zone.row.id) ?? []).filter(({ owner }) => !owners?.has(owner)) };
    }),
  };
}

/** The records of names, by the id of their domain. */
async function recordsAt(session: Session, names: readonly { readonly id: number; readonly owner: string }[]) {
  const [ids, owners] = [names.map(({ id }) => id), names.map(({ owner }) => owner)];
  const read = await sql<StoredRecord>`${selectRecords}
    where (${r.domainId}, ${r.owner}) in (select * from unnest(${ids}::bigint[], ${owners}::text[]))`.run(session);
  return Map.groupBy(read, ({ domainId }) => domainId);
}

/** The names that the checks of a record look at and that are not in memory, as far as a zone of the service may have them. */
function* namesNeeded(
  { row, isWhole }: ToCheck,
  { owner, type, wire, rdata }: RuledRecord,
  isUnknown: (name: Name) => boolean,
): Generator<Name> {
  if (!isWhole || (type === "NS" && owner !== "@") || type === "SOA") yield ownerName(owner, row.zone);
  if (type === "A" || type === "AAAA") yield parseName(`${reverseName(addressOctets(rdata) as Uint8Array)}.`);
  else if (type === "TXT") {
    const terms = termsOf(wire);
    for (const policy of typeof terms === "string" ? [] : policiesIn(terms)) {
      const name = unlessMalformed(() => parseName(`${policy}.`));
      if (name && isUnknown(name)) yield name;
    }
  } else for (const { name } of rdataNames(recordType(type), wire)) if (name.length > 1 && isUnknown(name)) yield name;
}
