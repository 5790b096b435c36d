/** A change set: edits of one or many zones that are prepared together and applied as one. Its entities and their reads. */
import { BigIntType } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, Int, ObjectType } from "type-graphql";
import { User } from "../account/user.ts";
import { ownsOrReviews } from "../account/user-reviewer.ts";
import { noSuch, type Reason } from "../errors.ts";
import { Node } from "../graphql/scalars/node-interface.ts";
import { DateTimeScalar, IdScalar, RecordTypeScalar } from "../graphql/scalars/scalars.ts";
import type { Relation } from "../lists/relation.ts";
import type { Actor } from "../session/authorization.ts";
import type { Session, Source } from "../session/session.ts";
import { type RowOf, table } from "../sql/columns.ts";
import { type Sql, sql } from "../sql/sql.ts";
import { ChangeKind } from "../zone/change.ts";
import type { AppliedTemplate } from "../zone/domain.ts";
import { ChangeSetEventKind, ChangeSetMode, ChangeSetState, OnMissed, StagedOp, ZoneOutcome } from "./states.ts";

/** The maximum number of edits in a set, in either mode. */
export const maxEdits = 1_000_000;

@ObjectType({
  description: "Edits of one or many zones that are prepared together and applied as one.",
  implements: Node,
  simpleResolvers: true,
})
@Entity({ tableName: "change_set" })
@Index({ name: "change_set_user_id_index", properties: ["user", "id"] })
@Index({ name: "change_set_updated_at_index", properties: ["updatedAt", "id"] })
@Index({
  name: "change_set_due_index",
  expression: `create index "change_set_due_index" on "change_set" ("apply_at") where "state" = 'SCHEDULED'`,
})
@Index({
  name: "change_set_applying_index",
  expression: `create index "change_set_applying_index" on "change_set" ("id") where "state" = 'APPLYING'`,
})
@Index({
  name: "change_set_untouched_index",
  expression: `create index "change_set_untouched_index" on "change_set" ("updated_at") where "state" in ('DRAFT', 'IN_REVIEW', 'APPROVED')`,
})
@Index({
  name: "change_set_ended_index",
  expression: `create index "change_set_ended_index" on "change_set" ("updated_at") where "state" in ('APPLIED', 'PARTIAL', 'CANCELLED', 'EXPIRED')`,
})
export class ChangeSet {
  @Field(() => IdScalar, { description: "Its id." })
  @PrimaryKey({ type: new BigIntType("number") })
  id!: number;

  @Field(() => String, { description: "What it is for: one line, the note of its changes." })
  @Property({ type: "text" })
  title!: string;

  @Field(() => String, { description: "What its author writes about it; it may be empty." })
  @Property({ type: "text" })
  description!: string;

  /** The user who owns the zones of the set; null if they belong to several users. Only administrators see such a set. */
  @ManyToOne(() => User, { fieldName: "user_id", nullable: true, deleteRule: "set null", index: false })
  user?: User | null;

  @Field(() => String, { description: "The name of the key that created it; the actor of its changes." })
  @Property({ type: "text" })
  author!: string;

  @Property({ type: new BigIntType("number"), nullable: true })
  authorKeyId?: number | null;

  @Field(() => ChangeSetState, { description: "The state of the change set." })
  @Property({ type: "text" })
  state!: ChangeSetState;

  @Field(() => ChangeSetMode, { description: "Whether its zones change in one step or one after the other." })
  @Property({ type: "text", default: ChangeSetMode.ALL })
  mode!: ChangeSetMode;

  @Field(() => Int, {
    description: "Grows with each edit of the change set.",
  })
  @Property({ type: "integer" })
  revision!: number;

  @Field(() => Int, { description: "How many approvals its author requests, 0 to 2." })
  @Property({ type: "integer", default: 0 })
  requestedApprovals!: number;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "When it is applied, or was to be; null without a schedule.",
  })
  @Property({ type: "datetime", columnType: "timestamptz", nullable: true })
  applyAt?: Date | null;

  @Field(() => OnMissed, {
    nullable: true,
    description: "What happens when no service runs at `applyAt`; null without a schedule.",
  })
  @Property({ type: "text", nullable: true })
  onMissed?: OnMissed | null;

  /** The key that scheduled the set, and the fingerprint that it saw. The set is applied with the rights of this key. */
  @Property({ type: new BigIntType("number"), nullable: true })
  scheduledByKeyId?: number | null;

  @Property({ type: "text", nullable: true })
  scheduledFingerprint?: string | null;

  /** Why the last scheduled or approved application failed; null if it did not fail since the last step. */
  @Property({ type: "json", columnType: "jsonb", nullable: true })
  failure?: Failure | null;

  /** Who applies the set zone by zone; null unless it is APPLYING. */
  @Property({ type: "json", columnType: "jsonb", nullable: true })
  applying?: Applying | null;

  @Field(() => DateTimeScalar, { description: "When it was created." })
  @Property({ type: "datetime", columnType: "timestamptz" })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { description: "When it was last changed." })
  @Property({ type: "datetime", columnType: "timestamptz" })
  updatedAt!: Date;

  @Field(() => DateTimeScalar, { nullable: true, description: "When it was applied; null before." })
  @Property({ type: "datetime", columnType: "timestamptz", nullable: true })
  appliedAt?: Date | null;

  @Field(() => String, { nullable: true, description: "The name of the key that applied it; null before." })
  @Property({ type: "text", nullable: true })
  appliedBy?: string | null;
}

/** The key that applies a set zone by zone, and how many approvals the set had when the application began. */
export interface Applying {
  /** Null if the service itself applies the set. */
  readonly keyId: number | null;
  readonly door: Source;
  readonly approvals: number;
}

export interface Failure {
  /** RFC 3339. */
  readonly at: string;
  readonly code: Reason["code"];
  readonly message: string;
  readonly reasons: readonly Reason[];
}

/** One zone of a change set. Other tables are referenced without foreign keys, so that the set outlives the rows that it names. */
@ObjectType({ description: "What a change set does to one zone.", simpleResolvers: true })
@Entity({ tableName: "change_set_zone" })
@Index({ name: "change_set_zone_zone_index", properties: ["zone", "changeSetId"] })
@Index({ name: "change_set_zone_domain_id_index", properties: ["domainId", "changeSetId"] })
export class ChangeSetZone {
  @PrimaryKey({ type: new BigIntType("number"), autoincrement: false })
  changeSetId!: number;

  @Field(() => String, { description: "DNS name of the zone." })
  @PrimaryKey({ type: "text", collation: "C", autoincrement: false })
  zone!: string;

  /** The domain that was staged; null for a zone that the set creates. */
  @Property({ type: new BigIntType("number"), nullable: true })
  domainId?: number | null;

  @Field(() => ChangeKind, { description: "Whether it edits, creates, deletes or restores the zone." })
  @Property({ type: "text" })
  action!: ChangeKind;

  /** The future owner of a zone that the set creates or restores. */
  @Property({ type: new BigIntType("number"), nullable: true })
  userId?: number | null;

  /** The change that the part undoes; null if it undoes several changes or no change. */
  @Property({ type: new BigIntType("number"), nullable: true })
  undoes?: number | null;

  /** The change that begins the moment to which the part returns the zone. */
  @Property({ type: new BigIntType("number"), nullable: true })
  returnsTo?: number | null;

  /** The template that the part applies. The domain remembers it after the application. */
  @Property({ type: "json", columnType: "jsonb", nullable: true })
  template?: AppliedTemplate | null;

  @Field(() => ZoneOutcome, { nullable: true, description: "The result of the application; null before." })
  @Property({ type: "text", nullable: true })
  outcome?: ZoneOutcome | null;

  @Property({ type: "json", columnType: "jsonb", nullable: true })
  reasons?: readonly Reason[] | null;

  /** The fingerprint of the part when a zone-by-zone application began. */
  @Property({ type: "text", nullable: true })
  fingerprint?: string | null;

  @Property({ type: new BigIntType("number"), nullable: true })
  changeId?: number | null;
}

/** A staged edit. Its content is canonical: the future record, or the removed record as it was. */
@ObjectType("StagedEdit", { description: "One edit of a change set.", simpleResolvers: true })
@Entity({ tableName: "change_set_edit" })
export class ChangeSetEdit {
  @PrimaryKey({ type: new BigIntType("number"), autoincrement: false })
  changeSetId!: number;

  @PrimaryKey({ type: "text", collation: "C", autoincrement: false })
  zone!: string;

  @PrimaryKey({ type: "integer", autoincrement: false })
  ordinal!: number;

  @Field(() => StagedOp, { description: "What it does." })
  @Property({ type: "text" })
  op!: StagedOp;

  @Field(() => IdScalar, {
    nullable: true,
    description: "The id of the record; null for a new one.",
  })
  @Property({ type: new BigIntType("number"), nullable: true })
  recordId?: number | null;

  /** The change that had written this version of the record when the edit was staged. */
  @Property({ type: new BigIntType("number"), nullable: true })
  baseChangeId?: number | null;

  @Field(() => String, { description: "Name of the record, relative to the zone; `@` is the apex." })
  @Property({ type: "text", collation: "C" })
  owner!: string;

  @Field(() => RecordTypeScalar, { description: "Type mnemonic, upper case." })
  @Property({ type: "text", collation: "C" })
  type!: string;

  @Field(() => Int, { nullable: true, description: "Time to live, seconds; null to take the TTL of its RRset." })
  @Property({ type: "integer", nullable: true })
  ttl?: number | null;

  @Field(() => String, { description: "Record data in canonical presentation form." })
  @Property({ type: "text" })
  rdata!: string;

  @Property({ type: "blob" })
  wire!: Buffer;

  @Property({ type: "blob" })
  digest!: Buffer;
}

/** What happened to a change set, when, and by which key; steps.ts inserts events. */
@ObjectType({ description: "Something that happened to a change set.", simpleResolvers: true })
@Entity({ tableName: "change_set_event" })
export class ChangeSetEvent {
  @PrimaryKey({ type: new BigIntType("number"), autoincrement: false })
  changeSetId!: number;

  @PrimaryKey({ type: "integer", autoincrement: false })
  ordinal!: number;

  @Field(() => ChangeSetEventKind, { description: "What happened." })
  @Property({ type: "text" })
  kind!: ChangeSetEventKind;

  @Property({ type: new BigIntType("number"), nullable: true })
  keyId?: number | null;

  @Field(() => String, { description: "The name of the key that did it." })
  @Property({ type: "text" })
  actor!: string;

  @Field(() => Int, { description: "The revision of the change set then." })
  @Property({ type: "integer" })
  revision!: number;

  /** The fingerprint of the effect that a reviewer saw, or that was scheduled or applied. */
  @Property({ type: "text", nullable: true })
  fingerprint?: string | null;

  @Field(() => String, { description: "What its actor wrote; it may be empty." })
  @Property({ type: "text" })
  text!: string;

  @Field(() => DateTimeScalar, { description: "When it happened." })
  @Property({ type: "datetime", columnType: "timestamptz" })
  createdAt!: Date;
}

const s = table(ChangeSet, "s");
const z = table(ChangeSetZone, "z");
const u = table(User, "u");

export const changeSetColumns = s.columns();

/** The columns of a zone that are staged. */
export const partColumns = ["zone", "domainId", "action", "userId", "undoes", "returnsTo", "template"] as const;

/** The columns of an edit without its set, zone and ordinal. */
export const editContent = [
  ...(["op", "recordId", "baseChangeId", "owner", "type"] as const),
  ...(["ttl", "rdata", "wire", "digest"] as const),
] as const;

export type ChangeSetRow = RowOf<typeof changeSetColumns>;

/**
 * The SQL condition that an actor sees set s. A user sees their own sets, and the sets of users for whom they are a reviewer. A key that is
 * limited to zones sees only sets in which every zone is one of these. Administrators see all sets.
 */
export function seesSet(actor: Actor): Sql<boolean> {
  const own = ownsOrReviews(actor, s.userId);
  if (!actor.zones) return own;
  return sql<boolean>`${own} and not exists (
    select from ${z} where ${z.changeSetId} = ${s.id} and not ${z.zone} = any(${actor.zones}))`;
}

export const changeSets = {
  columns: changeSetColumns,
  from: s,
  sees: seesSet,
  orders: {},
  selectors: {},
} as const satisfies Relation<ChangeSetRow>;

export async function changeSetsByIds(session: Session, ids: readonly number[]): Promise<ChangeSetRow[]> {
  const query = sql<ChangeSetRow>`select ${changeSetColumns} from ${s} where ${s.id} = any(${ids}) and ${seesSet(session.actor)}`;
  return query.run(session);
}

export async function changeSetById(session: Session, id: number): Promise<ChangeSetRow> {
  const [row] = await changeSetsByIds(session, [id]);
  if (!row) throw noSuch("change set", id);
  return row;
}

/**
 * Locks a change set until the transaction ends; throws NOT_FOUND when the session sees none with this id. The user is locked before the
 * set: the deletion of a user locks them in the same order.
 */
export async function lockChangeSet(session: Session, id: number): Promise<ChangeSetRow> {
  const holding = sql`
    select from ${u} where ${u.id} = (select ${s.userId} from ${s} where ${s.id} = ${id}) for key share`;
  await holding.run(session);
  const query = sql<ChangeSetRow>`
    select ${changeSetColumns} from ${s} where ${s.id} = ${id} and ${seesSet(session.actor)} for update`;
  const [row] = await query.run(session);
  if (!row) throw noSuch("change set", id);
  return row;
}
