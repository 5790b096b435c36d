/**
 * Names that belong to another user without being zones: names above or below a zone, and for a grace time the name of a deleted zone
 * with the names above and below it. A zone of such a name could answer for the other user, whose delegation may still point here.
 */

import { Refusal } from "../../errors.ts";
import type { Session } from "../../session/session.ts";
import { type RowOf, table } from "../../sql/columns.ts";
import { isBelow } from "../../sql/names-below.ts";
import { type Sql, sql } from "../../sql/sql.ts";
import { DeletedDomain } from "../change.ts";
import { Domain } from "../domain.ts";
import { ancestors } from "../edit/rules.ts";

const domain = table(Domain);
const x = table(DeletedDomain, "x");
const later = table(DeletedDomain, "later");
const keptColumns = x.columns("zone", "deletedAt");

const field = "zone";

/**
 * Throws ZONE_CONFLICT when the name of a zone belongs to another user. The caller has inserted the row of the zone before: that insertion
 * waits for a concurrent deletion, so this check sees the deletion. Creations below the same last two labels (the last label, if zones of
 * one label are allowed) wait for each other until the transaction ends, so that each sees the other.
 */
export async function refuseNeighbours(session: Session, userId: number, zone: string): Promise<void> {
  const labels = session.policy.topLevelZones ? 1 : 2;
  const lock = zone.split(".").slice(-labels).join(".");
  await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.run(session);
  await checkNeighbours(session, userId, zone);
}

export async function checkNeighbours(session: Session, userId: number, zone: string): Promise<void> {
  if (await isBesideAnothers(session, userId, zone)) throw conflict(`a zone above or below ${zone} is another user's`);
  const kept = await keptForAnother(session, userId, zone);
  if (!kept) return;
  const which = kept.zone === zone ? zone : `a zone above or below ${zone}`;
  throw conflict(`${which} was deleted and is kept for its user until ${kept.until.toISOString()}`);
}

function conflict(why: string): Refusal {
  return new Refusal("ZONE_CONFLICT", `${field}: ${why}; write another name, or ask the operator to create it.`, {
    field,
  });
}

function isBeside(column: Sql, zone: string): Sql<boolean> {
  const above = ancestors(zone).slice(0, -1);
  return sql<boolean>`(${column} = any(${above}) or ${isBelow(column, zone)})`;
}

async function isBesideAnothers(session: Session, userId: number, zone: string): Promise<boolean> {
  const query = sql`
    select from ${domain} where ${domain.userId} <> ${userId} and ${isBeside(domain.zone, zone)} limit 1`;
  return (await query.run(session)).length > 0;
}

const msPerDay = 86_400_000;

/**
 * Returns a deleted zone at, above or below this name whose last user was another user, and the time until which its name is reserved for
 * that user, who may no longer exist. A deleted zone does not count if a later zone had the same name.
 */
async function keptForAnother(
  session: Session,
  userId: number,
  zone: string,
): Promise<{ zone: string; until: Date } | undefined> {
  const grace = session.policy.deletedZoneGraceDays * msPerDay;
  const query = sql<RowOf<typeof keptColumns>>`
    select ${keptColumns} from ${x}
    where ${x.deletedAt} > ${new Date(session.now().getTime() - grace)} and ${x.userId} <> ${userId}
      and (${x.zone} = ${zone} or ${isBeside(x.zone, zone)})
      and not exists (select from ${domain} where ${domain.zone} = ${x.zone} and ${domain.zone} <> ${zone})
      and not exists (select from ${later} where ${later.zone} = ${x.zone} and ${later.deletedAt} > ${x.deletedAt})
    order by ${x.zone} = ${zone} desc, ${x.deletedAt} desc limit 1`;
  const [kept] = await query.run(session);
  return kept && { zone: kept.zone, until: new Date(kept.deletedAt.getTime() + grace) };
}
