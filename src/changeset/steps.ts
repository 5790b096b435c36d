/** The parts of every step of a change set: its lock, its preconditions, its new values, and its event. */

import { Refusal } from "../errors.ts";
import { type EventName, eventOfChangeSet } from "../outbox/event-kinds.ts";
import { noteEvents } from "../outbox/outbox.ts";
import { type Actor, mayWrite } from "../session/authorization.ts";
import type { Session } from "../session/session.ts";
import { transaction } from "../session/transaction.ts";
import { table } from "../sql/columns.ts";
import { sql } from "../sql/sql.ts";
import {
  ChangeSet,
  ChangeSetEvent,
  type ChangeSetRow,
  ChangeSetZone,
  changeSetById,
  lockChangeSet,
} from "./change-set.ts";
import { type ChangeSetEventKind, ChangeSetState } from "./states.ts";

const s = table(ChangeSet, "s");
const v = table(ChangeSetEvent, "v");
const z = table(ChangeSetZone, "z");

/** Whether an actor that sees a set may edit and apply it. A reviewer from another user may not. */
export const isEditable = ({ role, userId }: Actor, set: Pick<ChangeSetRow, "userId">) =>
  role !== "user" || userId === set.userId;

export function mayEdit(actor: Actor, set: ChangeSetRow): void {
  if (isEditable(actor, set)) return;
  const message = `Change set ${set.id} belongs to another user; you may only comment on it and review it.`;
  throw new Refusal("FORBIDDEN", message, { field: "id" });
}

/** Locks a set until the transaction ends; throws when the session may not edit it. */
export async function lockOwnSet(session: Session, id: number): Promise<ChangeSetRow> {
  const set = await lockChangeSet(session, id);
  mayEdit(session.actor, set);
  return set;
}

/** Throws WRONG_STATE unless the set is in one of the allowed states. */
export function expectState({ id, state }: ChangeSetRow, allowed: readonly ChangeSetState[]): void {
  if (allowed.includes(state)) return;
  const message = `Change set ${id} is ${state}; this is possible while it is ${allowed.join(" or ")}.`;
  throw new Refusal("WRONG_STATE", message, { field: "id", details: { state, neededStates: allowed } });
}

/** Throws WRONG_STATE unless a set that needs this many approvals may be applied or scheduled now. */
export function expectAppliable(set: ChangeSetRow, approvals: number): void {
  const states = appliableStates(approvals);
  if (set.state !== ChangeSetState.DRAFT) expectState(set, states);
  if (states.includes(set.state)) return;
  const needed = approvals === 1 ? "an approval" : `${approvals} approvals`;
  const message = `Change set ${set.id} needs ${needed} first: submit it for review, and apply it once it is approved.`;
  throw new Refusal("WRONG_STATE", message, { field: "id", details: { state: set.state, neededStates: states } });
}

/** The states in which a set that needs this many approvals may be applied. */
export const appliableStates = (approvals: number): readonly ChangeSetState[] =>
  approvals > 0 ? [ChangeSetState.APPROVED] : [ChangeSetState.DRAFT, ChangeSetState.APPROVED];

/** Throws STALE_CHANGE_SET when the set is at another revision; undefined and null expect nothing. */
export function expectRevision({ id, revision }: ChangeSetRow, expected: number | null | undefined): void {
  if (expected === undefined || expected === null || expected === revision) return;
  const message = `Change set ${id} is at revision ${revision}, not at the expected ${expected}; read it again.`;
  throw new Refusal("STALE_CHANGE_SET", message, { field: "expectedRevision", details: { revision } });
}

export function emptySet(id: number): Refusal {
  return new Refusal("INVALID_VALUE", `Change set ${id} has no edits; stage some first.`, { field: "id" });
}

/** The refusal of a set whose effect is not the expected one; `fingerprint` is the present effect. */
export function staleEffect({ id }: Pick<ChangeSetRow, "id">, fingerprint: string, field: string): Refusal {
  const message = `${field} is not the present fingerprint of change set ${id}: the set, or a record that it touches, was changed; look at its preview again.`;
  return new Refusal("STALE_CHANGE_SET", message, { field, details: { fingerprint } });
}

/** The refusal of a step for which the present effect has too few approvals. A set in state APPROVED then goes back to review. */
export function unapprovedEffect(set: Pick<ChangeSetRow, "id" | "state">, fingerprint: string): Refusal {
  if (set.state !== ChangeSetState.APPROVED) return staleEffect(set, fingerprint, "id");
  const message = `Change set ${set.id} no longer does what was approved, because its zones were changed: it is in review again, and needs new approvals.`;
  return new Refusal("STALE_CHANGE_SET", message, { field: "id", details: { fingerprint } });
}

/**
 * Takes a step of a set that the session may edit, in one transaction: the set is locked, is in one of the allowed states, and is at the
 * expected revision if there is one. Returns the set after it.
 */
export async function takeStep(
  session: Session,
  id: number,
  { allowed, expectedRevision }: { allowed: readonly ChangeSetState[]; expectedRevision?: number | null | undefined },
  take: (inner: Session, set: ChangeSetRow) => Promise<void>,
): Promise<ChangeSetRow> {
  mayWrite(session.actor);
  return transaction(session, async (inner) => {
    const set = await lockOwnSet(inner, id);
    expectState(set, allowed);
    expectRevision(set, expectedRevision);
    await take(inner, set);
    return changeSetById(inner, id);
  });
}

/** Records an event of a locked set. `revision` is the revision after the step. */
export async function addEvent(
  session: Session,
  { id, revision }: Pick<ChangeSetRow, "id" | "revision">,
  kind: ChangeSetEventKind,
  { text = "", fingerprint = null }: { readonly text?: string; readonly fingerprint?: string | null } = {},
): Promise<void> {
  const { actor } = session;
  const insert = sql`
    insert into ${v} (${v.names("changeSetId", "ordinal", "kind", "keyId", "actor", "revision", "fingerprint", "text", "createdAt")})
    select ${id}::bigint, coalesce(max(${v.ordinal}), 0) + 1, ${kind}, ${actor.keyId ?? null}::bigint, ${actor.name}, ${revision}::int, ${fingerprint}, ${text},
      ${session.now()}::timestamptz
    from ${v} where ${v.changeSetId} = ${id}`;
  await insert.run(session);
  const event = eventOfChangeSet(kind);
  if (event) await noteEvent(session, event, { id, revision }, text);
}

/** The maximum number of zones that a webhook event names. */
const maxZonesNamed = 100;

async function noteEvent(
  session: Session,
  event: EventName,
  { id, revision }: Pick<ChangeSetRow, "id" | "revision">,
  text: string,
): Promise<void> {
  const query = sql<{ title: string; userId: number | null; zones: string[] }>`
    select ${s.columns("title", "userId")}, array(
      select ${z.zone} from ${z} where ${z.changeSetId} = ${s.id} order by ${z.zone}) as zones
    from ${s} where ${s.id} = ${id}`;
  const [set] = await query.run(session);
  if (!set) return;
  const { title, userId, zones } = set;
  const about = { changeSetId: String(id), title, userId: userId === null ? null : String(userId), revision };
  const data = {
    ...about,
    ...{ actor: session.actor.name, text, zones: zones.slice(0, maxZonesNamed), zoneCount: zones.length },
  };
  await noteEvents(session, [{ event, userId, zones: zones.length > 0 ? zones : null, data }]);
}

export const withoutSchedule = { applyAt: null, onMissed: null, scheduledByKeyId: null, scheduledFingerprint: null };

export async function updateSet(
  session: Session,
  { id }: Pick<ChangeSetRow, "id">,
  values: Partial<Omit<ChangeSetRow, "id" | "updatedAt">>,
): Promise<void> {
  const all: Partial<ChangeSetRow> = { ...values, updatedAt: session.now() };
  const assignments = Object.entries(all).map(
    ([name, value]) => sql`${s.names(name as keyof ChangeSetRow)} = ${value}`,
  );
  await sql`update ${s} set ${sql.join(assignments)} where ${s.id} = ${id}`.run(session);
}
