/**
 * The application of a set whose zones change each for itself: what each is looked at as is kept with it, the set is APPLYING, and the leader
 * changes its zones one after the other (each-zone.ts). Who applies it waits for that as long as it likes.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Session } from "../../session/session.ts";
import { table } from "../../sql/columns.ts";
import { sql } from "../../sql/sql.ts";
import { type ChangeSetRow, ChangeSetZone, changeSetById } from "../change-set.ts";
import type { Preview } from "../check/preview.ts";
import { addEvent, updateSet } from "../events.ts";
import { reviewOf } from "../review/review.ts";
import { ChangeSetEventKind, ChangeSetState } from "../states.ts";
import { asLookedAt } from "./as-previewed.ts";

const z = table(ChangeSetZone, "z");

/** How long who applies a set waits for its zones. */
export interface Patience {
  readonly waitMs: number;
  /** Aborted when the client has left. */
  readonly gone?: AbortSignal | undefined;
}

/** Begins the application of a set, if it would do what was looked at; answers when it is over, or not in time. */
export async function applyEach(
  session: Session,
  id: number,
  expectedFingerprint: string,
  patience: Patience,
): Promise<ChangeSetRow> {
  const set = await asLookedAt(session, id, expectedFingerprint, beginEach);
  return whenOver(session, set, patience);
}

/** Begins to apply a locked set as it was looked at. */
export async function beginEach(session: Session, set: ChangeSetRow, { zones, fingerprint }: Preview): Promise<void> {
  const rows = zones.map(({ staged: { zone }, fingerprint }) => ({ zone, fingerprint }));
  await sql`
    update ${z} set ${z.names("fingerprint")} = o.fingerprint
    from json_to_recordset(${JSON.stringify(rows)}::json) as o(zone text, fingerprint text)
    where ${z.changeSetId} = ${set.id} and ${z.zone} = o.zone`.run(session);
  const { actor, source } = session;
  const approvals = (await reviewOf(session, set)).approvalOf(fingerprint).given;
  await updateSet(session, set, {
    state: ChangeSetState.APPLYING,
    applying: { keyId: actor.keyId ?? null, door: source, approvals },
    appliedBy: actor.name,
    failure: null,
  });
  await addEvent(session, set, ChangeSetEventKind.APPLYING, { fingerprint });
}

/** Between two looks at a set that is being applied: at first, then growing to the maximum, ms. */
const [firstLookMs, maxLookMs, lookGrowth] = [25, 500, 1.5];

async function whenOver(session: Session, begun: ChangeSetRow, { waitMs, gone }: Patience): Promise<ChangeSetRow> {
  const end = performance.now() + waitMs;
  for (let set = begun, wait = firstLookMs; ; wait = Math.min(wait * lookGrowth, maxLookMs)) {
    const left = end - performance.now();
    if (set.state !== ChangeSetState.APPLYING || left <= 0 || gone?.aborted) return set;
    await sleep(Math.min(wait, left), undefined, { signal: gone }).catch(() => {});
    set = await changeSetById(session, set.id);
  }
}
