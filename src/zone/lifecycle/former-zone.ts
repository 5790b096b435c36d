/**
 * What a new zone takes the place of: a deleted one of the name can be restored no more, while there is a zone of the name.
 */

import { unicodeName } from "../../dns/name.ts";
import { seesZone } from "../../session/authorization.ts";
import type { Session } from "../../session/session.ts";
import { table } from "../../sql/columns.ts";
import { sql } from "../../sql/sql.ts";
import { Change, ChangeKind, DeletedDomain } from "../change.ts";
import type { Notice } from "../edit/notice.ts";

const x = table(DeletedDomain, "x");
const c = table(Change, "c");

/** The notice that a new zone is in the way of the deleted one that the session could restore; none where it could restore none. */
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
  const message = `The zone ${name} that was deleted at ${when} cannot be restored beside this one; to have its records back, delete this one and restore that.`;
  return [{ code: "FORMER_ZONE", message, field: "zone" }];
}
