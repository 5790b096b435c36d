/** An API key: 256 random bits that identify an administrator or one user. Only their SHA-256 is stored; the key itself is shown once. */
import { hash, randomBytes } from "node:crypto";
import { BigIntType, LockMode } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, ObjectType } from "type-graphql";
import { parseZoneName } from "../dns/name.ts";
import { noSuch, Refusal } from "../errors.ts";
import { Node } from "../graphql/scalars/node-interface.ts";
import { DateTimeScalar, IdScalar } from "../graphql/scalars/scalars.ts";
import { byId, type CreatedRange, type Page, type PageRequest, page } from "../lists/pagination.ts";
import { createdWithin, selected } from "../lists/relation.ts";
import { noteEvents } from "../outbox/outbox.ts";
import { type Actor, mayActFor, mayReachZone, mayWrite, seesOwn } from "../session/authorization.ts";
import { parseField } from "../session/parse-field.ts";
import type { Session } from "../session/session.ts";
import { transaction } from "../session/transaction.ts";
import { type RowOf, table } from "../sql/columns.ts";
import { type Sql, sql } from "../sql/sql.ts";
import { TextArrayType } from "../sql/text-array.ts";
import { forgetKeys } from "./key-cache.ts";
import { keyEvent } from "./key-event.ts";
import { expectRoom, holdUser, User } from "./user.ts";

@ObjectType({
  description: "An API key of the administrator or of one user. The key itself is shown once, when it is created.",
  implements: Node,
  simpleResolvers: true,
})
@Entity({ tableName: "api_key" })
@Index({ name: "api_key_fingerprint_index", properties: ["fingerprint"] })
@Index({ name: "api_key_user_id_index", properties: ["user"] })
export class ApiKey {
  @Field(() => IdScalar, { description: "Its id." })
  @PrimaryKey({ type: new BigIntType("number") })
  id!: number;

  @Field(() => String, { description: "What the key is for; the journal shows this name." })
  @Property({ type: "text" })
  name!: string;

  @ManyToOne(() => User, { fieldName: "user_id", nullable: true, deleteRule: "cascade", index: false })
  user?: User | null;

  @Field(() => Boolean, { description: "Whether the key may only read." })
  @Property({ type: "boolean", default: false })
  readOnly!: boolean;

  @Field(() => [String], {
    nullable: true,
    description: "The zones that the key is limited to; null without a limit.",
  })
  @Property({ type: new TextArrayType(), nullable: true })
  zones?: string[] | null;

  @Field(() => String, {
    description: "First 16 hex digits of the key's SHA-256; the log and the journal show 8 of them.",
  })
  @Property({ type: "text", collation: "C" })
  fingerprint!: string;

  @Property({ type: "blob", hidden: true })
  hash!: Buffer;

  /** The id of the user's key that created this key; null when an administrator created it. */
  @Property({ type: new BigIntType("number"), nullable: true })
  createdBy?: number | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "When the key expires; null is never." })
  @Property({ type: "datetime", columnType: "timestamptz", nullable: true })
  expiresAt?: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "When the key was revoked; null when it was not." })
  @Property({ type: "datetime", columnType: "timestamptz", nullable: true })
  revokedAt?: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "When the key was last used, to the hour; null is never.",
  })
  @Property({ type: "datetime", columnType: "timestamptz", nullable: true })
  lastUsedAt?: Date | null;

  @Field(() => DateTimeScalar, { description: "When the key was created." })
  @Property({ type: "datetime", columnType: "timestamptz", defaultRaw: "now()" })
  createdAt!: Date;
}

const k = table(ApiKey, "k");

export const apiKeyColumns = k.columns(
  "id",
  "name",
  "userId",
  "readOnly",
  "zones",
  "fingerprint",
  "expiresAt",
  "revokedAt",
  "lastUsedAt",
  "createdAt",
);

export type ApiKeyRow = RowOf<typeof apiKeyColumns>;

interface KeyGrant {
  readonly name: string;
  readonly userId?: number | undefined;
  readonly readOnly?: boolean;
  readonly zones?: readonly string[] | undefined;
  readonly expiresAt?: Date | undefined;
  /** The id of the user's key that creates the new key. */
  readonly createdBy?: number | undefined;
}

const byCreation = byId<ApiKeyRow>("apiKey.CREATED", k.id, false);

export const hashOf = (key: string) => hash("sha256", key, "buffer");

/** The first 8 octets of a hash, hexadecimal. They identify a key and cannot be used as one. */
export const fingerprintOf = (hash: Buffer) => hash.subarray(0, 8).toString("hex");

/**
 * The SQL condition that the actor sees a key or webhook: it belongs to the actor's user. An actor whose own key is limited to zones sees
 * only keys and webhooks that are limited to some of those zones.
 */
export function seesLimited(
  actor: Actor,
  { userId, zones }: { readonly userId: Sql; readonly zones: Sql },
): Sql<boolean> {
  const own = seesOwn(actor, userId);
  return actor.zones ? sql<boolean>`${own} and ${zones} <@ ${actor.zones}::text[]` : own;
}

/** The SQL condition that a key works at this time: it is neither revoked nor expired. */
export const worksAt = ({ revokedAt, expiresAt }: { readonly revokedAt: Sql; readonly expiresAt: Sql }, now: unknown) =>
  sql<boolean>`(${revokedAt} is null and (${expiresAt} is null or ${expiresAt} > ${now}))`;

export function listApiKeys(
  session: Session,
  filter: CreatedRange & { readonly userId?: number | undefined },
  request: PageRequest,
): Promise<Page<ApiKeyRow>> {
  const conditions = [seesLimited(session.actor, k), ...selected(createdWithin(k.createdAt), filter)];
  if (filter.userId !== undefined) conditions.push(sql`${k.userId} = ${filter.userId}`);
  return page(session, { columns: apiKeyColumns, from: k, conditions, order: byCreation }, request);
}

/** The working keys of the actor's user, or of administrators, that expire before a time; the first to expire first. */
export function endingKeys(session: Session, before: Date, limit: number): Promise<ApiKeyRow[]> {
  const { actor } = session;
  const query = sql<ApiKeyRow>`
    select ${apiKeyColumns} from ${k} where ${seesLimited(actor, k)} and ${k.userId} is not distinct from ${actor.userId}::bigint
      and ${worksAt(k, session.now())} and ${k.expiresAt} < ${before} order by ${k.expiresAt}, ${k.id} limit ${limit}`;
  return query.run(session);
}

/** Creates a key and returns it; it cannot be read later. A user's key creates keys of the same user, with at most its own rights. */
export async function createApiKey(session: Session, grant: KeyGrant): Promise<{ apiKey: ApiKeyRow; key: string }> {
  const { actor } = session;
  mayWrite(actor);
  const userId = grant.userId ?? actor.userId ?? undefined;
  if (userId !== undefined) mayActFor(actor, userId, "userId");
  const zones = readZones(grant.zones, userId);
  const createdBy = actor.role === "user" ? actor.keyId : undefined;
  const allowed = { ...grant, userId, zones, createdBy, expiresAt: await readExpiry(session, grant.expiresAt) };
  mayGrantZones(actor, zones);
  const key = newKey();
  return { apiKey: await storeKey(session, allowed, key), key };
}

const maxZones = 100;

function readZones(zones: readonly string[] | undefined, userId: number | undefined): string[] | undefined {
  if (zones === undefined) return undefined;
  const refuse = (why: string) => new Refusal("INVALID_VALUE", `zones ${why}`, { field: "zones" });
  if (userId === undefined) throw refuse("limit a user's key; send userId too, or leave them out.");
  if (zones.length === 0 || zones.length > maxZones)
    throw refuse(`are ${zones.length}; send 1 to ${maxZones}, or leave them out for all of the user's.`);
  return [...new Set(zones.map((zone, at) => parseField(`zones.${at}`, () => parseZoneName(zone))))];
}

/** Checks when a new key expires: in the future, and not after the user's key that creates it. Throws INVALID_VALUE otherwise. */
export async function readExpiry(session: Session, expiresAt: Date | undefined): Promise<Date | undefined> {
  const refuse = (why: string) => new Refusal("INVALID_VALUE", `expiresAt ${why}`, { field: "expiresAt" });
  if (expiresAt && expiresAt <= session.now()) throw refuse("is in the past; it must be in the future.");
  const { role, keyId } = session.actor;
  const limit = role === "user" && keyId !== undefined ? (await apiKeyById(session, keyId)).expiresAt : null;
  if (limit && expiresAt && expiresAt > limit) throw refuse(`is after ${limit.toISOString()}, when this key expires.`);
  return expiresAt ?? limit ?? undefined;
}

/** Throws when the actor's key is limited to zones and the requested zones are not all among them. */
export function mayGrantZones(actor: Actor, zones: readonly string[] | null | undefined): void {
  if (!actor.zones) return;
  if (!zones) {
    const message = `zones is missing; this key is for ${actor.zones.join(", ")} alone, so send some of these.`;
    throw new Refusal("MISSING_FIELD", message, { field: "zones" });
  }
  for (const [at, zone] of zones.entries()) mayReachZone(actor, zone, `zones.${at}`);
}

/** The largest number of working keys of one user when a user's key creates them. */
const maxKeysOfUser = 100;

export const newKey = () => `zs_${randomBytes(32).toString("base64url")}`;

export async function storeKey(session: Session, grant: KeyGrant, key: string): Promise<ApiKeyRow> {
  const { name, userId = null, readOnly = false, zones, expiresAt = null, createdBy = null } = grant;
  const hash = hashOf(key);
  return transaction(session, async (inner) => {
    if (userId !== null) await holdUser(inner, userId);
    const { userId: maker } = session.actor;
    if (maker !== null) {
      const rows = sql`${k} where ${k.userId} = ${maker} and ${worksAt(k, session.now())}`;
      await expectRoom(inner, maker, { rows, most: maxKeysOfUser, what: "keys; revoke one that is not needed" });
    }
    const stored = inner.em.create(ApiKey, {
      name,
      user: userId,
      readOnly,
      zones: zones ? [...zones] : null,
      fingerprint: fingerprintOf(hash),
      hash,
      expiresAt,
      createdBy,
      createdAt: session.now(),
    });
    await inner.em.flush();
    const created = await apiKeyById(inner, stored.id);
    await noteEvents(inner, [keyEvent("key.created", "API", created, session.actor)]);
    return created;
  });
}

/** Returns the key of this id; throws NOT_FOUND when the session sees no such key. */
export async function apiKeyById(session: Session, id: number, field = "id"): Promise<ApiKeyRow> {
  const query = sql<ApiKeyRow>`
    select ${apiKeyColumns} from ${k} where ${k.id} = ${id} and ${seesLimited(session.actor, k)}`;
  const [row] = await query.run(session);
  if (!row) throw noSuch("key", id, field);
  return row;
}

/**
 * Returns the person to whom each key belongs, as the id of the person's first key. A key that was created with a user's key belongs to the
 * person of that key. A key that an administrator created is a new person.
 */
export async function personsOf(session: Session, keyIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const query = sql<{ keyId: number; person: number }>`
    with recursive line(key, id, depth) as (
      select ${k.id}, ${k.id}, 0 from ${k} where ${k.id} = any(${keyIds})
      union all
      select line.key, ${k.createdBy}, line.depth + 1 from line join ${k} on ${k.id} = line.id where ${k.createdBy} is not null
    )
    select distinct on (key) key as "keyId", id as person from line order by key, depth desc`;
  const rows = await query.run(session);
  return new Map(rows.map(({ keyId, person }) => [keyId, person]));
}

/** The users of these keys, in their order; null for a key of no user, and for one that was deleted with its user. */
export async function userIdsOfKeys(session: Session, ids: readonly number[]): Promise<(number | null)[]> {
  const query = sql<{ id: number; userId: number | null }>`
    select ${k.columns("id", "userId")} from ${k} where ${k.id} = any(${ids})`;
  const users = new Map((await query.run(session)).map(({ id, userId }) => [id, userId]));
  return ids.map((id) => users.get(id) ?? null);
}

export async function keysOfPerson(session: Session, keyId: number): Promise<number[]> {
  const first = (await personsOf(session, [keyId])).get(keyId) ?? keyId;
  const query = sql<{ id: number }>`
    with recursive own(id) as (
      select ${first}::bigint union all select ${k.id} from own join ${k} on ${k.createdBy} = own.id
    )
    select id from own`;
  return (await query.run(session)).map(({ id }) => id);
}

/** Revokes a key at once; does nothing when it was revoked before. A user's key may revoke that user's keys. */
export async function revokeApiKey(session: Session, id: number): Promise<ApiKeyRow> {
  mayWrite(session.actor);
  const row = await transaction(session, async (inner) => {
    await apiKeyById(inner, id, "apiKeyId");
    const key = await inner.em.findOne(ApiKey, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!key) throw noSuch("key", id, "apiKeyId");
    const isRevoked = key.revokedAt !== null;
    key.revokedAt ??= session.now();
    await inner.em.flush();
    const revoked = await apiKeyById(inner, id);
    if (!isRevoked) await noteEvents(inner, [keyEvent("key.revoked", "API", revoked, session.actor)]);
    return revoked;
  });
  forgetKeys(session.em);
  return row;
}

/** Returns whether an administrator's key has ever existed (if not, this is the first start), and whether one was ever used. */
export async function administratorKeys(
  session: Pick<Session, "em">,
): Promise<{ readonly exist: boolean; readonly wereUsed: boolean }> {
  const query = sql<{ exist: boolean; wereUsed: boolean }>`
    select count(*) > 0 as exist, count(${k.lastUsedAt}) > 0 as "wereUsed" from ${k} where ${k.userId} is null`;
  return (await query.run(session))[0] ?? { exist: false, wereUsed: false };
}
