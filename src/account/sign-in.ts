/**
 * A sign-in: a cookie that a browser holds in place of an API key, so that no script there can read the key. The cookie is 256 random bits;
 * only their SHA-256 is stored, with the key and a fixed end. A sign-in has the rights of its key and ends at the latest with it.
 */
import { randomBytes } from "node:crypto";
import { Entity, Index, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import type { Session } from "../session/session.ts";
import { transaction } from "../session/transaction.ts";
import { table } from "../sql/columns.ts";
import { sql } from "../sql/sql.ts";
import { ApiKey, hashOf } from "./api-key.ts";
import { forgetKeys } from "./key-cache.ts";

@Entity({ tableName: "sign_in" })
@Index({ name: "sign_in_key_id_index", properties: ["key"] })
@Index({ name: "sign_in_ends_at_index", properties: ["endsAt"] })
export class SignIn {
  @PrimaryKey({ type: "blob" })
  hash!: Buffer;

  @ManyToOne(() => ApiKey, { fieldName: "key_id", deleteRule: "cascade", index: false })
  key!: ApiKey;

  @Property({ type: "datetime", columnType: "timestamptz", defaultRaw: "now()" })
  createdAt!: Date;

  @Property({ type: "datetime", columnType: "timestamptz" })
  endsAt!: Date;
}

const s = table(SignIn);

/** Begins a sign-in for some hours and returns its token; deletes sign-ins that have ended. */
export async function beginSignIn(
  session: Session,
  keyId: number,
  hours: number,
): Promise<{ readonly token: string; readonly endsAt: Date }> {
  const now = session.now();
  const endsAt = new Date(now.getTime() + hours * 3_600_000);
  const token = randomBytes(32).toString("base64url");
  const columns = s.names("hash", "keyId", "createdAt", "endsAt");
  const query = sql`
    with ended as (delete from ${s} where ${s.endsAt} <= ${now})
    insert into ${s} (${columns}) values (${hashOf(token)}, ${keyId}, ${now}, ${endsAt})`;
  await transaction(session, (inner) => query.run(inner));
  return { token, endsAt };
}

export async function endSignIn(session: Session, token: string): Promise<void> {
  const query = sql`delete from ${s} where ${s.hash} = ${hashOf(token)}`;
  await transaction(session, (inner) => query.run(inner));
  forgetKeys(session.em);
}
