/**
 * How many zones a secondary has, and whether it is joining: from its registration until it first had all zones, those aside that were
 * made meanwhile and may not be LATE yet, no zone waits for it (publication.ts).
 */

import { Field, Int, ObjectType } from "type-graphql";
import { inSearch } from "../lists/list-statement.ts";
import type { Session } from "../session/session.ts";
import { transaction } from "../session/transaction.ts";
import { table } from "../sql/columns.ts";
import { sql } from "../sql/sql.ts";
import { Change, ChangeKind } from "../zone/change.ts";
import { Domain } from "../zone/domain.ts";
import { lateLimit } from "./lateness.ts";
import { isProven, serves } from "./publication.ts";
import { Secondary, Sighting } from "./secondary.ts";

const s = table(Secondary, "s");
const g = table(Sighting, "g");
const d = table(Domain, "d");
const c = table(Change, "c");

@ObjectType({ description: "How many of all zones a secondary serves.", simpleResolvers: true })
export class SecondaryProgress {
  @Field(() => Int, { description: "Number of zones that it serves at their committed serials." })
  served!: number;

  @Field(() => Int, { description: "Number of all zones." })
  total!: number;
}

/** Returns how many zones each of these secondaries serves, in their order. */
export async function zonesAt(session: Session, secondaryIds: readonly number[]): Promise<SecondaryProgress[]> {
  const query = sql<SecondaryProgress & { id: number }>`
    select ${s.id}, count(*) filter (where ${serves(d.serial)})::int as served, count(${d.id})::int as total
    from ${s} left join ${d} on ${d.userId} is not null
    left join ${g} on ${g.secondaryId} = ${s.id} and ${g.domainId} = ${d.id}
    where ${s.id} = any(${secondaryIds}::bigint[]) group by ${s.id}`;
  const rows = await inSearch(session, (db) => query.run(db));
  const byId = new Map(rows.map(({ id, ...zones }) => [id, zones]));
  return secondaryIds.map((id) => byId.get(id) ?? { served: 0, total: 0 });
}

/**
 * Notes of those of these secondaries that have all zones that they have joined, and returns their names. A zone at an earlier serial of
 * ours counts: where zones change all the time, a secondary is always behind in some. Left out is what was created or restored since the
 * registration and within the time limit of LATE: where zones are created all the time, a secondary never has them all.
 */
export async function noteJoined(session: Session, secondaryIds: readonly number[]): Promise<string[]> {
  const hasZone = sql`exists (
    select from ${g} where ${g.secondaryId} = ${s.id} and ${g.domainId} = ${d.id} and ${isProven} and ${g.provenSerial} is not null)`;
  const isNew = sql`exists (
    select from ${c} where ${c.domainId} = ${d.id} and ${c.kind} in (${ChangeKind.CREATE}, ${ChangeKind.RESTORE})
    and ${c.createdAt} > ${lateLimit(session)}::timestamptz and ${c.createdAt} > ${s.createdAt})`;
  const isJoined = sql`${s.id} = any(${secondaryIds}::bigint[]) and ${s.joinedAt} is null and not exists (
    select from ${d} where ${d.userId} is not null and not ${hasZone} and not ${isNew})`;
  const look = sql`select ${s.id} from ${s} where ${isJoined}`;
  if ((await look.run(session)).length === 0) return [];
  const lock = sql`select from ${s} where ${s.id} = any(${secondaryIds}::bigint[]) order by ${s.id} for no key update`;
  const note = sql<{ name: string }>`
    update ${s} set ${s.names("joinedAt")} = ${session.now()} where ${isJoined} returning ${s.name}`;
  return transaction(session, async (inner) => {
    // Of one that is moved to another address meanwhile, its sightings are looked at as they are then.
    await lock.run(inner);
    return (await note.run(inner)).map(({ name }) => name);
  });
}

/** Returns when each secondary joined, ms since 1970, by its id; one that is joining is left out. */
export async function joinedSecondaries(session: Session): Promise<Map<number, number>> {
  const query = sql<{ id: number; at: number }>`
    select ${s.id}, (extract(epoch from ${s.joinedAt}) * 1000)::float8 as at from ${s} where ${s.joinedAt} is not null`;
  return new Map((await query.run(session)).map(({ id, at }) => [id, at]));
}
