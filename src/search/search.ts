/**
 * Finds anything by a text, as far as the session sees it. Of each kind, the first matches and how many there are are read by one statement,
 * which stops at a thousand matches; what it sorts are these.
 */
import { ApiKey, type ApiKeyRow, apiKeyColumns, seesLimited } from "../account/api-key.ts";
import { TsigKey, type TsigKeyRow, tsigKeyColumns } from "../account/tsig-key.ts";
import { User, type UserRow, users } from "../account/user.ts";
import { asciiLabels } from "../dns/idna.ts";
import { addressOctets, reverseName } from "../dns/rdata/address.ts";
import { recordType } from "../dns/rdata/record-type-registry.ts";
import { inSearch, listRows } from "../lists/list-statement.ts";
import { hasTrigram, literalPattern } from "../lists/text-search.ts";
import { listSecondaries, type SecondaryRow } from "../secondary/registry.ts";
import { unlessMalformed } from "../session/parse-field.ts";
import type { Session } from "../session/session.ts";
import { table } from "../sql/columns.ts";
import { type Sql, sql } from "../sql/sql.ts";
import { Change, ChangeKind, type ChangeRow, changeColumns } from "../zone/change.ts";
import { isNewestOfSet, seesChange } from "../zone/change-list.ts";
import { ChangeRecord, changedRecords } from "../zone/change-record.ts";
import { summaryRecords } from "../zone/change-summary.ts";
import { type DomainRow, domains } from "../zone/domain.ts";
import { isOfHost, type RecordRow, records, ZoneRecord } from "../zone/record.ts";
import { hostsNamed } from "../zone/record-search.ts";
import { networkOf } from "./network.ts";

/** The first matches, and how many there are, at most `mostCounted`. */
export interface Found<Row> {
  readonly nodes: readonly Row[];
  readonly count: number;
}

export const mostCounted = 1000;

const nothing = { nodes: [], count: 0 };

const r = table(ZoneRecord, "r");
const c = table(Change, "c");
const v = table(ChangeRecord, "v");
const anyChange = table(Change);
const u = table(User, "u");
const k = table(ApiKey, "k");
const t = table(TsigKey, "t");

interface Sought {
  readonly columns: Sql;
  readonly from: Sql;
  readonly conditions: readonly Sql[];
  /** The order of the matches, by the names of `columns`. */
  readonly sorted: Sql;
}

type Counted<Row> = Row & { readonly matching: number };

function matches<Row extends { readonly id: number }>(
  session: Session,
  { columns, from, conditions, sorted }: Sought,
  first: number,
): Promise<Found<Row>> {
  const query = sql<Counted<Row>>`
    with found as materialized (select ${columns} from ${from} where ${sql.join(conditions, sql` and `)} limit ${mostCounted})
    ${countedPage(sorted, first)}`;
  return foundBy(session, query);
}

const countedPage = (sorted: Sql, first: number) => sql`
  select n.matching, page.* from (select count(*)::int as matching from found) n
  left join lateral (select * from found order by ${sorted} limit ${first}) page on true`;

async function foundBy<Row extends { readonly id: number }>(
  session: Session,
  query: Sql<Counted<Row>>,
): Promise<Found<Row>> {
  const rows = await inSearch(session, (db) => listRows(db, query));
  return { nodes: rows.filter(({ id }) => id !== null), count: rows[0]?.matching ?? 0 };
}

/** The condition that a text has a part, in any letter case. */
const has = (text: Sql, part: string) => sql<boolean>`strpos(lower(${text}), lower(${part})) > 0`;
/** The same by an index of trigrams. */
const hasByIndex = (text: Sql, part: string) =>
  sql<boolean>`lower(${text}) like '%' || lower(${literalPattern(part)}) || '%'`;

/**
 * The records that a text names: those of an address or a network with the PTR records of these addresses, the RRset of a name and a type,
 * or those with the text in the owner or the data, for which it needs a trigram.
 */
export async function searchRecords(session: Session, text: string, first: number): Promise<Found<RecordRow>> {
  const matchesOf = (condition: Sql, most = first) => {
    const conditions = [records.sees(session.actor), condition];
    const columns = sql`${records.columns}, ${r.position}`;
    return matches<RecordRow>(
      session,
      { columns, from: records.from, conditions, sorted: sql`zone, position, id` },
      most,
    );
  };
  const network = networkOf(text);
  if (!network) {
    const condition = rrsetNamed(text) ?? (hasTrigram(text) ? contained(text) : undefined);
    return condition ? matchesOf(condition) : nothing;
  }
  const { type, first: low, last: high } = network;
  const isInside = sql<boolean>`${r.type} = ${sql.lit(type)} and ${r.wire} between ${Buffer.from(low)} and ${Buffer.from(high)}`;
  const addresses = await matchesOf(isInside, mostPointed);
  const octets =
    Buffer.compare(low, high) === 0 ? [low] : addresses.nodes.flatMap(({ rdata }) => addressOctets(rdata) ?? []);
  const pointers =
    octets.length > 0 ? await matchesOf(sql<boolean>`${r.type} = 'PTR' and ${isPointer(octets)}`) : nothing;
  return {
    nodes: [...addresses.nodes.slice(0, first), ...pointers.nodes].slice(0, first),
    count: Math.min(mostCounted, addresses.count + pointers.count),
  };
}

/** The most addresses of a network whose PTR records are looked for. */
const mostPointed = 100;

function isPointer(addresses: readonly Uint8Array[]): Sql<boolean> {
  const hosts = [...new Set(addresses.map((address) => reverseName(address)))].map(hostsNamed);
  return isOfHost({
    owners: hosts.flatMap(({ owners }) => owners),
    zones: hosts.flatMap(({ zones }) => zones),
  });
}

/** The condition of the RRset that `www MX` or `www.example.com. MX` names; undefined for other text. */
function rrsetNamed(text: string): Sql<boolean> | undefined {
  const [name = "", type = "", ...rest] = text.split(/\s+/);
  const mnemonic = type === "" || rest.length > 0 ? undefined : unlessMalformed(() => recordType(type).mnemonic);
  if (mnemonic === undefined) return undefined;
  const hosts = hostsNamed(name);
  const isOwner = sql<boolean>`${r.owner} like ${literalPattern(asciiLabels(name).toLowerCase())}`;
  const isNamed = hosts.owners.length > 0 ? sql<boolean>`(${isOwner} or ${isOfHost(hosts)})` : isOwner;
  return sql<boolean>`${isNamed} and ${r.type} = ${mnemonic}`;
}

function contained(text: string): Sql<boolean> {
  const { read, where } = records.selectors.contains;
  return where(read(text));
}

/** The zones with the text in their names; those first that begin with it. */
export function searchDomains(session: Session, text: string, first: number): Promise<Found<DomainRow>> {
  const { read, where } = domains.selectors.zoneContains;
  const conditions = [domains.sees(session.actor), where(read(text))];
  const sorted = sql`strpos(zone, lower(${asciiLabels(text)})), zone`;
  return matches(session, { columns: domains.columns, from: domains.from, conditions, sorted }, first);
}

/** The numbers of the newest changes that are read, of those whose first records are read too, and of older matches at most. */
const mostRead = { newest: 10_000, withRecords: 500, older: 3000 };

/** The condition that a text is in one of the first records that an edit removed or added, which its summary shows. */
const inRecords = (text: string) => sql<boolean>`${c.kind} = ${ChangeKind.EDIT} and exists (
  select from ${sql.raw(changedRecords)} v where ${v.domainId} = ${c.domainId} and ${v.changeId} = ${c.id}
    and ${v.ordinal} < ${summaryRecords} and ${has(sql`concat_ws(' ', ${v.owner}, ${v.type}, ${v.rdata})`, text)})`;

/**
 * The changes with the text in their notes, or of the newest in their records, for which it needs a trigram, or with the serial, newest
 * first; of a set, the newest. They are looked for among the newest of all, then among older ones: by the indexes of notes and serials,
 * which know no order, but a text that is in a tenth of the newest by the zones of the session.
 */
export async function searchChanges(session: Session, text: string, first: number): Promise<Found<ChangeRow>> {
  const isSerial = /^\d{1,10}$/.test(text) ? [sql<boolean>`${c.serial} = ${Number(text)}::bigint`] : [];
  const inNote = (isIn: typeof has) => (hasTrigram(text) ? [isIn(c.note, text)] : []);
  if (isSerial.length + inNote(has).length === 0) return nothing;
  const once = isNewestOfSet(session.actor, { zone: undefined, before: undefined });
  const sought = (isIn: typeof has) => sql`(${sql.join([...inNote(isIn), ...isSerial], sql` or `)})`;
  const where = (isIn: typeof has) => sql`${seesChange(session.actor)} and ${sought(isIn)} and ${once}`;
  const isNewest = sql`${c.id} in (select id from recent order by id desc limit ${mostRead.withRecords})`;
  const inSummary = hasTrigram(text) ? sql`${isNewest} and ${inRecords(text)}` : sql`false`;
  const isOlder = sql`${c.id} < (select min(id) from recent) and (select count(*) from newest) < ${mostCounted}`;
  const isCommon = sql`(select count(*) = ${mostCounted} from (select from recent as "c" where ${sought(has)} limit ${mostCounted}) common)`;
  const query = sql<Counted<ChangeRow>>`
    with recent as materialized (select * from ${anyChange} order by id desc limit ${mostRead.newest}),
    newest as materialized (
      select ${changeColumns} from recent as "c"
      where ${seesChange(session.actor)} and ${once} and (${sought(has)} or ${inSummary}) order by ${c.id} desc limit ${mostCounted}
    ), older as materialized (
      (select ${changeColumns} from ${c} where ${where(hasByIndex)} and ${isOlder} and not ${isCommon} limit ${mostRead.older})
      union all
      (select ${changeColumns} from ${c} where ${where(has)} and ${isOlder} and ${isCommon} limit ${mostRead.older})
    ), found as materialized (select * from newest union all select * from older order by id desc limit ${mostCounted})
    ${countedPage(sql`id desc`, first)}`;
  return foundBy(session, query);
}

export function searchUsers(session: Session, text: string, first: number): Promise<Found<UserRow>> {
  const conditions = [users.sees(session.actor), has(u.email, text)];
  return matches(session, { ...users, conditions, sorted: sql`"emailKey", id` }, first);
}

/** Keys by a part of the name, or by the beginning of the fingerprint; revoked ones last. */
export function searchApiKeys(session: Session, text: string, first: number): Promise<Found<ApiKeyRow>> {
  const isFingerprint = sql<boolean>`${k.fingerprint} like lower(${literalPattern(text)}) || '%'`;
  const conditions = [seesLimited(session.actor, k), sql`(${has(k.name, text)} or ${isFingerprint})`];
  return matches(session, { columns: apiKeyColumns, from: k, conditions, sorted: unrevokedFirst }, first);
}

export function searchTsigKeys(session: Session, text: string, first: number): Promise<Found<TsigKeyRow>> {
  const conditions = [seesLimited(session.actor, t), has(t.name, text)];
  return matches(session, { columns: tsigKeyColumns, from: t, conditions, sorted: unrevokedFirst }, first);
}

const unrevokedFirst = sql`"revokedAt" desc nulls first, name, id`;

/** Secondaries by a part of the name or the address; a user sees none. */
export async function searchSecondaries(session: Session, text: string, first: number): Promise<Found<SecondaryRow>> {
  if (session.actor.role === "user") return nothing;
  const { rows } = await listSecondaries(session, { first: mostCounted });
  const part = text.toLowerCase();
  const nodes = rows.filter(({ name, address }) => name.toLowerCase().includes(part) || address.includes(part));
  return { nodes: nodes.slice(0, first), count: nodes.length };
}
