/**
 * A moment: the zone as one of its changes made it, until the next. A change is committed in the order of its zone's ids and never
 * altered, so a moment is named by the id of its change, and what was read of it stays right while the zone moves on.
 */

import { Refusal } from "../../errors.ts";
import type { Session } from "../../session/session.ts";
import { table } from "../../sql/columns.ts";
import { type Sql, sql } from "../../sql/sql.ts";
import { Change, ChangeKind, type ChangeRow, changeColumns } from "../change.ts";

const c = table(Change, "c");

/** What has a past: a domain, or a deleted one. Whoever reads its past was checked to see it. */
export interface Past {
  readonly id: number;
  readonly zone: string;
}

/** Which moment: the last at a serial, the one at a time, or that of a change; exactly one of them. */
export interface MomentSelector {
  readonly serial?: number | null | undefined;
  readonly time?: Date | null | undefined;
  readonly changeId?: number | null | undefined;
}

/** A moment of a zone. */
export interface Moment {
  readonly domainId: number;
  readonly zone: string;
  /** The change that made the zone so; never a deletion. */
  readonly change: ChangeRow;
}

/** Two moments of a zone, the ends of a difference; either may be the earlier. */
export interface Moments {
  /** Null is before the zone was created: all of it has come since. */
  readonly from: Moment | null;
  readonly to: Moment;
}

/** The present of a zone, or the last moment of a deleted one; HISTORY_GONE when the journal has nothing of it. */
export async function lastMoment(session: Session, past: Past): Promise<Moment> {
  const change = await findChange(session, past, sql`${c.kind} <> ${ChangeKind.DELETE}`);
  if (!change) throw await noSuchMoment(session, past, undefined, `${past.zone} has no journal`);
  return { domainId: past.id, zone: past.zone, change };
}

/**
 * The moment that a selector names, whose fields the request has under `path`. NOT_FOUND when the zone was never so or did not exist then,
 * HISTORY_GONE when the journal does not go back so far, INVALID_VALUE for a time to come.
 */
export async function momentOf(session: Session, past: Past, selector: MomentSelector, path = ""): Promise<Moment> {
  const [name, ...others] = (["serial", "time", "changeId"] as const).filter((each) => isGiven(selector[each]));
  const message = "Say when: by one of serial, time and changeId.";
  if (name === undefined) throw new Refusal("MISSING_FIELD", message);
  const field = path + name;
  if (others.length > 0) throw new Refusal("INVALID_VALUE", message, { field });
  const { time } = selector;
  if (time && time > session.now())
    throw new Refusal("INVALID_VALUE", `${field}: ${time.toISOString()} is to come; write a time in the past.`, {
      field,
    });
  const change = await findChange(session, past, conditionOf(selector));
  if (change && change.kind !== ChangeKind.DELETE) return { domainId: past.id, zone: past.zone, change };
  throw await noSuchMoment(session, past, field, absenceOf(past, selector, change));
}

/**
 * The two moments of a difference, whose selectors the request has under `from` and `to`; without the second, it leads to the last
 * moment. The first may be a time before the zone was created. Refused as momentOf and lastMoment.
 */
export async function momentsOf(
  session: Session,
  past: Past,
  from: MomentSelector,
  to: MomentSelector | undefined,
): Promise<Moments> {
  return {
    from: (await isBeforeCreation(session, past, from)) ? null : await momentOf(session, past, from, "from."),
    to: to ? await momentOf(session, past, to, "to.") : await lastMoment(session, past),
  };
}

/** Whether a selector is a time at which a zone, whose journal is whole, was not created yet. */
async function isBeforeCreation(session: Session, past: Past, { serial, time, changeId }: MomentSelector) {
  if (!time || isGiven(serial) || isGiven(changeId)) return false;
  const first = await firstChange(session, past);
  return first?.kind === ChangeKind.CREATE && time < first.createdAt;
}

const isGiven = (value: unknown) => value !== undefined && value !== null;

/** The change of a zone after one of its changes; null while there is none. */
export async function nextChange(session: Session, { domainId, id }: ChangeRow): Promise<ChangeRow | null> {
  const query = sql<ChangeRow>`
    select ${changeColumns} from ${c} where ${c.domainId} = ${domainId} and ${c.id} > ${id} order by ${c.id} limit 1`;
  return (await query.run(session))[0] ?? null;
}

function conditionOf({ serial, time, changeId }: MomentSelector): Sql<boolean> {
  if (time) return sql<boolean>`${c.createdAt} <= ${time}`;
  if (changeId) return sql<boolean>`${c.id} = ${changeId}`;
  // Serials can come round: the last change counts.
  return sql<boolean>`${c.serial} = ${serial} and ${c.kind} <> ${ChangeKind.DELETE}`;
}

/** The last change of a zone that meets a condition. */
async function findChange(session: Session, { id }: Past, condition: Sql<boolean>): Promise<ChangeRow | undefined> {
  const query = sql<ChangeRow>`
    select ${changeColumns} from ${c} where ${c.domainId} = ${id} and ${condition} order by ${c.id} desc limit 1`;
  return (await query.run(session))[0];
}

/** The first change of a zone that the journal has. */
async function firstChange(session: Session, { id }: Past): Promise<ChangeRow | undefined> {
  const query = sql<ChangeRow>`
    select ${changeColumns} from ${c} where ${c.domainId} = ${id} order by ${c.id} limit 1`;
  return (await query.run(session))[0];
}

/** Why there is no such moment: what was found is no change, or the deletion of the zone. */
function absenceOf(
  { zone }: Past,
  { serial, time, changeId }: MomentSelector,
  deletion: ChangeRow | undefined,
): string {
  if (deletion) return `${zone} was deleted ${deletion.createdAt.toISOString()} (serial ${deletion.serial})`;
  if (time) return `${zone} did not exist at ${time.toISOString()}, as far as is kept`;
  return changeId ? `${zone} has no change ${changeId}` : `${zone} was never at serial ${serial}`;
}

/** The refusal for a moment that there is not, with the first that there is. */
async function noSuchMoment(
  session: Session,
  past: Past,
  field: string | undefined,
  absence: string,
): Promise<Refusal> {
  const first = await firstChange(session, past);
  const since = first && `its journal begins ${first.createdAt.toISOString()} at serial ${first.serial}`;
  const isWhole = first?.kind === ChangeKind.CREATE;
  const advice = isWhole ? `${since}.` : `${since ?? "nothing is kept"}, what was before is gone.`;
  return new Refusal(
    isWhole ? "NOT_FOUND" : "HISTORY_GONE",
    `${field === undefined ? "" : `${field}: `}${absence}; ${advice}`,
    {
      ...(field !== undefined && { field }),
      ...(first && { details: { firstSerial: first.serial, firstTime: first.createdAt.toISOString() } }),
    },
  );
}
