/**
 * Signed updates that were answered, so that no instance carries out a copy of one (RFC 8945 §10.3). An update that changes its zone is
 * noted by the statement that stores the change (zone/edit/change-statement.ts), any other before its answer.
 */
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import type { Session, SignedMark } from "../session/session.ts";
import { table } from "../sql/columns.ts";
import { sql } from "../sql/sql.ts";

@Entity({ tableName: "signed_update" })
export class SignedUpdate {
  @PrimaryKey({ type: "text", collation: "C" })
  mark!: string;

  @Property({ type: "smallint" })
  rcode!: number;

  /** The signature of a copy is no longer accepted then. */
  @Property({ type: "datetime", columnType: "timestamptz" })
  until!: Date;
}

const m = table(SignedUpdate, "m");

/** Notes the rcode of an update that changed nothing; of a copy, returns the rcode of the first answer. */
export async function noteAnswer(
  { em }: Session,
  { mark, until }: SignedMark,
  rcode: number,
): Promise<{ readonly rcode: number; readonly isCopy: boolean }> {
  const query = sql<{ rcode: number; isCopy: boolean }>`
    insert into ${m} (${m.names("mark", "rcode", "until")}) values (${mark}, ${rcode}::smallint, ${until}::timestamptz)
    on conflict (${m.names("mark")}) do update set ${m.names("mark")} = ${mark}
    returning ${m.rcode}, m.xmax <> 0 as "isCopy"`;
  return (await query.run({ em }))[0] as { rcode: number; isCopy: boolean };
}

/** Whether a change was not stored since its message was answered before. */
export const isOfCopy = (error: unknown): boolean =>
  (error as { readonly constraint?: unknown } | null)?.constraint === "signed_update_pkey";

export async function forgetSignedUpdates(session: Session): Promise<void> {
  await sql`delete from ${m} where ${m.until} < now()`.run(session);
}
