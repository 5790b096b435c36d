/**
 * The events of a change set: what was done with it, by whom, and what they wrote. And what a step expects
 * of a set.
 */

import { Refusal } from "../errors.ts";
import { type EventName, eventOfChangeSet } from "../outbox/event-kinds.ts";
import { noteEvents } from "../outbox/outbox.ts";
import type { Actor } from "../session/authorization.ts";
import type { Session } from "../session/session.ts";
import { table } from "../sql/columns.ts";
import { type Sql, sql } from "../sql/sql.ts";
import { ChangeSet, type ChangeSetRow, ChangeSetZone, lockChangeSet } from "./change-set.ts";
import { ChangeSetEvent } from "./change-set-event.ts";
import { type ChangeSetEventKind, ChangeSetState } from "./states.ts";

const s = table(ChangeSet, "s");
const v = table(ChangeSetEvent, "v");
const z = table(ChangeSetZone, "z");

/** Whether an actor that sees a set may edit and apply it: who only reviews it may not. */
export const isEditable = ({ role, userId }: Actor, set: Pick<ChangeSetRow, "userId">) =>
  role !== "user" || userId === set.userId;

/** Refuses who only reviews a set. */
export function mayEdit(actor: Actor, set: ChangeSetRow): void {
  if (isEditable(actor, set)) return;
  const message = `Change set ${set.id} is of another user; you may comment and review it, and no more.`;
  throw new Refusal("FORBIDDEN", message, { field: "id" });
}

/** Locks a set that the session may edit until the transaction ends. */
export async function lockOwnSet(session: Session, id: number): Promise<ChangeSetRow> {
  const set = await lockChangeSet(session, id);
  mayEdit(session.actor, set);
  return set;
}

/** Refuses what is not possible in the state of a set. */
export function expectState({ id, state }: ChangeSetRow, allowed: readonly ChangeSetState[]): void {
  if (allowed.includes(state)) return;
  const message = `Change set ${id} is ${state}; this is possible while it is ${allowed.join(" or ")}.`;
  throw new Refusal("WRONG_STATE", message, { field: "id", details: { state, neededStates: allowed } });
}

/** Refuses a set that somebody else has changed since it was read; undefined expects nothing. */
export function expectRevision({ id, revision }: ChangeSetRow, expected: number | null | undefined): void {
  if (expected === undefined || expected === null || expected === revision) return;
  const message = `Change set ${id} is at revision ${revision}, not at the expected ${expected}; read it again.`;
  throw new Refusal("STALE_CHANGE_SET", message, { field: "expectedRevision", details: { revision } });
}

/** The refusal of a set without zones. */
export function emptySet(id: number): Refusal {
  return new Refusal("INVALID_VALUE", `Change set ${id} has no edits; stage some first.`, { field: "id" });
}

/** The refusal of a set that would do something else than was expected: what has this fingerprint. */
export function staleEffect({ id }: Pick<ChangeSetRow, "id">, fingerprint: string, field: string): Refusal {
  const message = `${field} is not the fingerprint of change set ${id} as things are now: a record that it touches was changed, or the set was; look at its preview again.`;
  return new Refusal("STALE_CHANGE_SET", message, { field, details: { fingerprint } });
}

/** The refusal to do what needs approvals with a set that has not those of what it does now: one that was approved goes back to review. */
export function unapprovedEffect(set: Pick<ChangeSetRow, "id" | "state">, fingerprint: string): Refusal {
  if (set.state !== ChangeSetState.APPROVED) return staleEffect(set, fingerprint, "id");
  const message = `Change set ${set.id} would do something else than was approved, since its zones were changed meanwhile: it is in review again, and must be approved again.`;
  return new Refusal("STALE_CHANGE_SET", message, { field: "id", details: { fingerprint } });
}

/** Notes what was done with a locked set, at the revision that it has after it. */
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

/** The most zones of a set that an event names. */
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

/** New values of a set. */
export type SetValues = Partial<
  Pick<
    ChangeSetRow,
    | ("title" | "description" | "state" | "revision" | "requestedApprovals" | "userId" | "appliedAt" | "appliedBy")
    | ("applyAt" | "onMissed" | "scheduledByKeyId" | "scheduledFingerprint" | "failure" | "applying" | "mode")
  >
>;

/** A set that is not scheduled, or no more. */
export const withoutSchedule = { applyAt: null, onMissed: null, scheduledByKeyId: null, scheduledFingerprint: null };

/** Gives a locked set these values, and the time at which it was touched. */
export async function updateSet(session: Session, { id }: Pick<ChangeSetRow, "id">, values: SetValues): Promise<void> {
  const entries: [keyof ChangeSetRow, unknown][] = [...(Object.entries(values) as [keyof ChangeSetRow, unknown][])];
  entries.push(["updatedAt", session.now()]);
  const assignments: Sql[] = entries.map(([name, value]) => sql`${s.names(name)} = ${value}`);
  await sql`update ${s} set ${sql.join(assignments)} where ${s.id} = ${id}`.run(session);
}
