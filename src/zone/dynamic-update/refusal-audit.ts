/**
 * The audit of refused dynamic updates: the client's address and key, the update, and the rule that refused it. The
 * newest hundred of each zone are kept, and the newest thousand of names that are not zones here; those of a zone are
 * deleted with it.
 */
import { BigIntType } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { sql } from "kysely";
import { Field, ID, ObjectType } from "type-graphql";
import { type Code, Refusal } from "../../errors.ts";
import { Node } from "../../node-interface.ts";
import { DateTimeScalar, ErrorCode } from "../../scalars.ts";
import { seesKey } from "../../session/authorization.ts";
import { connection, type Session } from "../../session/session.ts";
import { type RowOf, table } from "../../sql/columns.ts";
import { byId, type Page, type PageRequest, page } from "../../sql/pagination.ts";
import { TextArrayType } from "../../sql/text-array.ts";
import { Domain, readZone } from "../domain.ts";

@ObjectType({ description: "A dynamic update (RFC 2136) that was refused.", implements: Node, simpleResolvers: true })
@Entity({ tableName: "update_refusal" })
@Index({ name: "update_refusal_domain_id_id_index", properties: ["domain", "id"] })
export class UpdateRefusal {
  @Field(() => ID, { description: "Number from 10^15 up, below 2^53." })
  @PrimaryKey({ type: new BigIntType("number") })
  id!: number;

  @ManyToOne(() => Domain, { fieldName: "domain_id", nullable: true, deleteRule: "cascade", index: false })
  domain?: Domain | null;

  @Field(() => String, { description: "The zone that was to be updated, as the client wrote it." })
  @Property({ type: "text" })
  zone!: string;

  @Field(() => ErrorCode, { description: "The code that the error of a mutation would have." })
  @Property({ type: "text" })
  code!: Code;

  @Field(() => String, { description: "The answer to the client, such as REFUSED or NOTAUTH (RFC 2136 §2.2)." })
  @Property({ type: "text" })
  rcode!: string;

  @Field(() => String, { description: "Which rule refused it." })
  @Property({ type: "text" })
  reason!: string;

  @Field(() => String, { description: "The address that it came from." })
  @Property({ type: "text" })
  address!: string;

  @Field(() => String, { description: "udp or tcp." })
  @Property({ type: "text" })
  protocol!: string;

  @Field(() => String, { nullable: true, description: "The name of the TSIG key; null when it was not signed." })
  @Property({ type: "text", nullable: true })
  keyName?: string | null;

  @Field(() => String, { nullable: true, description: "The algorithm of the signature; null when there was none." })
  @Property({ type: "text", nullable: true })
  algorithm?: string | null;

  @Field(() => [String], { description: "The request, a line for each prerequisite and update; the first twenty." })
  @Property({ type: new TextArrayType() })
  asked!: string[];

  @Field(() => DateTimeScalar, { description: "When it was refused." })
  @Property({ type: "datetime", columnType: "timestamptz", defaultRaw: "now()" })
  createdAt!: Date;
}

const r = table(UpdateRefusal, "r");
const d = table(Domain, "d");
const columns = r.columns();

/** A refusal as it is read. */
export type UpdateRefusalRow = RowOf<typeof columns>;

/** What is stored of a refused update. */
export type RefusedUpdate = Omit<UpdateRefusalRow, "id" | "domainId" | "createdAt">;

/** How many are kept of a zone, and of all names that are not zones here. */
const kept = { zone: 100, elsewhere: 1000 };

/** Stores a refused update, and deletes what is older than those that are kept. */
export async function noteRefusedUpdate({ em, now }: Session, refused: RefusedUpdate): Promise<void> {
  const { zone, code, rcode, reason, address, protocol, keyName, algorithm, asked } = refused;
  const domain = await em.findOne(Domain, { zone, user: { $ne: null } });
  await em.insert(UpdateRefusal, {
    domain,
    zone,
    code,
    rcode,
    reason,
    address,
    protocol,
    keyName,
    algorithm,
    asked: [...asked],
    createdAt: now(),
  });
  const offset = domain ? kept.zone : kept.elsewhere;
  const [surplus] = await em.find(UpdateRefusal, { domain }, { orderBy: { id: "desc" }, offset, limit: 1 });
  if (surplus) await em.nativeDelete(UpdateRefusal, { domain, id: { $lte: surplus.id } });
}

const from = sql`${r} left join ${d} on ${d.id} = ${r.domainId}`;

/** The refusal of this id; NOT_FOUND when the session sees no such refusal. */
export async function updateRefusalById(session: Session, id: number): Promise<UpdateRefusalRow> {
  const query = sql<UpdateRefusalRow>`
    select ${columns} from ${from} where ${r.id} = ${id} and ${seesKey(session.actor, d.userId)}`;
  const [row] = (await query.execute(connection(session))).rows;
  if (!row) throw new Refusal("NOT_FOUND", `There is no refused update ${id}.`, { field: "id" });
  return row;
}

const newest = byId<UpdateRefusalRow>("updateRefusals", r.id, true);

/**
 * One page of the refusals, the newest first: all of them for an administrator, those of the user's own zones for a
 * user.
 */
export function listUpdateRefusals(
  session: Session,
  filter: { readonly zone?: string | undefined },
  request: PageRequest,
): Promise<Page<UpdateRefusalRow>> {
  const conditions = [seesKey(session.actor, d.userId)];
  if (filter.zone !== undefined) conditions.push(sql<boolean>`${r.zone} = ${readZone(filter.zone)}`);
  return page(connection(session), { columns, from, conditions, order: newest }, request);
}
