/**
 * A record: one DNS resource record of a zone. This file has the entity and its reads, record-list.ts the lists; edit/change-statement.ts
 * alone writes records.
 */
import { BigIntType } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from "@mikro-orm/decorators/legacy";
import { Field, Int, ObjectType } from "type-graphql";
import { asciiLabels } from "../dns/idna.ts";
import { parseOwner } from "../dns/name.ts";
import { recordType } from "../dns/rdata/record-type-registry.ts";
import { noSuch, Refusal } from "../errors.ts";
import { Node } from "../graphql/scalars/node-interface.ts";
import { IdScalar, RecordTypeScalar } from "../graphql/scalars/scalars.ts";
import { inSearch } from "../lists/list-statement.ts";
import { byId, type Order, type Page, pagesOf, type SortedRequest } from "../lists/pagination.ts";
import { equal, type Relation, type Selector, selected } from "../lists/relation.ts";
import { beginsWith, contains, containsTrigram, isLike } from "../lists/text-search.ts";
import { seesZone } from "../session/authorization.ts";
import { parseField } from "../session/parse-field.ts";
import type { Session } from "../session/session.ts";
import { type RowOf, table } from "../sql/columns.ts";
import { type Carrier, sql } from "../sql/sql.ts";
import { Domain, readZone } from "./domain.ts";
import { withLabels } from "./label.ts";
import { type Hosts, partSelectors, partsOf, type SoughtParts } from "./record-search.ts";
import { noteContains, noteOf } from "./rrset-note.ts";
import { rdataOf } from "./soa-data.ts";

/** The sort key of an RRset in its zone: the apex first, then by owner; within an owner SOA first, then by type. */
export const positionOf = ({ owner, type }: { readonly owner: string; readonly type: string }): string =>
  `${owner === "@" ? "" : owner} ${type === "SOA" ? "" : type}`;

/** `positionOf` in SQL; `owner` and `type` are columns. */
export const positionIn = (owner: string, type: string): string =>
  `case when ${owner} = '@' then '' else ${owner} end || ' ' || case when ${type} = 'SOA' then '' else ${type} end`;

@ObjectType({ simpleResolvers: true })
@Entity({ tableName: "zone_record" })
@Unique({ name: "zone_record_identity_key", properties: ["domain", "owner", "type", "digest"], deferMode: "deferred" })
@Index({ name: "zone_record_position_index", properties: ["domain", "position", "id"] })
@Index({ name: "zone_record_created_index", properties: ["domain", "id"] })
@Index({ name: "zone_record_begun_index", properties: ["domain", "changeId", "changeOrdinal"] })
@Index({
  name: "zone_record_below_index",
  expression: 'create index "zone_record_below_index" on "zone_record" ("domain_id", reverse("owner") collate "C")',
})
@Index({
  name: "zone_record_address_index",
  expression:
    'create index "zone_record_address_index" on "zone_record" ("type", "wire") where "type" in (\'A\', \'AAAA\')',
})
@Index({
  name: "zone_record_member_index",
  expression: `create index "zone_record_member_index" on "zone_record" ("rdata") where "type" = 'PTR' and "ttl" = 0`,
})
@Index({
  name: "zone_record_search_index",
  expression:
    'create index "zone_record_search_index" on "zone_record" using gin ("owner" gin_trgm_ops, lower("rdata") gin_trgm_ops)',
})
export class ZoneRecord {
  @Field(() => IdScalar, { description: "Its id; it stays when the record is edited." })
  @PrimaryKey({ type: new BigIntType("number") })
  id!: number;

  @ManyToOne(() => Domain, { fieldName: "domain_id", deleteRule: "cascade", index: false })
  domain!: Domain;

  @Field(() => String, { description: "Name of the record, relative to the zone, lower case; `@` is the apex." })
  @Property({ type: "text", collation: "C" })
  owner!: string;

  @Field(() => RecordTypeScalar, { description: "Type mnemonic such as MX, upper case, or TYPE65280 (RFC 3597)." })
  @Property({ type: "text", collation: "C" })
  type!: string;

  @Field(() => Int, { description: "Time to live, seconds, 0…2147483647; shared by the whole RRset (RFC 2181 §5.2)." })
  @Property({ type: "integer" })
  ttl!: number;

  @Field(() => String, { description: "Record data in canonical presentation form; names are absolute." })
  @Property({ type: "text" })
  rdata!: string;

  @Property({ type: "blob" })
  wire!: Buffer;

  /** SHA-256 of the canonical data; an SOA is hashed with serial 0. */
  @Property({ type: "blob" })
  digest!: Buffer;

  /** The change that gave the record its present content; 0 when that was before the journal. */
  @Property({ type: new BigIntType("number"), defaultRaw: "0", hidden: true })
  changeId!: number;

  @Property({ type: "integer", defaultRaw: "0", hidden: true })
  changeOrdinal!: number;

  @Property({ type: "text", collation: "C", generated: `(${positionIn("owner", "type")}) stored`, hidden: true })
  position?: string;
}

/** A record in the schema, with the name of its zone. */
@ObjectType("Record", { description: "One DNS resource record of a zone.", implements: Node, simpleResolvers: true })
export class RecordWithZone extends ZoneRecord {
  @Field(() => String, { description: "DNS name of the zone the record belongs to." })
  readonly zone!: string;
}

const r = table(ZoneRecord, "r");
const d = table(Domain, "d");
const domain = table(Domain);
const own = r.columns("id", "domainId", "owner", "type", "ttl").with("rdata", rdataOf(r));
const columns = own.and(d.columns("zone"));
const from = sql`${r} join ${d} on ${d.id} = ${r.domainId}`;

export type RecordRow = RowOf<typeof columns>;

export const recordOrders = {
  NAME: {
    name: "record.NAME",
    columns: [d.zone, r.position, r.id],
    kinds: ["string", "string", "number"],
    descending: false,
    key: (row: RecordRow) => [row.zone, positionOf(row), row.id],
  },
  CREATED: byId<RecordRow>("record.CREATED", r.id, false),
  CREATED_DESC: byId<RecordRow>("record.CREATED_DESC", r.id, true),
} satisfies Record<string, Order<RecordRow>>;

export const recordOrdersInZone: Record<keyof typeof recordOrders, Order<RecordRow>> = {
  ...recordOrders,
  NAME: {
    name: "record.NAME in a zone",
    columns: [r.position, r.id],
    kinds: ["string", "number"],
    descending: false,
    key: (row) => [positionOf(row), row.id],
  },
};

/** A filter of records; a record must match every field. Names and types are in any spelling. */
export interface RecordFilter extends SoughtParts {
  readonly zone?: string | undefined;
  readonly owner?: string | undefined;
  readonly ownerPrefix?: string | undefined;
  readonly types?: readonly string[] | undefined;
  readonly userId?: number | undefined;
  readonly noteContains?: string | undefined;
  readonly labels?: readonly string[] | undefined;
}

export const noteOfRecord = noteOf(r);

const ownerBegins = beginsWith(r.owner);
const data = sql<string>`lower(${r.rdata})`;

const h = table(ZoneRecord, "h");
const z = table(Domain, "z");

/** Finds zones and owners by name first, so that PostgreSQL combines the index of ids with the index of trigrams. */
export const isOfHost = ({ owners, zones }: Hosts) => sql<boolean>`${r.id} = any(array(
  select ${h.id} from unnest(${owners}::text[], ${zones}::text[]) w(owner, zone)
  join ${z} on ${z.zone} = w.zone join ${h} on ${h.domainId} = ${z.id} and ${h.owner} = w.owner))`;

/** The selectors of records without their zones; the owner is canonical. */
export const selectorsOfRecord = {
  owner: equal<string>(r.owner),
  ownerPrefix: { ...ownerBegins, read: (part: string) => ownerBegins.read(asciiLabels(part)) },
  types: {
    read: (types) => types.map((type, at) => parseField(`types.${at}`, () => recordType(type).mnemonic)),
    where: (mnemonics) => sql<boolean>`${r.type} = any(${mnemonics})`,
  } satisfies Selector<readonly string[]>,
  rdataContains: contains(data),
  noteContains: noteContains(r),
  ...partSelectors(r.owner, r.rdata, isOfHost),
};

export const records = {
  columns,
  from,
  sees: (actor) => seesZone(actor, d.userId, d.zone),
  orders: recordOrders,
  selectors: {
    ...selectorsOfRecord,
    id: equal<number>(r.id),
    zone: {
      read: (zone) => readZone(zone),
      where: (zone) =>
        sql<boolean>`${r.domainId} = (select ${domain.id} from ${domain} where ${domain.zone} = ${zone})`,
    } satisfies Selector<string>,
    userId: equal<number>(d.userId),
    labels: withLabels(d.labels),
  },
  indexed: { rdataContains: containsTrigram(data) },
  own: { columns: own, from: r },
} as const satisfies Relation<RecordRow>;

/** The selectors of records across zones, where only the trigram index has owners. */
export const selectorsAcrossZones = { ...records.selectors, owner: isLike(r.owner) };

export type RecordPageRequest = SortedRequest<keyof typeof recordOrders>;

/** A page of records for each of these domains; the owner of the filter is canonical. */
export function recordsOfDomains(
  session: Session,
  domainIds: readonly number[],
  filter: Omit<RecordFilter, "zone" | "userId" | "labels">,
  request: RecordPageRequest,
): Promise<Page<RecordRow>[]> {
  const conditions = [records.sees(session.actor), ...selected(selectorsOfRecord, filter)];
  const list = { ...records, conditions, order: recordOrdersInZone[request.order] };
  const read = (db: Carrier) => pagesOf(db, list, r.domainId, domainIds, request);
  return partsOf(filter).length > 0 ? inSearch(session, read) : read(session);
}

export async function recordById(session: Session, id: number): Promise<RecordRow> {
  const query = sql<RecordRow>`
    select ${columns} from ${from} where ${r.id} = ${id} and ${records.sees(session.actor)}`;
  const [row] = await query.run(session);
  if (!row) throw noSuch("record", id);
  return row;
}

/**
 * The zone name used to parse a relative owner, which is the same in every zone, when the filter names no zone. The name is reserved (RFC
 * 2606).
 */
const anyZone = "invalid";

/** Returns the canonical form of an owner in any spelling; throws MISSING_FIELD for an absolute owner without a zone. */
export function readOwner(owner: string, zone = anyZone): string {
  if (zone === anyZone && /[^.]\.$/.test(owner))
    throw new Refusal("MISSING_FIELD", "zone is missing; send it with an absolute owner, or a relative owner alone.", {
      field: "zone",
    });
  return parseField("owner", () => parseOwner(owner, zone));
}
