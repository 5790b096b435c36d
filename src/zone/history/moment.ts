/**
 * A moment: the zone as one of its changes left it, until the next change. The ids of a zone's changes ascend in commit order and a
 * change is never altered, so the id of the change identifies the moment, and what was read of a moment stays true.
 */

import { Refusal } from "../../errors.ts";
import type { Session } from "../../session/session.ts";
import { table } from "../../sql/columns.ts";
import { type Sql, sql } from "../../sql/sql.ts";
import { Change, ChangeKind, type ChangeRow, changeColumns } from "../change.ts";

const c = table(Change, "c");

/** A domain or a deleted domain, for reads of its past. The caller has checked that the actor sees it. */
export interface Past {
  readonly id: number;
  readonly zone: string;
}

/** Selects a moment by exactly one of: the last change with this serial, the last change by this time, or a change. */
export interface MomentSelector {
  readonly serial?: number | null | undefined;
  readonly time?: Date | null | undefined;
  readonly changeId?: number | null | undefined;
}

export interface Moment {
  readonly domainId: number;
  readonly zone: string;
  /** The change that begins the moment; never a deletion. */
  readonly change: ChangeRow;
}

/** The two moments of a difference; either may be the earlier one. */
export interface Moments {
  /** Null: before the zone was created, so every record of `to` was added. */
  readonly from: Moment | null;
  readonly to: Moment;
}

/**
 * Returns the present moment of a zone, or the last moment of a deleted one; throws HISTORY_GONE when the journal has no change of the
 * zone.
 */
export async function lastMoment(session: Session, past: Past): Promise<Moment> {
  const change = await findChange(session, past, sql`${c.kind} <> ${ChangeKind.DELETE}`);
  if (!change) throw await noSuchMoment(session, past, undefined, `${past.zone} has no journal`);
  return { domainId: past.id, zone: past.zone, change };
}

/**
 * Returns the selected moment; `path` is the path of the selector in the request. Throws NOT_FOUND when the zone has no such moment,
 * HISTORY_GONE when the journal does not reach back that far, INVALID_VALUE for a time in the future.
 */
export async function momentOf(session: Session, past: Past, selector: MomentSelector, path = ""): Promise<Moment> {
  const [name, ...others] = (["serial", "time", "changeId"] as const).filter((each) => isGiven(selector[each]));
  const message = "The moment takes exactly one of serial, time and changeId; send one.";
  if (name === undefined) throw new Refusal("MISSING_FIELD", message);
  const field = path + name;
  if (others.length > 0) throw new Refusal("INVALID_VALUE", message, { field });
  const { time } = selector;
  if (time && time > session.now())
    throw new Refusal("INVALID_VALUE", `${field}: ${time.toISOString()} is in the future; write a time in the past.`, {
      field,
    });
  const change = await findChange(session, past, conditionOf(selector));
  if (change && change.kind !== ChangeKind.DELETE) return { domainId: past.id, zone: past.zone, change };
  throw await noSuchMoment(session, past, field, absenceOf(past, selector, change));
}

/**
 * Returns the moments of a difference. Without `to` it ends at the last moment. `from` may be a time before the zone was created. Throws
 * as `momentOf` and `lastMoment`.
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

/** Whether the selector is a time before the zone was created, by a complete journal. */
async function isBeforeCreation(session: Session, past: Past, { serial, time, changeId }: MomentSelector) {
  if (!time || isGiven(serial) || isGiven(changeId)) return false;
  const first = await firstChange(session, past);
  return first?.kind === ChangeKind.CREATE && time < first.createdAt;
}

const isGiven = (value: unknown) => value !== undefined && value !== null;

export async function nextChange(session: Session, { domainId, id }: ChangeRow): Promise<ChangeRow | null> {
  const query = sql<ChangeRow>`
    select ${changeColumns} from ${c} where ${c.domainId} = ${domainId} and ${c.id} > ${id} order by ${c.id} limit 1`;
  return (await query.run(session))[0] ?? null;
}

function conditionOf({ serial, time, changeId }: MomentSelector): Sql<boolean> {
  if (time) return sql<boolean>`${c.createdAt} <= ${time}`;
  if (changeId) return sql<boolean>`${c.id} = ${changeId}`;
  // A serial can recur: the last change with it counts.
  return sql<boolean>`${c.serial} = ${serial} and ${c.kind} <> ${ChangeKind.DELETE}`;
}

async function findChange(session: Session, { id }: Past, condition: Sql<boolean>): Promise<ChangeRow | undefined> {
  const query = sql<ChangeRow>`
    select ${changeColumns} from ${c} where ${c.domainId} = ${id} and ${condition} order by ${c.id} desc limit 1`;
  return (await query.run(session))[0];
}

async function firstChange(session: Session, { id }: Past): Promise<ChangeRow | undefined> {
  const query = sql<ChangeRow>`
    select ${changeColumns} from ${c} where ${c.domainId} = ${id} order by ${c.id} limit 1`;
  return (await query.run(session))[0];
}

function absenceOf(
  { zone }: Past,
  { serial, time, changeId }: MomentSelector,
  deletion: ChangeRow | undefined,
): string {
  if (deletion) return `${zone} was deleted ${deletion.createdAt.toISOString()} (serial ${deletion.serial})`;
  if (time) return `${zone} did not exist at ${time.toISOString()} by its journal`;
  return changeId ? `${zone} has no change ${changeId}` : `${zone} was never at serial ${serial}`;
}

async function noSuchMoment(
  session: Session,
  past: Past,
  field: string | undefined,
  absence: string,
): Promise<Refusal> {
  const first = await firstChange(session, past);
  const since = first && `its journal begins ${first.createdAt.toISOString()} at serial ${first.serial}`;
  const isWhole = first?.kind === ChangeKind.CREATE;
  const advice = isWhole ? `${since}.` : since ? `${since}; earlier changes are not kept.` : "no change is kept.";
  return new Refusal(
    isWhole ? "NOT_FOUND" : "HISTORY_GONE",
    `${field === undefined ? "" : `${field}: `}${absence}; ${advice}`,
    {
      ...(field !== undefined && { field }),
      ...(first && { details: { firstSerial: first.serial, firstTime: first.createdAt.toISOString() } }),
    },
  );
}
