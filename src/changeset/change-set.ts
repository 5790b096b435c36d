/**
 * A change set: edits of one or many zones that are prepared together, looked at as they would change the present, and applied as one.
 * This file holds the nouns and their reads; stage.ts writes the edits, apply.ts applies them.
 */
import { BigIntType } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, Int, ObjectType } from "type-graphql";
import { User } from "../account/user.ts";
import { ownsOrReviews } from "../account/user-reviewer.ts";
import { noSuch, type Reason } from "../errors.ts";
import { Node } from "../node-interface.ts";
import { DateTimeScalar, IdScalar, RecordTypeScalar } from "../scalars.ts";
import type { Actor } from "../session/authorization.ts";
import type { Session, Source } from "../session/session.ts";
import { type RowOf, table } from "../sql/columns.ts";
import { type Sql, sql } from "../sql/sql.ts";
import { ChangeKind } from "../zone/change.ts";
import type { AppliedTemplate } from "../zone/domain.ts";
import { ChangeSetMode, ChangeSetState, OnMissed, StagedOp, ZoneOutcome } from "./states.ts";

/** Edits that a set has at most, however it is applied. */
export const maxEdits = 1_000_000;

@ObjectType({
  description: "Edits of one or many zones that are prepared together and applied as one.",
  implements: Node,
  simpleResolvers: true,
})
@Entity({ tableName: "change_set" })
@Index({ name: "change_set_user_id_index", properties: ["user", "id"] })
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

  /** The user whose zones are in it; null of one over the zones of several users, which only administrators see. */
  @ManyToOne(() => User, { fieldName: "user_id", nullable: true, deleteRule: "set null", index: false })
  user?: User | null;

  @Field(() => String, { description: "The name of the key that created it; the actor of its changes." })
  @Property({ type: "text" })
  author!: string;

  @Property({ type: new BigIntType("number"), nullable: true })
  authorKeyId?: number | null;

  @Field(() => ChangeSetState, { description: "Where it is between its beginning and its end." })
  @Property({ type: "text" })
  state!: ChangeSetState;

  @Field(() => ChangeSetMode, { description: "How its zones belong together when it is applied." })
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

  /** The key by whose right it is applied at its time, and what it did when that key looked at it. */
  @Property({ type: new BigIntType("number"), nullable: true })
  scheduledByKeyId?: number | null;

  @Property({ type: "text", nullable: true })
  scheduledFingerprint?: string | null;

  /** Why it was not applied as scheduled or approved; null if that did not happen since its last step. */
  @Property({ type: "json", columnType: "jsonb", nullable: true })
  failure?: Failure | null;

  /** By whose right its zones are changed one after the other; null unless they are just now. */
  @Property({ type: "json", columnType: "jsonb", nullable: true })
  applying?: Applying | null;

  @Field(() => DateTimeScalar, { description: "When it was created." })
  @Property({ type: "datetime", columnType: "timestamptz" })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { description: "When something was last done with it." })
  @Property({ type: "datetime", columnType: "timestamptz" })
  updatedAt!: Date;

  @Field(() => DateTimeScalar, { nullable: true, description: "When it was applied; null before." })
  @Property({ type: "datetime", columnType: "timestamptz", nullable: true })
  appliedAt?: Date | null;

  @Field(() => String, { nullable: true, description: "The name of the key that applied it; null before." })
  @Property({ type: "text", nullable: true })
  appliedBy?: string | null;
}

/** By whose right a set is applied zone by zone, and with how many approvals. */
export interface Applying {
  /** Null of the service itself. */
  readonly keyId: number | null;
  readonly door: Source;
  readonly approvals: number;
}

/** Why a set was not applied. */
export interface Failure {
  /** RFC 3339. */
  readonly at: string;
  readonly code: Reason["code"];
  readonly message: string;
  readonly reasons: readonly Reason[];
}

/** One zone of a change set. Ids of other tables are held without foreign keys, so that the set outlives what it is about. */
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

  /** The domain that the edits were staged for; null of one that is to be created. */
  @Property({ type: new BigIntType("number"), nullable: true })
  domainId?: number | null;

  @Field(() => ChangeKind, { description: "What it does to the zone as a whole." })
  @Property({ type: "text" })
  action!: ChangeKind;

  /** The user who will own a zone that is to be created. */
  @Property({ type: new BigIntType("number"), nullable: true })
  userId?: number | null;

  /** The change that it undoes; null when it undoes none, or several. */
  @Property({ type: new BigIntType("number"), nullable: true })
  undoes?: number | null;

  /** The change that made the zone what it makes it again. */
  @Property({ type: new BigIntType("number"), nullable: true })
  returnsTo?: number | null;

  /** The template that it applies, which the domain remembers then. */
  @Property({ type: "json", columnType: "jsonb", nullable: true })
  template?: AppliedTemplate | null;

  @Field(() => ZoneOutcome, { nullable: true, description: "The result of the application; null before." })
  @Property({ type: "text", nullable: true })
  outcome?: ZoneOutcome | null;

  /** Why it was refused. */
  @Property({ type: "json", columnType: "jsonb", nullable: true })
  reasons?: readonly Reason[] | null;

  /** What was to be done to the zone when the application began that goes zone by zone. */
  @Property({ type: "text", nullable: true })
  fingerprint?: string | null;

  @Property({ type: new BigIntType("number"), nullable: true })
  changeId?: number | null;
}

/** A staged edit. The content is canonical: what a record will be, or of one that is removed, what it was. */
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

  /** The change that had made the record what it was when the edit was staged. */
  @Property({ type: new BigIntType("number"), nullable: true })
  baseChangeId?: number | null;

  @Field(() => String, { description: "Name of the record, relative to the zone; `@` is the apex." })
  @Property({ type: "text", collation: "C" })
  owner!: string;

  @Field(() => RecordTypeScalar, { description: "Type mnemonic, upper case." })
  @Property({ type: "text", collation: "C" })
  type!: string;

  @Field(() => Int, { nullable: true, description: "Time to live, seconds; null where it takes that of its RRset." })
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

const s = table(ChangeSet, "s");
const z = table(ChangeSetZone, "z");
const u = table(User, "u");

/** The columns of set s that a `ChangeSetRow` holds. */
export const changeSetColumns = s.columns();

/** A change set as it is read: a plain row. */
export type ChangeSetRow = RowOf<typeof changeSetColumns>;

/**
 * The SQL condition that an actor sees set s: those of its user or of one whom it reviews, and only those over zones that its key is for;
 * administrators see all.
 */
export function seesSet(actor: Actor): Sql<boolean> {
  const own = ownsOrReviews(actor, s.userId);
  if (!actor.zones) return own;
  return sql<boolean>`${own} and not exists (
    select from ${z} where ${z.changeSetId} = ${s.id} and not ${z.zone} = any(${actor.zones}))`;
}

/** The change sets of these ids that the session sees, in any order. */
export async function changeSetsByIds(session: Session, ids: readonly number[]): Promise<ChangeSetRow[]> {
  const query = sql<ChangeSetRow>`select ${changeSetColumns} from ${s} where ${s.id} = any(${ids}) and ${seesSet(session.actor)}`;
  return query.run(session);
}

/** The change set of this id; NOT_FOUND when the session sees none. */
export async function changeSetById(session: Session, id: number): Promise<ChangeSetRow> {
  const [row] = await changeSetsByIds(session, [id]);
  if (!row) throw noSuch("change set", id);
  return row;
}

/**
 * Locks a change set until the transaction ends; NOT_FOUND when the session sees none. Its user is held before it: so whoever deletes a user,
 * and takes the user from the sets, has them in the same order.
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
