/**
 * The records that changes removed and added. No content is stored twice: each present record holds the id of the change that gave it its
 * content, and the journal holds the past versions, each with the change that ended it. A change removed the versions that it ended, and
 * added the records and versions that it began.
 */
import { BigIntType } from "@mikro-orm/core";
import { Check, Entity, Index, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, Int, ObjectType } from "type-graphql";
import { IdScalar, RecordTypeScalar } from "../graphql/scalars/scalars.ts";
import { type Order, type Page, type PageRequest, pagesOf } from "../lists/pagination.ts";
import type { Relation } from "../lists/relation.ts";
import type { Session } from "../session/session.ts";
import { type Reference, type RowOf, table } from "../sql/columns.ts";
import { type Sql, sql } from "../sql/sql.ts";
import { Change } from "./change.ts";
import { ZoneRecord } from "./record.ts";
import { rdataWithSerial, wireWithSerial } from "./soa-data.ts";

/**
 * A version of a record, ended by a change that edited or removed the record. The change is referenced without a foreign key, since
 * PostgreSQL's check of each row would cost more than the row.
 */
@ObjectType("ChangedRecord", { description: "A record as a change removed or added it.", simpleResolvers: true })
@Entity({ tableName: "change_record" })
@Check({ name: "change_record_since_check", expression: "since < change_id" })
@Index({ name: "change_record_ended_index", properties: ["domainId", "changeId", "since"] })
@Index({ name: "change_record_begun_index", properties: ["domainId", "since", "sinceOrdinal"] })
@Index({ name: "change_record_rrset_index", properties: ["domainId", "owner", "type", "changeId"] })
export class ChangeRecord {
  @PrimaryKey({ type: new BigIntType("number"), autoincrement: false })
  changeId!: number;

  /** The position among the records that this change removed and added, removed ones first. */
  @PrimaryKey({ type: "integer", autoincrement: false })
  ordinal!: number;

  @Property({ type: new BigIntType("number") })
  domainId!: number;

  @Field(() => IdScalar, {
    nullable: true,
    description:
      "The id of the record; null for one that a dry run or an import adds. Not unique here: an edited record is removed and added.",
  })
  @Property({ type: new BigIntType("number") })
  recordId!: number;

  /** The change that began the version; 0 when it began before the journal. */
  @Property({ type: new BigIntType("number") })
  since!: number;

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

const c = table(Change, "c");
const r = table(ZoneRecord, "r");
const v = table(ChangeRecord, "v");

const changeRecordColumns = v.columns("ordinal", "recordId", "owner", "type", "ttl", "rdata");
const keys = v.columns("changeId", "domainId");

/**
 * The SQL of a table of the records that each change removed or added: columns of ChangeRecord without `since` and `sinceOrdinal`, and
 * `removed`. Conditions on the domain and the change use the indexes.
 */
export const changedRecords = `(
  select ${v.domainId}, ${v.changeId}, ${v.ordinal}, ${v.recordId}, ${contentOf(v, serialOf(v.changeId, c.previousSerial))}, true as removed from ${v}
  union all
  select ${v.domainId}, ${v.since}, ${v.sinceOrdinal}, ${v.recordId}, ${contentOf(v, serialOf(v.since, c.serial))}, false from ${v}
  union all
  select ${r.domainId}, ${r.changeId}, ${r.changeOrdinal}, ${r.id}, ${contentOf(r, serialOf(r.changeId, c.serial))}, false from ${r}
)`;

function serialOf(changeId: Reference<number>, serial: Reference<number | null>): string {
  return `(select ${serial} from ${c} where ${c.id} = ${changeId})`;
}

function contentOf(
  row: Pick<typeof r | typeof v, "owner" | "type" | "ttl" | "rdata" | "wire">,
  serial: string,
): string {
  const { owner, type, ttl } = row;
  return `${owner}, ${type}, ${ttl}, ${rdataWithSerial(row, serial)} as rdata, ${wireWithSerial(row, serial)} as wire`;
}

export type ChangeRecordRow = RowOf<typeof changeRecordColumns>;

/** A removed or added record of a change that was just made or only checked; the id of a new record may be unknown, null. */
export type ShownRecord = Omit<ChangeRecordRow, "ordinal" | "recordId"> & { readonly recordId: number | null };

const changeRecordOrder: Order<ChangeRecordRow> = {
  name: "change.records",
  columns: [v.ordinal],
  kinds: ["number"],
  descending: false,
  key: (row) => [row.ordinal],
};

/** The removed and added records of changes in SQL. An actor who sees a change sees its records, so there is no condition. */
export const recordsOfJournal = {
  columns: changeRecordColumns.and(keys),
  from: sql`${sql.raw(changedRecords)} v`,
  sees: () => sql<boolean>`true`,
  orders: { ORDINAL: changeRecordOrder },
  selectors: {},
} as const satisfies Relation<ChangeRecordRow & RowOf<typeof keys>>;

export const onSideOf = (removed: boolean, domainId: Sql): Sql[] => [
  removed ? sql`v.removed` : sql`not v.removed`,
  sql`${v.domainId} = ${domainId}`,
];

export function recordsOfChanges(
  session: Session,
  changeIds: readonly number[],
  removed: boolean,
  request: PageRequest,
): Promise<Page<ChangeRecordRow>[]> {
  const list = {
    columns: changeRecordColumns,
    from: recordsOfJournal.from,
    conditions: onSideOf(removed, sql`(select ${c.domainId} from ${c} where ${c.id} = parent.id)`),
    order: changeRecordOrder,
  };
  return pagesOf(session, list, v.changeId, changeIds, request);
}
