/**
 * Changes with a publication that a webhook waits for. The leader checks them until they are live, less and less often, and stores the
 * events change.late, once, and change.live. A change that no secondary has to serve has no event. A change that is not live after a week
 * is checked no more.
 */
import { BigIntType } from "@mikro-orm/core";
import { Entity, Index, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { type NewEvent, noteEvents } from "../outbox/outbox.ts";
import { type PublicationRow, PublicationState, publications } from "../secondary/publication.ts";
import type { Session } from "../session/session.ts";
import { transaction } from "../session/transaction.ts";
import { table } from "../sql/columns.ts";
import { sql } from "../sql/sql.ts";
import { Change, type ChangeRow, changeColumns, changesWithUsers, userOfChange } from "../zone/change.ts";
import { dataOfChange } from "./message.ts";

@Entity({ tableName: "awaited_publication" })
@Index({ name: "awaited_publication_next_at_index", properties: ["nextAt"] })
export class AwaitedPublication {
  @PrimaryKey({ type: new BigIntType("number"), autoincrement: false })
  changeId!: number;

  @Property({ type: "boolean", default: false })
  isLate!: boolean;

  @Property({ type: "datetime", columnType: "timestamptz" })
  since!: Date;

  @Property({ type: "datetime", columnType: "timestamptz" })
  nextAt!: Date;
}

const a = table(AwaitedPublication, "a");
const awaited = table(AwaitedPublication);
const c = table(Change, "c");

/** Lets the publication of these changes be checked after the session's transaction. */
export async function awaitPublications(session: Session, changeIds: readonly number[]): Promise<void> {
  if (changeIds.length === 0) return;
  const insert = sql`
    insert into ${awaited} (${a.names("changeId", "since", "nextAt")})
    select id, clock_timestamp(), clock_timestamp() from unnest(${changeIds}::bigint[]) as id on conflict do nothing`;
  await insert.run(session);
}

const batchRows = 200;

/** The pause until the next check is a quarter of the time since the change, within these bounds, seconds. */
const [leastPause, mostPause] = [0.25, 60];

const givenUpAfter = sql`interval '7 days'`;

/** Checks the changes that are due, and stores the events of those that are live or late; returns whether any change is awaited. */
export async function lookAtPublications(session: Session, stopped: AbortSignal): Promise<boolean> {
  const query = sql<{ isDue: boolean; isAny: boolean }>`
    select exists (select from ${a} where ${a.nextAt} <= clock_timestamp()) as "isDue", exists (select from ${a}) as "isAny"`;
  const [first] = await query.run(session);
  if (first?.isDue) while (!stopped.aborted && (await lookAtBatch(session)));
  return first?.isAny ?? false;
}

function lookAtBatch(session: Session): Promise<boolean> {
  return transaction(session, async (inner) => {
    const due = sql<{ changeId: number; isLate: boolean }>`
      select ${a.columns("changeId", "isLate")} from ${a} where ${a.nextAt} <= clock_timestamp()
      order by ${a.nextAt} limit ${batchRows} for update skip locked`;
    const rows = await due.run(inner);
    if (rows.length === 0) return false;
    const ids = rows.map(({ changeId }) => changeId);
    const states = new Map((await publications(inner, "change", ids)).map((row) => [row.id, row]));
    const wasLate = new Map(rows.map(({ changeId, isLate }) => [changeId, isLate]));
    const isIn = (state: PublicationState) => (id: number) => states.get(id)?.state === state;
    const live = ids.filter(isIn(PublicationState.LIVE));
    const late = ids.filter(isIn(PublicationState.LATE));
    const over = ids.filter((id) => !late.includes(id) && !isIn(PublicationState.PENDING)(id));
    await note(
      inner,
      "change.late",
      late.filter((id) => !wasLate.get(id)),
      states,
    );
    await note(inner, "change.live", live, states);
    await sql`delete from ${a} where ${a.changeId} = any(${over}) or
      (${a.changeId} = any(${ids}) and ${a.since} < clock_timestamp() - ${givenUpAfter})`.run(inner);
    await sql`update ${a} set ${a.names("isLate")} = ${a.isLate} or ${a.changeId} = any(${late}),
      ${a.names("nextAt")} = clock_timestamp() + make_interval(secs => least(greatest(
        extract(epoch from clock_timestamp() - ${a.since})::float8 / 4, ${leastPause}), ${mostPause}))
      where ${a.changeId} = any(${ids})`.run(inner);
    return rows.length === batchRows;
  });
}

async function note(
  session: Session,
  event: "change.live" | "change.late",
  ids: readonly number[],
  states: ReadonlyMap<number, PublicationRow>,
): Promise<void> {
  if (ids.length === 0) return;
  const query = sql<ChangeRow & { readonly userId: number | null }>`
    select ${changeColumns}, ${userOfChange} as "userId" from ${changesWithUsers} where ${c.id} = any(${ids}) order by ${c.id}`;
  const changes = await query.run(session);
  const eventOf = ({ userId, ...change }: (typeof changes)[number]): NewEvent => {
    const { state, since } = states.get(change.id) as PublicationRow;
    const data = { ...dataOfChange(change, userId), state, since: since.toISOString() };
    return { event, userId, zone: change.zone, data };
  };
  await noteEvents(session, changes.map(eventOf));
}
