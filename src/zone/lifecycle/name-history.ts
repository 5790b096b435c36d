/**
 * The history of a zone name: whether a zone has it, and the latest deleted zone that had it. A deleted zone cannot be restored while
 * another zone has its name.
 */
import { ReviewPolicy } from "../../account/review-policy.ts";
import { User } from "../../account/user.ts";
import { unicodeName } from "../../dns/name.ts";
import { seesZone } from "../../session/authorization.ts";
import type { Session } from "../../session/session.ts";
import { table } from "../../sql/columns.ts";
import { readOne } from "../../sql/single-statement.ts";
import { slot, slottedStatement } from "../../sql/slot.ts";
import { sql } from "../../sql/sql.ts";
import { Change, ChangeKind, DeletedDomain } from "../change.ts";
import { Domain } from "../domain.ts";
import type { CreatedDomain } from "../edit/change-statement.ts";
import type { Notice } from "../edit/notice.ts";

const d = table(Domain, "d");
const x = table(DeletedDomain, "x");
const u = table(User, "u");

export interface NameHistory extends CreatedDomain {
  readonly demands: ReviewPolicy;
}

/** The history of a name that no zone ever had, for a user whose domains demand no review. */
export const neverUsed: NameHistory = { formerId: null, lastSerial: null, demands: ReviewPolicy.NONE };

export async function readName(
  session: Session,
  zone: string,
  userId: number,
): Promise<NameHistory & { readonly isTaken: boolean; readonly isUser: boolean; readonly metered: boolean }> {
  const row = await readOne<
    readonly [boolean, ReviewPolicy | null, boolean | null, number | null, number | null],
    Name
  >(session, nameReading, { zone, userId });
  const [isTaken, review, metered, formerId, lastSerial] = row as NonNullable<typeof row>;
  return {
    isTaken,
    isUser: review !== null,
    metered: metered === true,
    formerId,
    lastSerial,
    demands: review ?? ReviewPolicy.NONE,
  };
}

interface Name {
  readonly zone: string;
  readonly userId: number;
}

const named = <Value>(read: (name: Name) => Value): Value => slot<Value, Name>(read);
const zoneSlot = named(({ zone }) => zone);

const nameReading = slottedStatement<Name>(sql`
    select json_build_array(exists (select from ${d} where ${d.zone} = ${zoneSlot}),
      ${u.review}, ${u.metered}, former.id, former.serial)::text as row
    from (values (true)) one left join ${u} on ${u.id} = ${named(({ userId }) => userId)} left join lateral (
      select ${x.columns("id", "serial")} from ${x} where ${x.zone} = ${zoneSlot} order by ${x.deletedAt} desc, ${x.id} desc limit 1
    ) former on true`);

const c = table(Change, "c");

/**
 * Returns a notice that the new zone prevents the restoration of a deleted zone of the same name. Empty if there is no deleted zone that
 * the session could restore.
 */
export async function noticesOfFormer(session: Session, zone: string): Promise<Notice[]> {
  const isInJournal = sql`exists (select from ${c} where ${c.domainId} = ${x.id} and ${c.kind} = ${ChangeKind.DELETE})`;
  const query = sql<{ deletedAt: Date }>`
    select ${x.columns("deletedAt")} from ${x}
    where ${x.zone} = ${zone} and ${seesZone(session.actor, x.userId, x.zone)} and ${isInJournal}
    order by ${x.deletedAt} desc, ${x.id} desc limit 1`;
  const [former] = await query.run(session);
  if (!former) return [];
  const name = unicodeName(zone);
  const when = former.deletedAt.toISOString();
  const message = `The zone ${name} that was deleted at ${when} cannot be restored beside this one; to get its records back, delete this zone and restore the deleted one.`;
  return [{ code: "FORMER_ZONE", message, field: "zone" }];
}
