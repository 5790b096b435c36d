/**
 * The audit: who did what, with which key, from which address, and which operations were refused. The entry of a write is stored by the
 * statement or in the transaction of the write (audited.ts). A refusal stores nothing else; its entry follows soon (refusal-buffer.ts).
 * Entries are only added. They hold ids without foreign keys, and remain when the object is deleted. Refused dynamic updates have an audit
 * of their own (zone/dynamic-update/refusal-audit.ts).
 */
import { BigIntType } from "@mikro-orm/core";
import { Entity, Index, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, Int, ObjectType } from "type-graphql";
import type { Code } from "../error-codes.ts";
import { noSuch } from "../errors.ts";
import { Node } from "../graphql/scalars/node-interface.ts";
import { DateTimeScalar, ErrorCode, IdScalar } from "../graphql/scalars/scalars.ts";
import { inSearch } from "../lists/list-statement.ts";
import { byId, type CreatedRange, type Order, type Page, page, type SortedRequest } from "../lists/pagination.ts";
import { createdWithin, createdWithinIds, equal, type Selector, selected } from "../lists/relation.ts";
import { literalPattern } from "../lists/text-search.ts";
import type { Actor } from "../session/authorization.ts";
import type { Session } from "../session/session.ts";
import { type RowOf, table } from "../sql/columns.ts";
import { type Carrier, type Sql, sql } from "../sql/sql.ts";
import { isNotOfType } from "../sql/typed-ids.ts";
import { ChangeSource } from "../zone/change.ts";
import { readZone } from "../zone/domain.ts";

@ObjectType({
  description: "An entry of the audit: what a key did, or was refused.",
  implements: Node,
  simpleResolvers: true,
})
@Entity({ tableName: "audit_entry" })
@Index({ name: "audit_entry_user_id_index", properties: ["userId", "id"] })
@Index({
  name: "audit_entry_actor_user_id_index",
  expression:
    'create index "audit_entry_actor_user_id_index" on "audit_entry" ("actor_user_id", "id") where "actor_user_id" is distinct from "user_id"',
})
@Index({ name: "audit_entry_zone_index", properties: ["zone", "id"] })
@Index({ name: "audit_entry_key_id_index", properties: ["apiKeyId", "id"] })
@Index({ name: "audit_entry_operation_index", properties: ["operation", "id"] })
@Index({
  name: "audit_entry_code_index",
  expression: 'create index "audit_entry_code_index" on "audit_entry" ("code", "id") where "code" is not null',
})
@Index({
  name: "audit_entry_besides_index",
  expression: 'create index "audit_entry_besides_index" on "audit_entry" ("id") where "change_id" is null',
})
@Index({
  name: "audit_entry_besides_time_index",
  expression: 'create index "audit_entry_besides_time_index" on "audit_entry" ("created_at") where "change_id" is null',
})
@Index({
  name: "audit_entry_refused_index",
  expression: 'create index "audit_entry_refused_index" on "audit_entry" ("id") where "code" is not null',
})
@Index({
  name: "audit_entry_created_at_index",
  expression: 'create index "audit_entry_created_at_index" on "audit_entry" using brin ("created_at")',
})
export class AuditEntry {
  @Field(() => IdScalar, { description: "Its id." })
  @PrimaryKey({ type: new BigIntType("number") })
  id!: number;

  @Field(() => DateTimeScalar, { description: "When the operation was done, or was first refused." })
  @Property({ type: "datetime", columnType: "timestamptz", defaultRaw: "now()" })
  createdAt!: Date;

  @Field(() => String, {
    nullable: true,
    description:
      "The key's name and the beginning of its fingerprint, as `laptop (a0d623c6)`, or `system`. Null for a wrong key.",
  })
  @Property({ type: "text", nullable: true })
  actor?: string | null;

  @Field(() => IdScalar, {
    nullable: true,
    description: "Id of the API key; null for a TSIG key, the service itself and a wrong key.",
  })
  @Property({ type: new BigIntType("number"), nullable: true, fieldName: "key_id" })
  apiKeyId?: number | null;

  @Property({ type: new BigIntType("number"), nullable: true })
  actorUserId?: number | null;

  /** The user who owns the object of the operation. */
  @Property({ type: new BigIntType("number"), nullable: true })
  userId?: number | null;

  @Field(() => ChangeSource, { description: "The interface that it came through." })
  @Property({ type: "text", fieldName: "door" })
  source!: string;

  /** The address of the client, as rate limits see it; the schema shows it to the key's user and to administrators. */
  @Property({ type: "text", nullable: true })
  address?: string | null;

  @Field(() => String, {
    description:
      "The mutation, such as `createRecord`, also for REST. Else `update` (dynamic update), `signIn`, `signOut`, `authenticate` (a wrong key), `system` (the service itself), or the path of a REST request that was refused early.",
  })
  @Property({ type: "text" })
  operation!: string;

  @Field(() => String, {
    nullable: true,
    description: "DNS name of the zone that it was about; null without one.",
  })
  @Property({ type: "text", collation: "C", nullable: true })
  zone?: string | null;

  @Property({ type: new BigIntType("number"), nullable: true })
  changeId?: number | null;

  @Field(() => IdScalar, {
    nullable: true,
    description:
      "Id of the user, key, change set or other object that it was about, for `node`; null when it was about a zone.",
  })
  @Property({ type: new BigIntType("number"), nullable: true })
  subjectId?: number | null;

  @Field(() => ErrorCode, { nullable: true, description: "Why it was refused; null when it was done." })
  @Property({ type: "text", nullable: true })
  code?: Code | null;

  @Field(() => String, {
    nullable: true,
    description: "The input field that was wrong; null without one.",
  })
  @Property({ type: "text", nullable: true })
  field?: string | null;

  @Field(() => Int, { description: "Number of equal refusals within a second; 1 when the operation was done." })
  @Property({ type: "integer", default: 1, fieldName: "times" })
  count!: number;
}

const a = table(AuditEntry, "a");

const columns = a.columns();

export type AuditEntryRow = RowOf<typeof columns>;

/** The SQL condition that an entry is about an object of the user, or about what the user's keys did. */
const concerns = (userId: number | null) => sql<boolean>`(${a.userId} = ${userId} or ${a.actorUserId} = ${userId})`;

/** The SQL condition that the actor sees an entry; always true for an administrator. */
function seesEntry({ role, userId, zones }: Actor) {
  if (role !== "user") return sql<boolean>`true`;
  return zones ? sql<boolean>`${concerns(userId)} and ${a.zone} = any(${zones})` : concerns(userId);
}

const isOfNoSet = isNotOfType(a.subjectId, "ChangeSet");

/** A filter of entries; all given conditions must hold. `source` has the same form as in the table. */
interface AuditFilter extends CreatedRange {
  readonly userId?: number | undefined;
  readonly actor?: string | undefined;
  readonly apiKeyId?: number | undefined;
  readonly source?: string | undefined;
  readonly operation?: string | undefined;
  readonly zone?: string | undefined;
  readonly code?: Code | undefined;
  readonly refused?: boolean | undefined;
}

const ofEntry = {
  ...createdWithin(a.createdAt),
  userId: { read: (id) => id, where: concerns },
  actor: {
    read: literalPattern,
    where: (name) => sql<boolean>`(${a.actor} like ${name} or ${a.actor} like ${name} || ' (%)')`,
  },
  apiKeyId: equal(a.apiKeyId),
  source: equal(a.source),
  operation: equal(a.operation),
  zone: { read: readZone, where: (zone) => sql<boolean>`${a.zone} = ${zone}` },
  code: equal(a.code),
  refused: {
    read: (refused) => refused,
    where: (refused) => sql<boolean>`${a.code} is ${refused ? sql`not null` : sql`null`}`,
  },
} satisfies Record<"userId" | "apiKeyId", Selector<number>> &
  Record<"refused", Selector<boolean>> &
  Record<"actor" | "source" | "operation" | "zone" | "code", Selector<string>> &
  Record<keyof CreatedRange, Selector<Date>>;

export const auditOrders = {
  CREATED_DESC: byId<AuditEntryRow>("audit.CREATED_DESC", a.id, true),
  CREATED: byId<AuditEntryRow>("audit.CREATED", a.id, false),
} satisfies Record<string, Order<AuditEntryRow>>;

const besides = {
  REFUSED: sql<boolean>`${a.code} is not null`,
  ACCESS: sql<boolean>`${a.changeId} is null and ${a.code} is null and ${isOfNoSet}`,
  BOTH: sql<boolean>`${a.changeId} is null and (${a.code} is not null or ${isOfNoSet})`,
};

const e = table(AuditEntry, "earlier");
const ofBesides = createdWithinIds(a, e, sql`${e.changeId} is null`);

/** The SQL conditions of the entries within a time that are refusals, or are about neither a change nor a change set. */
export const besidesChanges = (kind: keyof typeof besides, range: CreatedRange): Sql<boolean>[] => [
  besides[kind],
  ...selected(ofBesides, range),
];

/** One page of the audit; `also` are further conditions on entry `a`. */
export function listAuditEntries(
  session: Session,
  filter: AuditFilter,
  request: SortedRequest<keyof typeof auditOrders>,
  also: readonly Sql<boolean>[] = [],
): Promise<Page<AuditEntryRow>> {
  const chosen = selected(ofEntry, filter);
  const conditions = [seesEntry(session.actor), ...chosen, ...also];
  const list = { columns, from: a, conditions, order: auditOrders[request.order] };
  const read = (db: Carrier) => page(db, list, request);
  return chosen.length > 0 ? inSearch(session, read) : read(session);
}

/** Returns the entry of this id; throws NOT_FOUND when the session sees no such entry. */
export async function auditEntryById(session: Session, id: number): Promise<AuditEntryRow> {
  const query = sql<AuditEntryRow>`select ${columns} from ${a} where ${a.id} = ${id} and ${seesEntry(session.actor)}`;
  const [row] = await query.run(session);
  if (!row) throw noSuch("audit entry", id);
  return row;
}
