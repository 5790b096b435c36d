/**
 * Deletes a user unless a secondary signs with one of the user's TSIG keys: without its key it would get nothing.
 */
import { ForeignKeyConstraintViolationException } from "@mikro-orm/core";
import { TsigKey } from "../account/tsig-key.ts";
import { Refusal } from "../errors.ts";
import type { Session } from "../session/session.ts";
import { table } from "../sql/columns.ts";
import { sql } from "../sql/sql.ts";
import { type DomainsOfDeletedUser, deleteUser } from "../zone/lifecycle/domain-lifecycle.ts";
import { Secondary } from "./secondary.ts";

const s = table(Secondary, "s");
const t = table(TsigKey, "t");

/** Deletes a user as lifecycle.ts does; INVALID_VALUE when a secondary signs with a key of the user. */
export async function deleteUserWithKeys(session: Session, id: number, domains: DomainsOfDeletedUser): Promise<void> {
  try {
    await deleteUser(session, id, domains);
  } catch (error) {
    if (!(error instanceof ForeignKeyConstraintViolationException)) throw error;
    throw (await keyInUse(session, id)) ?? error;
  }
}

async function keyInUse(session: Session, userId: number): Promise<Refusal | undefined> {
  const query = sql<{ name: string; key: string }>`
    select ${s.name}, ${t.name} as key from ${s} join ${t} on ${t.id} = ${s.tsigKeyId} where ${t.userId} = ${userId}
    order by ${s.name}`;
  const [row] = await query.run(session);
  if (!row) return undefined;
  const message = `The secondary ${row.name} signs with ${row.key}, a TSIG key of this user; give the secondary another key first.`;
  return new Refusal("INVALID_VALUE", message, { field: "by" });
}
