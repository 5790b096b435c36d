/** A TSIG key (RFC 8945) for transfers and dynamic updates. SECRET_KEY, when it is set, encrypts its secret. */
import { BigIntType, LockMode } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, ObjectType, registerEnumType } from "type-graphql";
import { isWeakAlgorithm, type TsigAlgorithm } from "../dns/message/tsig.ts";
import { noSuch } from "../errors.ts";
import { Node } from "../graphql/scalars/node-interface.ts";
import { DateTimeScalar, IdScalar, RecordTypeScalar } from "../graphql/scalars/scalars.ts";
import { type Order, type Page, type PageRequest, page } from "../lists/pagination.ts";
import { noteEvents } from "../outbox/outbox.ts";
import { mayWrite } from "../session/authorization.ts";
import type { Session } from "../session/session.ts";
import { transaction, whenCommitted } from "../session/transaction.ts";
import { type RowOf, table } from "../sql/columns.ts";
import { readOne } from "../sql/single-statement.ts";
import { slot, slottedStatement } from "../sql/slot.ts";
import { type Sql, sql } from "../sql/sql.ts";
import { TextArrayType } from "../sql/text-array.ts";
import { seesLimited, worksAt } from "./api-key.ts";
import { forgetKeys } from "./key-cache.ts";
import { keyEvent } from "./key-event.ts";
import { canUnseal, unseal } from "./sealed-secret.ts";
import { User } from "./user.ts";

export const Algorithm = {
  HMAC_SHA256: "hmac-sha256",
  HMAC_SHA384: "hmac-sha384",
  HMAC_SHA512: "hmac-sha512",
  HMAC_SHA1: "hmac-sha1",
  HMAC_MD5: "hmac-md5",
} as const satisfies Record<string, TsigAlgorithm>;
registerEnumType(Algorithm, {
  name: "TsigAlgorithm",
  description: "The algorithm of a TSIG signature (RFC 8945 §6).",
  valuesConfig: {
    HMAC_SHA256: { description: "HMAC with SHA-256." },
    HMAC_SHA384: { description: "HMAC with SHA-384." },
    HMAC_SHA512: { description: "HMAC with SHA-512." },
    HMAC_SHA1: { description: "HMAC with SHA-1, which is weak: only with TSIG_WEAK_ALGORITHMS." },
    HMAC_MD5: { description: "HMAC with MD5, which is weak: only with TSIG_WEAK_ALGORITHMS." },
  },
});

@ObjectType({
  description: "A TSIG key (RFC 8945). Its secret is shown when it is created, and in secondaryConfig.",
  implements: Node,
  simpleResolvers: true,
})
@Entity({ tableName: "tsig_key" })
@Index({ name: "tsig_key_user_id_index", properties: ["user"] })
export class TsigKey {
  @Field(() => IdScalar, { description: "Its id." })
  @PrimaryKey({ type: new BigIntType("number") })
  id!: number;

  @Field(() => String, { description: "The key's name, a domain name in lower case without trailing dot." })
  @Property({ type: "text", collation: "C", unique: "tsig_key_name_key" })
  name!: string;

  @Field(() => Algorithm, { description: "The algorithm of its signatures." })
  @Property({ type: "text" })
  algorithm!: TsigAlgorithm;

  @Property({ type: "blob", hidden: true })
  secret!: Buffer;

  @Property({ type: "boolean" })
  isSealed!: boolean;

  @ManyToOne(() => User, { fieldName: "user_id", nullable: true, deleteRule: "cascade", index: false })
  user?: User | null;

  @Field(() => [String], {
    nullable: true,
    description:
      "Zones it may update; `*` matches any characters. Null: all zones of its user, or none without a user.",
  })
  @Property({ type: new TextArrayType(), nullable: true })
  zones?: string[] | null;

  @Field(() => [String], {
    nullable: true,
    description: "Owners it may update, relative to the zone; `*` matches any characters, also dots. Null: all.",
  })
  @Property({ type: new TextArrayType(), nullable: true })
  owners?: string[] | null;

  @Field(() => [RecordTypeScalar], { nullable: true, description: "Record types it may update. Null: all." })
  @Property({ type: new TextArrayType(), nullable: true })
  types?: string[] | null;

  @Field(() => Boolean, {
    description: "Whether it may transfer (AXFR, IXFR) the zones of `zones`; the key of a secondary may transfer all.",
  })
  @Property({ type: "boolean", default: true })
  transfer!: boolean;

  @Field(() => Boolean, {
    description: "Whether its updates need no review, also in zones that require review.",
  })
  @Property({ type: "boolean", default: false })
  exemptFromReview!: boolean;

  @Field(() => DateTimeScalar, { nullable: true, description: "When the key expires; null is never." })
  @Property({ type: "datetime", columnType: "timestamptz", nullable: true })
  expiresAt?: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "When the key was revoked; null when it was not." })
  @Property({ type: "datetime", columnType: "timestamptz", nullable: true })
  revokedAt?: Date | null;

  @Field(() => DateTimeScalar, { description: "When the key was created." })
  @Property({ type: "datetime", columnType: "timestamptz", defaultRaw: "now()" })
  createdAt!: Date;
}

const t = table(TsigKey, "t");
const scope = t.columns("userId", "zones", "owners", "types", "transfer", "exemptFromReview");
export const tsigKeyColumns = t.columns("id", "name", "algorithm", "expiresAt", "revokedAt", "createdAt").and(scope);

export type TsigKeyRow = RowOf<typeof tsigKeyColumns>;

export interface TsigSecret extends TsigKeyRow {
  readonly secret: Uint8Array;
}

const byName: Order<TsigKeyRow> = {
  name: "tsigKeys",
  columns: [t.name],
  kinds: ["string"],
  descending: false,
  key: (row) => [row.name],
};

export async function listTsigKeys(session: Session, request: PageRequest): Promise<Page<TsigKeyRow>> {
  return page(
    session,
    { columns: tsigKeyColumns, from: t, conditions: [seesLimited(session.actor, t)], order: byName },
    request,
  );
}

export async function tsigKeysByIds(session: Session, ids: readonly number[]): Promise<TsigKeyRow[]> {
  return sql<TsigKeyRow>`select ${tsigKeyColumns} from ${t} where ${t.id} = any(${ids})`.run(session);
}

/** Returns the key of this id; throws NOT_FOUND when the session sees no such key. */
export async function tsigKeyById(session: Session, id: number, field = "id"): Promise<TsigKeyRow> {
  const query = sql<TsigKeyRow>`select ${tsigKeyColumns} from ${t} where ${t.id} = ${id} and ${seesLimited(session.actor, t)}`;
  const [row] = await query.run(session);
  if (!row) throw noSuch("TSIG key", id, field);
  return row;
}

/** The algorithms that a new key may have, the best first. */
export function algorithmsOf({ weakTsigAlgorithms }: Session["policy"]): TsigAlgorithm[] {
  return Object.values(Algorithm).filter((algorithm) => weakTsigAlgorithms || !isWeakAlgorithm(algorithm));
}

/** Revokes a key at once; does nothing when it was revoked before. A user's key revokes that user's keys. */
export async function revokeTsigKey(session: Session, id: number): Promise<TsigKeyRow> {
  mayWrite(session.actor);
  return transaction(session, async (inner) => {
    await tsigKeyById(inner, id, "tsigKeyId");
    const key = await inner.em.findOne(TsigKey, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!key) throw noSuch("TSIG key", id, "tsigKeyId");
    const isRevoked = key.revokedAt !== null;
    key.revokedAt ??= session.now();
    await inner.em.flush();
    const revoked = await tsigKeyById(inner, id);
    if (!isRevoked) await noteEvents(inner, [keyEvent("key.revoked", "TSIG", revoked, session.actor)]);
    whenCommitted(inner, () => forgetKeys(session.em));
    return revoked;
  });
}

const columnsWithSecret = tsigKeyColumns.and(t.columns("secret", "isSealed"));

type Wanted = { readonly name: string } | { readonly id: number };

/** A key as JSON, in which times and octets are texts. */
interface KeyWithSecret extends Omit<TsigKeyRow, "expiresAt" | "revokedAt" | "createdAt"> {
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly createdAt: string;
  readonly secret: string;
  readonly isSealed: boolean;
}

const keyWhere = (isWanted: Sql) =>
  slottedStatement<Wanted & { readonly now: Date }>(sql`
    select row_to_json(found)::text as row from (
      select ${columnsWithSecret} from ${t} where ${isWanted} and ${worksAt(
        t,
        slot(({ now }: { now: Date }) => now),
      )}
    ) found`);
const keyOfName = keyWhere(sql`${t.name} = ${slot((wanted: { name: string }) => wanted.name)}`);
const keyOfId = keyWhere(sql`${t.id} = ${slot((wanted: { id: number }) => wanted.id)}`);

const timeOrNull = (text: string | null) => (text === null ? null : new Date(text));

/** Returns the working key with its secret; undefined when no such key works now. */
export async function tsigSecret(session: Session, wanted: Wanted): Promise<TsigSecret | undefined> {
  const statement = "name" in wanted ? keyOfName : keyOfId;
  const row = await readOne<KeyWithSecret, Wanted & { now: Date }>(session, statement, {
    ...wanted,
    now: session.now(),
  });
  if (!row) return undefined;
  const { isSealed, secret, expiresAt, revokedAt, createdAt, ...key } = row;
  const stored = Buffer.from(secret.slice(2), "hex");
  return {
    ...key,
    ...{ expiresAt: timeOrNull(expiresAt), revokedAt: timeOrNull(revokedAt), createdAt: new Date(createdAt) },
    secret: isSealed ? unseal(stored, session.policy.secretKey, key.name) : stored,
  };
}

/** Returns a sentence that says why no key of this name and algorithm works now; undefined when one does. */
export async function whyNoTsigKey(session: Session, name: string, algorithm: string): Promise<string | undefined> {
  const query = sql<TsigKeyRow>`select ${tsigKeyColumns} from ${t} where ${t.name} = ${name}`;
  const key = (await query.run(session))[0];
  if (!key) return `There is no TSIG key ${name}.`;
  if (key.revokedAt) return `The key ${name} was revoked at ${key.revokedAt.toISOString()}.`;
  const now = session.now();
  if (key.expiresAt && key.expiresAt <= now)
    return `The key ${name} expired at ${key.expiresAt.toISOString()}; it is ${now.toISOString()}.`;
  return key.algorithm === algorithm ? undefined : `The key ${name} is for ${key.algorithm}, not for ${algorithm}.`;
}

export async function sealedSecretCount(session: Session): Promise<number> {
  const query = sql<{ count: number }>`select count(*)::int as count from ${t} where ${t.isSealed}`;
  return (await query.run(session))[0]?.count ?? 0;
}

/** Returns the names of the keys with secrets that the present SECRET_KEY does not unseal. */
export async function unreadableKeys(session: Session): Promise<readonly string[]> {
  const query = sql<{ name: string; secret: Buffer }>`
    select ${t.columns("name", "secret")} from ${t} where ${t.isSealed} order by ${t.name}`;
  const rows = await query.run(session);
  return rows.filter((row) => !canUnseal(row.secret, session.policy.secretKey, row.name)).map(({ name }) => name);
}
