/**
 * A change: one committed step of a zone from one serial to the next, which is one IXFR sequence (RFC 1995). The changes of a zone, in
 * order, are its journal; change-record.ts has the records. edit/store-change.ts alone writes changes. Changes outlive their domain, so
 * they reference it without a foreign key.
 */
import { BigIntType } from "@mikro-orm/core";
import { Entity, Index, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, ObjectType, registerEnumType } from "type-graphql";
import type { ReviewPolicy } from "../account/review-policy.ts";
import { noSuch } from "../errors.ts";
import { enumType } from "../graphql/scalars/enum-type.ts";
import { Node } from "../graphql/scalars/node-interface.ts";
import { DateTimeScalar, IdScalar, SerialScalar } from "../graphql/scalars/scalars.ts";
import { byId, type Order } from "../lists/pagination.ts";
import { equal, type Relation } from "../lists/relation.ts";
import { seesZone } from "../session/authorization.ts";
import type { Session, Source } from "../session/session.ts";
import { Reference, type RowOf, table } from "../sql/columns.ts";
import { sql } from "../sql/sql.ts";
import { type AppliedTemplate, Domain } from "./domain.ts";
import { ZoneHistory } from "./zone-history.ts";

export const ChangeKind = enumType("ChangeKind", "What a change does to the zone as a whole.", {
  CREATE: "The zone is created.",
  EDIT: "Records are added, edited or removed.",
  DELETE: "The zone is deleted with all its records.",
  RESTORE: "The deleted zone comes back with all its records.",
});
export type ChangeKind = keyof typeof ChangeKind;

export const ChangeSource = {
  GRAPHQL: "graphql",
  REST: "rest",
  CONSOLE: "console",
  UPDATE: "update",
  IMPORT: "import",
  SYSTEM: "system",
} as const satisfies Record<string, Source>;
registerEnumType(ChangeSource, {
  name: "ChangeSource",
  description: "The interface that a change came through.",
  valuesConfig: {
    GRAPHQL: { description: "GraphQL, which the command line speaks too." },
    REST: { description: "A REST path, except the import of a master file." },
    CONSOLE: { description: "A browser in which somebody signed in, such as the console." },
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
@Index({ name: "change_door_index", properties: ["source", "id"] })
@Index({ name: "change_created_at_index", properties: ["createdAt"] })
@Index({ name: "change_serial_index", properties: ["serial", "id"] })
@Index({
  name: "change_note_index",
  expression:
    'create index "change_note_index" on "change" using gin (lower("note") gin_trgm_ops) where "note" is not null',
})
@Index({
  name: "change_change_set_id_index",
  expression:
    'create index "change_change_set_id_index" on "change" ("change_set_id", "id") where "change_set_id" is not null',
})
@Index({
  name: "change_undoes_index",
  expression: 'create index "change_undoes_index" on "change" ("undoes", "id") where "undoes" is not null',
})
export class Change {
  @Field(() => IdScalar, { description: "Its id; REST sends it as X-Change-Id." })
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
    description: "Serial before the change; null for a creation or restoration.",
  })
  @Property({ type: new BigIntType("number"), nullable: true })
  previousSerial?: number | null;

  @Field(() => SerialScalar, { description: "Serial after the change; of a deletion, the last one served." })
  @Property({ type: new BigIntType("number") })
  serial!: number;

  @Field(() => String, {
    description:
      "Who made it: the key's name and the beginning of its fingerprint, as `laptop (a0d623c6)`, or `system`. For a change set, its author.",
  })
  @Property({ type: "text" })
  actor!: string;

  @Field(() => String, {
    nullable: true,
    description: "Who applied the change set that it is part of; null without a change set.",
  })
  @Property({ type: "text", nullable: true })
  appliedBy?: string | null;

  @Field(() => ChangeSource, { description: "The interface that it came through." })
  @Property({ type: "text", fieldName: "door" })
  source!: string;

  @Field(() => String, { nullable: true, description: "Why it was made, as its author wrote it; null without a note." })
  @Property({ type: "text", nullable: true })
  note?: string | null;

  @Property({ type: new BigIntType("number"), nullable: true })
  changeSetId?: number | null;

  @Property({ type: new BigIntType("number"), nullable: true })
  undoes?: number | null;

  /** The earlier change to whose moment this change returned the zone. */
  @Property({ type: new BigIntType("number"), nullable: true })
  returnsTo?: number | null;

  @Field(() => DateTimeScalar, { description: "When the change was committed." })
  @Property({ type: "datetime", columnType: "timestamptz", defaultRaw: "now()" })
  createdAt!: Date;
}

/**
 * A deleted zone. A new zone of the same name starts above its last serial, and belongs to the same user while the name is reserved. That
 * user may no longer exist; it is null for a catalog.
 */
@ObjectType({
  description: "A deleted zone with its journal; restoreDomain brings it back.",
  implements: ZoneHistory,
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

  /** When the domain was created; null for one that an earlier version deleted and whose journal is gone. */
  @Property({ type: "datetime", columnType: "timestamptz", nullable: true, hidden: true })
  createdAt?: Date | null;

  @Field(() => DateTimeScalar, { description: "When the domain was deleted." })
  @Property({ type: "datetime", columnType: "timestamptz", defaultRaw: "now()" })
  deletedAt!: Date;

  @Property({ type: "text", nullable: true })
  review?: ReviewPolicy | null;

  @Property({ type: "json", columnType: "jsonb", defaultRaw: "'{}'", hidden: true })
  labels!: Readonly<Record<string, string>>;

  @Property({ type: "json", columnType: "jsonb", nullable: true, hidden: true })
  template?: AppliedTemplate | null;
}

const c = table(Change, "c");
const u = table(Change, "u");
const d = table(Domain, "d");
const x = table(DeletedDomain, "x");

export const changeColumns = c.columns();

export type ChangeRow = RowOf<typeof changeColumns>;

/** A change belongs to the present user of its domain, or to the last user of a deleted domain. */
export const usersOfChanges = sql`left join ${d} on ${d.id} = ${c.domainId} left join ${x} on ${x.id} = ${c.domainId}`;
export const changesWithUsers = sql`${c} ${usersOfChanges}`;
export const userOfChange = sql`coalesce(${d.userId}, ${x.userId})`;

export const changeOrders = {
  CREATED_DESC: byId<ChangeRow>("change.CREATED_DESC", c.id, true),
  CREATED: byId<ChangeRow>("change.CREATED", c.id, false),
} satisfies Record<string, Order<ChangeRow>>;

export const changes = {
  columns: changeColumns,
  from: changesWithUsers,
  sees: (actor) => seesZone(actor, userOfChange, c.zone),
  orders: changeOrders,
  selectors: { id: equal<number>(c.id) },
} as const satisfies Relation<ChangeRow>;

export async function changeById(session: Session, id: number): Promise<ChangeRow> {
  const [row] = await changesByIds(session, [id]);
  if (!row) throw noSuch("change", id);
  return row;
}

export async function changesByIds(session: Session, ids: readonly number[]): Promise<ChangeRow[]> {
  const query = sql<ChangeRow>`
    select ${changeColumns} from ${changesWithUsers} where ${c.id} = any(${ids}) and ${changes.sees(session.actor)}
    order by ${c.id}`;
  return query.run(session);
}

/** The id of the last change that undid change c; null without one. */
export const undoneByOfChange = new Reference<number | null>(
  `(select max(${u.id}) from ${u} where ${u.undoes} = ${c.id})`,
);

/** The last changes that undid these changes, by the change that they undid. */
export async function changesUndoing(
  session: Session,
  ids: readonly number[],
): Promise<ReadonlyMap<number, ChangeRow>> {
  const query = sql<ChangeRow>`
    select distinct on (${c.undoes}) ${changeColumns} from ${changesWithUsers}
    where ${c.undoes} = any(${ids}::bigint[]) and ${changes.sees(session.actor)} order by ${c.undoes}, ${c.id} desc`;
  return new Map((await query.run(session)).map((row) => [row.undoes as number, row]));
}

/** The last serial of the latest deleted zone of this name; undefined without one. */
export async function lastSerialOfName(session: Session, zone: string): Promise<number | undefined> {
  const query = sql<{ serial: number }>`
    select ${x.serial} from ${x} where ${x.zone} = ${zone} order by ${x.deletedAt} desc, ${x.id} desc limit 1`;
  return (await query.run(session))[0]?.serial;
}
