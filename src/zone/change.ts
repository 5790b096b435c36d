/**
 * A change: one committed step of a zone, serial to serial, exactly one IXFR sequence (RFC 1995): what was removed,
 * what was added, by whom, through which interface. The changes of a zone in order are its journal. Only edit/store-change.ts
 * writes it. Changes outlive their domain, so they hold its id without a foreign key.
 *
 * Nothing is stored twice: a record names the change that gave it its content, and the journal keeps the versions of
 * records that were edited or removed since. So a change removed the versions that it ended, and added the records and
 * the versions that it began.
 */
import { BigIntType } from "@mikro-orm/core";
import { Check, Entity, Index, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { sql } from "kysely";
import { Field, ID, Int, ObjectType, registerEnumType } from "type-graphql";
import { noSuch } from "../errors.ts";
import { Node } from "../node-interface.ts";
import { DateTimeScalar, RecordTypeScalar, SerialScalar } from "../scalars.ts";
import { seesZone } from "../session/authorization.ts";
import { connection, type Door, type Session } from "../session/session.ts";
import { type RowOf, table } from "../sql/columns.ts";
import { byId, type Order, type Page, type PageRequest, pagesOf } from "../sql/pagination.ts";
import { Domain } from "./domain.ts";
import { ZoneRecord } from "./record.ts";

/** What a change did to the zone as a whole. */
export enum ChangeKind {
  CREATE = "CREATE",
  EDIT = "EDIT",
  DELETE = "DELETE",
  RESTORE = "RESTORE",
}
registerEnumType(ChangeKind, {
  name: "ChangeKind",
  description: "What a change did to the zone as a whole.",
  valuesConfig: {
    CREATE: { description: "The zone was created with its default records." },
    EDIT: { description: "Records were added, edited or removed." },
    DELETE: { description: "The zone was deleted with all its records." },
    RESTORE: { description: "The deleted zone came back with all its records." },
  },
});

/** The doors by their names in the schema. */
export const ChangeDoor = {
  GRAPHQL: "graphql",
  REST: "rest",
  CONSOLE: "console",
  UPDATE: "update",
  IMPORT: "import",
  SYSTEM: "system",
} as const satisfies Record<string, Door>;
registerEnumType(ChangeDoor, {
  name: "Door",
  description: "The interface that a change came through.",
  valuesConfig: {
    GRAPHQL: { description: "GraphQL." },
    REST: { description: "A REST path, the import of a master file aside." },
    CONSOLE: { description: "A browser in which somebody signed in, such as the console, by GraphQL or REST." },
    UPDATE: { description: "A dynamic update (RFC 2136)." },
    IMPORT: { description: "The import of a master file." },
    SYSTEM: { description: "The service itself, such as a change of the catalog." },
  },
});

@ObjectType({
  description: "One committed step of a zone, from one serial to the next.",
  implements: Node,
  simpleResolvers: true,
})
@Entity({ tableName: "change" })
@Index({ name: "change_domain_id_id_index", properties: ["domainId", "id"] })
@Index({ name: "change_actor_index", properties: ["actor", "id"] })
@Index({ name: "change_door_index", properties: ["door", "id"] })
@Index({ name: "change_created_at_index", properties: ["createdAt"] })
@Index({
  name: "change_change_set_index",
  expression: 'create index "change_change_set_index" on "change" ("change_set_id") where "change_set_id" is not null',
})
export class Change {
  @Field(() => ID, { description: "Number from 10^15 up, below 2^53; REST sends it as X-Change-Id." })
  @PrimaryKey({ type: new BigIntType("number") })
  id!: number;

  @Property({ type: new BigIntType("number") })
  domainId!: number;

  @Field(() => String, { description: "DNS name of the zone that changed." })
  @Property({ type: "text", collation: "C" })
  zone!: string;

  @Field(() => ChangeKind, { description: "What the change did to the zone as a whole." })
  @Property({ type: "text" })
  kind!: ChangeKind;

  @Field(() => SerialScalar, {
    nullable: true,
    description: "Serial before the change; null when the zone was created or restored.",
  })
  @Property({ type: new BigIntType("number"), nullable: true })
  previousSerial?: number | null;

  @Field(() => SerialScalar, { description: "Serial after the change; of a deletion, the last one served." })
  @Property({ type: new BigIntType("number") })
  serial!: number;

  @Field(() => String, {
    description:
      "Who made it: the name of the key and the beginning of its fingerprint, as `laptop (a0d623c6)`, or `system`.",
  })
  @Property({ type: "text" })
  actor!: string;

  @Field(() => ChangeDoor, { description: "The interface it came through." })
  @Property({ type: "text" })
  door!: string;

  @Field(() => String, { nullable: true, description: "Why it was made, as its author wrote it; null without a note." })
  @Property({ type: "text", nullable: true })
  note?: string | null;

  /** The change set that it is part of; null of a change by itself. */
  @Property({ type: new BigIntType("number"), nullable: true })
  changeSetId?: number | null;

  /** The change that it reverted; null when it reverted none. */
  @Property({ type: new BigIntType("number"), nullable: true })
  undoes?: number | null;

  /** The change that made the zone what this one made it again; null when it went back to none. */
  @Property({ type: new BigIntType("number"), nullable: true })
  returnsTo?: number | null;

  @Field(() => DateTimeScalar, { description: "When the change was committed." })
  @Property({ type: "datetime", columnType: "timestamptz", defaultRaw: "now()" })
  createdAt!: Date;
}

/**
 * A version of a record that a change has ended: the record was edited or removed. `wire` is as in the record. The change
 * is held without a foreign key: a check of every row by PostgreSQL would cost more than the row.
 */
@ObjectType("ChangedRecord", { description: "A record as a change removed or added it.", simpleResolvers: true })
@Entity({ tableName: "change_record" })
@Check({ name: "change_record_since_check", expression: "since < change_id" })
@Index({ name: "change_record_ended_index", properties: ["domainId", "changeId", "since"] })
@Index({ name: "change_record_begun_index", properties: ["domainId", "since", "sinceOrdinal"] })
@Index({ name: "change_record_rrset_index", properties: ["domainId", "owner", "type", "changeId"] })
export class ChangeRecord {
  /** The change that ended it. */
  @PrimaryKey({ type: new BigIntType("number"), autoincrement: false })
  changeId!: number;

  /** Its place among the records that this change removed and added, the removed first. */
  @PrimaryKey({ type: "integer", autoincrement: false })
  ordinal!: number;

  @Property({ type: new BigIntType("number") })
  domainId!: number;

  @Field(() => ID, {
    nullable: true,
    description:
      "The id of the record, which it keeps while it is edited; null of a record that a dry run or an import would add or has added. " +
      "Not an identity of this object: a change may remove and add the same record.",
  })
  @Property({ type: new BigIntType("number") })
  recordId!: number;

  /** The change that began it; 0 when that was before the journal. */
  @Property({ type: new BigIntType("number") })
  since!: number;

  /** Its place among the records that the change `since` removed and added. */
  @Property({ type: "integer" })
  sinceOrdinal!: number;

  @Field(() => String, { description: "Name of the record, relative to the zone; `@` is the apex." })
  @Property({ type: "text", collation: "C" })
  owner!: string;

  @Field(() => RecordTypeScalar, { description: "Type mnemonic, upper case." })
  @Property({ type: "text", collation: "C" })
  type!: string;

  @Field(() => Int, { description: "Time to live, seconds, 0…2147483647." })
  @Property({ type: "integer" })
  ttl!: number;

  @Field(() => String, { description: "Record data in canonical presentation form." })
  @Property({ type: "text" })
  rdata!: string;

  @Property({ type: "blob" })
  wire!: Buffer;
}

/**
 * A zone that was deleted: one that is created under the name again starts above its last serial, and only for its last
 * user while the name is kept. There may be no such user any more; the user of a catalog is null.
 */
@ObjectType({
  description:
    "A zone that was deleted. Its journal is kept, so that it can be looked at and brought back by restoreDomain.",
  simpleResolvers: true,
})
@Entity({ tableName: "deleted_domain" })
@Index({ name: "deleted_domain_zone_index", properties: ["zone", "deletedAt"] })
@Index({
  name: "deleted_domain_reverse_index",
  expression: 'create index "deleted_domain_reverse_index" on "deleted_domain" (reverse("zone") collate "C")',
})
export class DeletedDomain {
  @PrimaryKey({ type: new BigIntType("number"), autoincrement: false })
  id!: number;

  @Field(() => String, { description: "DNS name of the zone: lower case, A-labels (RFC 5890), no trailing dot." })
  @Property({ type: "text", collation: "C" })
  zone!: string;

  @Field(() => SerialScalar, { description: "The last SOA serial of the zone." })
  @Property({ type: new BigIntType("number") })
  serial!: number;

  @Property({ type: new BigIntType("number"), nullable: true })
  userId?: number | null;

  @Field(() => DateTimeScalar, { description: "When the domain was deleted." })
  @Property({ type: "datetime", columnType: "timestamptz", defaultRaw: "now()" })
  deletedAt!: Date;
}

const c = table(Change, "c");
const d = table(Domain, "d");
const x = table(DeletedDomain, "x");
const r = table(ZoneRecord, "r");
const v = table(ChangeRecord, "v");

/** The columns of change c: all that a `ChangeRow` holds. */
export const changeColumns = c.columns();

/** A change as it is read: a plain row. */
export type ChangeRow = RowOf<typeof changeColumns>;

const changeRecordColumns = v.columns("ordinal", "recordId", "owner", "type", "ttl", "rdata");

/**
 * The records that each change removed and added, as a table for SQL that has the columns of a ChangeRecord, what a
 * record was before aside, and `removed`. Conditions on the domain and the change lead to its indexes.
 */
export const changedRecords = `(
  select ${v.domainId}, ${v.changeId}, ${v.ordinal}, ${v.recordId}, ${contentOf(v)}, true as removed from ${v}
  union all select ${v.domainId}, ${v.since}, ${v.sinceOrdinal}, ${v.recordId}, ${contentOf(v)}, false from ${v}
  union all select ${r.domainId}, ${r.changeId}, ${r.changeOrdinal}, ${r.id}, ${contentOf(r)}, false from ${r}
)`;

function contentOf({
  owner,
  type,
  ttl,
  rdata,
  wire,
}: Pick<typeof r | typeof v, "owner" | "type" | "ttl" | "rdata" | "wire">) {
  return `${owner}, ${type}, ${ttl}, ${rdata}, ${wire}`;
}

/** A removed or added record as it is read. */
export type ChangeRecordRow = RowOf<typeof changeRecordColumns>;

/** A removed or added record of a change that was just made, or only checked: the id of one that is new may not be known. */
export type ShownRecord = Omit<ChangeRecordRow, "ordinal" | "recordId"> & { readonly recordId: number | null };

/** A change belongs to the domain's present user, or to the last one of a deleted domain. */
export const changesWithUsers = sql`${c} left join ${d} on ${d.id} = ${c.domainId} left join ${x} on ${x.id} = ${c.domainId}`;
export const userOfChange = sql`coalesce(${d.userId}, ${x.userId})`;

/** The orders a list of changes can have. */
export const changeOrders = {
  NEWEST: byId<ChangeRow>("change.NEWEST", c.id, true),
  OLDEST: byId<ChangeRow>("change.OLDEST", c.id, false),
} satisfies Record<string, Order<ChangeRow>>;

/** The change of this id; NOT_FOUND when the session sees no such change. */
export async function changeById(session: Session, id: number): Promise<ChangeRow> {
  const query = sql<ChangeRow>`
    select ${changeColumns} from ${changesWithUsers} where ${c.id} = ${id} and ${seesZone(session.actor, userOfChange, c.zone)}`;
  const [row] = (await query.execute(connection(session))).rows;
  if (!row) throw noSuch("change", id);
  return row;
}

/** The changes of these ids that the session sees, in their order. */
export async function changesByIds(session: Session, ids: readonly number[]): Promise<ChangeRow[]> {
  const query = sql<ChangeRow>`
    select ${changeColumns} from ${changesWithUsers} where ${c.id} = any(${ids}) and ${seesZone(session.actor, userOfChange, c.zone)}
    order by ${c.id}`;
  return (await query.execute(connection(session))).rows;
}

const changeRecordOrder: Order<ChangeRecordRow> = {
  name: "change.records",
  columns: [v.ordinal],
  kinds: ["number"],
  descending: false,
  key: (row) => [row.ordinal],
};

/** The same page of the records that each of these changes removed, or of those it added. */
export function recordsOfChanges(
  session: Session,
  changeIds: readonly number[],
  removed: boolean,
  request: PageRequest,
): Promise<Page<ChangeRecordRow>[]> {
  const list = {
    columns: changeRecordColumns,
    from: sql`${sql.raw(changedRecords)} v`,
    conditions: [
      removed ? sql`v.removed` : sql`not v.removed`,
      sql`${v.domainId} = (select ${c.domainId} from ${c} where ${c.id} = parent.id)`,
    ],
    order: changeRecordOrder,
  };
  return pagesOf(connection(session), list, v.changeId, changeIds, request);
}
