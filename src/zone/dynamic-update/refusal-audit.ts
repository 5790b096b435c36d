/**
 * The audit of refused dynamic updates. The newest hundred refusals of each zone are kept, also after its deletion, and the newest
 * thousand of names that are not zones here.
 */
import { BigIntType } from "@mikro-orm/core";
import { Entity, Index, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, ObjectType, registerEnumType } from "type-graphql";
import type { Rcode } from "../../dns/message/header.ts";
import type { Code } from "../../error-codes.ts";
import { Refusal } from "../../errors.ts";
import { enumType } from "../../graphql/scalars/enum-type.ts";
import { Node } from "../../graphql/scalars/node-interface.ts";
import { DateTimeScalar, ErrorCode, IdScalar } from "../../graphql/scalars/scalars.ts";
import { byId, type CreatedRange, type Page, type PageRequest, page } from "../../lists/pagination.ts";
import { createdWithinIds, selected } from "../../lists/relation.ts";
import { noteEvents } from "../../outbox/outbox.ts";
import { type Actor, seesOwn, seesZone } from "../../session/authorization.ts";
import type { Session } from "../../session/session.ts";
import { transaction } from "../../session/transaction.ts";
import { type RowOf, table } from "../../sql/columns.ts";
import { sql } from "../../sql/sql.ts";
import { TextArrayType } from "../../sql/text-array.ts";
import { DeletedDomain } from "../change.ts";
import { Domain, readZone } from "../domain.ts";

const Protocol = { UDP: "udp", TCP: "tcp" } as const;
registerEnumType(Protocol, {
  name: "TransportProtocol",
  description: "Transport of a DNS message.",
  valuesConfig: {
    UDP: { description: "A datagram (RFC 1035 §4.2.1)." },
    TCP: { description: "A connection (RFC 7766)." },
  },
});

const UpdateRcode = enumType("Rcode", "The answer to a dynamic update (RFC 2136 §2.2).", {
  FORMERR: "The message is malformed.",
  SERVFAIL: "The service failed. The client may try again.",
  NXDOMAIN: "A name that must exist does not.",
  NOTIMP: "The service does not do this.",
  REFUSED: "A rule of the service refuses it.",
  YXDOMAIN: "A name that must not exist does.",
  YXRRSET: "An RRset that must not exist does.",
  NXRRSET: "An RRset that must exist does not.",
  NOTAUTH: "The zone is not here, or the signature is not accepted.",
  NOTZONE: "A name is not in the zone.",
} satisfies Partial<Record<keyof typeof Rcode, string>>);

@ObjectType({ description: "A dynamic update (RFC 2136) that was refused.", implements: Node, simpleResolvers: true })
@Entity({ tableName: "update_refusal" })
@Index({ name: "update_refusal_domain_id_id_index", properties: ["domainId", "id"] })
@Index({ name: "update_refusal_created_at_index", properties: ["createdAt"] })
export class UpdateRefusal {
  @Field(() => IdScalar, { description: "Its id." })
  @PrimaryKey({ type: new BigIntType("number") })
  id!: number;

  /** The domain, which may be deleted and restored with this id; null for a name that was no zone here. */
  @Property({ type: new BigIntType("number"), nullable: true })
  domainId?: number | null;

  @Field(() => String, { description: "The zone, as the client wrote it." })
  @Property({ type: "text" })
  zone!: string;

  @Field(() => ErrorCode, { description: "The code that a mutation would be refused with." })
  @Property({ type: "text" })
  code!: Code;

  @Field(() => UpdateRcode, { description: "The answer to the client." })
  @Property({ type: "text" })
  rcode!: string;

  @Field(() => String, { description: "The rule that refused it." })
  @Property({ type: "text" })
  reason!: string;

  @Field(() => String, { description: "The client's address." })
  @Property({ type: "text" })
  address!: string;

  @Field(() => Protocol, { description: "The transport." })
  @Property({ type: "text" })
  protocol!: string;

  @Field(() => String, { nullable: true, description: "Name of the TSIG key; null when it was not signed." })
  @Property({ type: "text", nullable: true })
  keyName?: string | null;

  @Field(() => String, {
    nullable: true,
    description: "Algorithm of the signature, as the client named it; null when it was not signed.",
  })
  @Property({ type: "text", fieldName: "algorithm", nullable: true })
  keyAlgorithm?: string | null;

  @Field(() => [String], { description: "The request: a line for each prerequisite and update, the first twenty." })
  @Property({ type: new TextArrayType(), fieldName: "asked" })
  requestLines!: string[];

  @Field(() => DateTimeScalar, { description: "When it was refused." })
  @Property({ type: "datetime", columnType: "timestamptz", defaultRaw: "now()" })
  createdAt!: Date;
}

const r = table(UpdateRefusal, "r");
const d = table(Domain, "d");
const x = table(DeletedDomain, "x");
const columns = r.columns();

export type UpdateRefusalRow = RowOf<typeof columns>;

export type RefusedUpdate = Omit<UpdateRefusalRow, "id" | "domainId" | "createdAt">;

const kept = { zone: 100, elsewhere: 1000 };

export function noteRefusedUpdate(session: Session, refused: RefusedUpdate): Promise<void> {
  return transaction(session, (inner) => storeRefusal(inner, refused));
}

async function storeRefusal(session: Session, refused: RefusedUpdate): Promise<void> {
  const { em, now } = session;
  const { zone, code, rcode, reason, address, protocol, keyName, keyAlgorithm, requestLines } = refused;
  const domain = await em.findOne(Domain, { zone, user: { $ne: null } });
  const domainId = domain?.id ?? null;
  await em.insert(UpdateRefusal, {
    ...{ domainId, zone, code, rcode, reason, address, protocol, keyName, keyAlgorithm },
    ...{ requestLines: [...requestLines], createdAt: now() },
  });
  const offset = domain ? kept.zone : kept.elsewhere;
  const [surplus] = await em.find(UpdateRefusal, { domainId }, { orderBy: { id: "desc" }, offset, limit: 1 });
  if (surplus) await em.nativeDelete(UpdateRefusal, { domainId, id: { $lte: surplus.id } });
  const userId = domain?.user?.id ?? null;
  const data = {
    ...{ zone, userId: userId === null ? null : String(userId), code, rcode, reason, address, protocol, keyName },
  };
  await noteEvents(session, [{ event: "update.refused", userId, ...(domain ? { zone } : { zones: null }), data }]);
}

/** Deletes the refusals of deleted domains whose history is removed. */
export async function forgetRefusals(session: Session, domainIds: readonly number[]): Promise<void> {
  await sql`delete from ${r} where ${r.domainId} = any(${domainIds})`.run(session);
}

const from = sql`${r} left join ${d} on ${d.id} = ${r.domainId} left join ${x} on ${x.id} = ${r.domainId}`;
const userOfRefusal = sql`coalesce(${d.userId}, ${x.userId})`;
const zoneOfRefusal = sql`coalesce(${d.zone}, ${x.zone})`;

/** The SQL condition that the actor sees a refusal: a user sees those of the user's zones, including deleted ones. */
const seesRefusal = (actor: Actor) =>
  actor.zones ? seesZone(actor, userOfRefusal, zoneOfRefusal) : seesOwn(actor, userOfRefusal);

export async function updateRefusalById(session: Session, id: number): Promise<UpdateRefusalRow> {
  const query = sql<UpdateRefusalRow>`
    select ${columns} from ${from} where ${r.id} = ${id} and ${seesRefusal(session.actor)}`;
  const [row] = await query.run(session);
  if (!row) throw new Refusal("NOT_FOUND", `There is no refused update ${id}.`, { field: "id" });
  return row;
}

const newest = byId<UpdateRefusalRow>("updateRefusals", r.id, true);

const ofTimes = createdWithinIds(r, table(UpdateRefusal, "earlier"));

/**
 * One page of the refused updates, newest first: all for an administrator, those of the user's zones, including deleted ones, for a user.
 */
export function listUpdateRefusals(
  session: Session,
  filter: CreatedRange & { readonly zone?: string | undefined; readonly keyName?: string | undefined },
  request: PageRequest,
): Promise<Page<UpdateRefusalRow>> {
  const conditions = [seesRefusal(session.actor), ...selected(ofTimes, filter)];
  if (filter.zone !== undefined) conditions.push(sql<boolean>`${r.zone} = ${readZone(filter.zone)}`);
  if (filter.keyName !== undefined) conditions.push(sql<boolean>`${r.keyName} = ${filter.keyName}`);
  return page(session, { columns, from, conditions, order: newest }, request);
}

/** The newest refusal of a key for a reason, with the number of such refusals and the time of the first one. */
export type RepeatedRefusal = UpdateRefusalRow & { readonly count: number; readonly first: Date };

/** The refusals since a time that the session sees, folded by key and code; those that happened at least `fewest` times, most first. */
export function repeatedRefusals(
  session: Session,
  { since, fewest, limit }: { readonly since: Date; readonly fewest: number; readonly limit: number },
): Promise<RepeatedRefusal[]> {
  const query = sql<RepeatedRefusal>`
    select ${columns}, f.count, f.first from (
      select max(${r.id}) as id, count(*)::int as count, min(${r.createdAt}) as first from ${from}
      where ${r.createdAt} >= ${since} and ${seesRefusal(session.actor)} group by ${r.keyName}, ${r.code}
      having count(*) >= ${fewest} order by count(*) desc, 1 desc limit ${limit}
    ) f join ${r} on ${r.id} = f.id order by f.count desc, f.id desc`;
  return query.run(session);
}
