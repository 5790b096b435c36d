/**
 * What the leader does with change sets over time: it applies due sets, warns of scheduled ones in conflict, and expires untouched ones.
 * Each set is locked and checked again, so that this happens once whoever leads. The clock is that of the database. A set whose application
 * fails becomes a draft or goes back to review, and says why; it is not tried again.
 */

import type { Logger } from "pino";
import { workingActor } from "../../account/authentication.ts";
import { audited } from "../../audit/audited.ts";
import { errorLogger, onRefusal, Refusal, refusalOf } from "../../errors.ts";
import type { Session } from "../../session/session.ts";
import { transaction } from "../../session/transaction.ts";
import { table } from "../../sql/columns.ts";
import { sql } from "../../sql/sql.ts";
import { Change } from "../../zone/change.ts";
import {
  ChangeSet,
  ChangeSetEvent,
  type ChangeSetRow,
  ChangeSetZone,
  changeSetById,
  lockChangeSet,
} from "../change-set.ts";
import { expectApplicable } from "../check/check-zone.ts";
import { previewUnshown } from "../check/preview.ts";
import { sendBack } from "../review/send-back.ts";
import { ChangeSetEventKind, ChangeSetState, expiringStates } from "../states.ts";
import { addEvent, updateSet } from "../steps.ts";
import { applyScheduled } from "./apply.ts";

const s = table(ChangeSet, "s");
const z = table(ChangeSetZone, "z");
const v = table(ChangeSetEvent, "v");
const c = table(Change, "c");

/** The maximum number of sets in one run; the next run continues with the rest. */
const maxSets = 100;

export async function applyDueSets(session: Session, log: Logger): Promise<void> {
  const due = sql<boolean>`${s.state} = ${ChangeSetState.SCHEDULED} and ${s.applyAt} <= clock_timestamp()`;
  for (const id of await idsOf(session, due, s.applyAt)) await applyDue(session, id, log);
}

async function applyDue(session: Session, id: number, log: Logger): Promise<void> {
  const set = await changeSetById(session, id);
  try {
    const scheduler = { ...session, actor: await schedulerOf(session, set) };
    const operation = {
      name: "applyChangeSet",
      input: { id },
      refusalOf: (error: unknown) => lasting(refusalOf(error, () => {})),
    };
    await audited(scheduler, operation, (inner) => applyScheduled(inner, set));
  } catch (error) {
    const refusal = lasting(refusalOf(error, errorLogger(log, "a scheduled change set could not be applied")));
    if (refusal) await sendBack(session, set, refusal);
  }
}

/** The refusal if it is lasting; undefined for a temporary failure, after which the set stays scheduled. */
const lasting = (refusal: Refusal) => (refusal.retryAfter === undefined ? refusal : undefined);

/** The actor that scheduled a set; throws UNAUTHENTICATED when its key is no longer valid. */
async function schedulerOf(session: Session, { scheduledByKeyId }: ChangeSetRow) {
  const actor = scheduledByKeyId === null ? undefined : await workingActor(session, scheduledByKeyId);
  if (actor) return actor;
  throw new Refusal(
    "UNAUTHENTICATED",
    "The key that scheduled the change set is no longer valid; schedule it with another key.",
  );
}

/**
 * Finds scheduled sets that could not be applied as they are, because others changed their zones since, and says so once for each schedule:
 * by an event of the set. A set is checked again when its zones have changed.
 */
export class ScheduleWatch {
  /** The newest change of the zones of each set, as of its last check. */
  readonly #checked = new Map<number, number>();

  async run(session: Session): Promise<void> {
    const sets = await newestOfScheduled(session);
    for (const id of this.#checked.keys()) if (!sets.has(id)) this.#checked.delete(id);
    for (const [id, newest] of sets) {
      if (this.#checked.get(id) === newest) continue;
      await noteConflict(session, await changeSetById(session, id));
      this.#checked.set(id, newest);
    }
  }
}

/** The scheduled sets without such an event since they were scheduled, each with the newest change of its zones. */
async function newestOfScheduled(session: Session): Promise<ReadonlyMap<number, number>> {
  const lastOf = (kind: ChangeSetEventKind) =>
    sql`(select coalesce(max(${v.ordinal}), 0) from ${v} where ${v.changeSetId} = ${s.id} and ${v.kind} = ${sql.lit(kind)})`;
  const query = sql<{ id: number; newest: number }>`
    select ${s.id} as id, coalesce((
      select max((select max(${c.id}) from ${c} where ${c.domainId} = ${z.domainId})) from ${z} where ${z.changeSetId} = ${s.id}
    ), 0) as newest
    from ${s} where ${s.state} = ${sql.lit(ChangeSetState.SCHEDULED)}
      and ${lastOf(ChangeSetEventKind.CONFLICTED)} < ${lastOf(ChangeSetEventKind.SCHEDULED)}
    order by ${s.applyAt} limit ${maxSets}`;
  return new Map((await query.run(session)).map(({ id, newest }) => [id, newest]));
}

async function noteConflict(session: Session, read: ChangeSetRow): Promise<void> {
  const obstacle = await onRefusal(
    async () => {
      const { zones, fingerprint } = await previewUnshown(
        { ...session, actor: await schedulerOf(session, read) },
        read,
      );
      expectApplicable(zones, read.mode);
      return fingerprint === read.scheduledFingerprint
        ? undefined
        : "It would do something else than what was scheduled.";
    },
    (refusal) => lasting(refusal)?.message,
  );
  if (obstacle === undefined) return;
  await transaction(session, async (inner) => {
    const set = await lockChangeSet(inner, read.id);
    if (set.state !== ChangeSetState.SCHEDULED || set.scheduledFingerprint !== read.scheduledFingerprint) return;
    await addEvent(inner, set, ChangeSetEventKind.CONFLICTED, { text: obstacle });
  });
}

/** Expires the sets that nobody changed for CHANGE_SET_DAYS. */
export async function expireSets(session: Session): Promise<void> {
  const { days } = session.policy.changeSetLimits;
  const isUntouched = sql<boolean>`${s.state} in (${sql.join(expiringStates.map((state) => sql.lit(state)))})
    and ${s.updatedAt} < clock_timestamp() - make_interval(days => ${days}::int)`;
  for (const id of await idsOf(session, isUntouched, s.updatedAt))
    await transaction(session, async (inner) => {
      const set = await lockChangeSet(inner, id);
      const [stillSo] = await idsOf(inner, sql<boolean>`${s.id} = ${id} and ${isUntouched}`, s.updatedAt);
      if (stillSo === undefined) return;
      await updateSet(inner, set, { state: ChangeSetState.EXPIRED });
      await addEvent(inner, set, ChangeSetEventKind.EXPIRED);
    });
}

async function idsOf(
  session: Session,
  condition: ReturnType<typeof sql<boolean>>,
  order: typeof s.applyAt | typeof s.updatedAt,
): Promise<number[]> {
  const query = sql<{ id: number }>`
    select ${s.id} as id from ${s} where ${condition} order by ${order}, ${s.id} limit ${maxSets}`;
  return (await query.run(session)).map(({ id }) => id);
}
