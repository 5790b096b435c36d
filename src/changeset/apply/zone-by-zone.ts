/**
 * Applies APPLYING sets zone by zone, in the order of the zone names. One transaction changes as many zones as it can in about 50 ms. Each
 * zone is changed as a whole, and its outcome is stored with it.
 *
 * Sets take turns of one transaction each: first one set of each user, then the next set of each user. A new set takes part at once. A zone
 * whose effect is no longer the previewed one becomes REFUSED, and the other zones continue.
 *
 * The row of each zone is locked with `skip locked`, so each zone is changed only once even if there are several leaders. After a crash the
 * remaining zones are continued.
 */

import type { Logger } from "pino";
import { ApiKey } from "../../account/api-key.ts";
import { approvalsOf } from "../../account/review-policy.ts";
import { errorLogger, type Reason, Refusal, refusalOf } from "../../errors.ts";
import type { Session } from "../../session/session.ts";
import { transaction } from "../../session/transaction.ts";
import { table } from "../../sql/columns.ts";
import { sql } from "../../sql/sql.ts";
import { ChangeKind } from "../../zone/change.ts";
import { ChangeSet, type ChangeSetRow, ChangeSetZone, lockChangeSet } from "../change-set.ts";
import { type CheckedZone, isApplicable, reasonsAgainst } from "../check/check-zone.ts";
import { lineOf } from "../check/conflict.ts";
import { withinQuotas } from "../check/within-quotas.ts";
import type { ChangeSetZoneRow } from "../contents.ts";
import { progressOf } from "../progress.ts";
import { ChangeSetEventKind, ChangeSetState, makesZone, ZoneOutcome } from "../states.ts";
import { addEvent, updateSet } from "../steps.ts";
import { CheckAhead, type ZoneAhead, type ZonesAhead } from "./check-ahead.ts";
import { type LockedZones, lockAndCheck, noteOutcomes, storeZones, type ZoneResult } from "./locked-zones.ts";

const s = table(ChangeSet, "s");
const z = table(ChangeSetZone, "z");
const k = table(ApiKey, "k");

/** The approximate duration of a run, ms. A set that waits for locked zones tries them once in a run, so that it hardly delays others. */
const runMs = 60_000;

/**
 * The numbers of zones of one transaction: in the first, at most, and at least. Then the time for which one transaction should hold its
 * zones, ms.
 */
const [firstSize, maxSize, minSize, wantedMs] = [8, 100, 8, 50];

/** How long a transaction waits for a locked zone. A transaction of several zones holds the others meanwhile, and waits less. */
const lockTimeouts = { ofOne: "5s", ofSeveral: "500ms" };

const maxReasons = 20;

/**
 * Applies all APPLYING sets, until no set has a zone that can be changed now, or the time of the run is over and each set has had a turn.
 * Returns whether there were such sets.
 */
export async function applyZones(session: Session, log: Logger, stopped?: AbortSignal): Promise<boolean> {
  const end = performance.now() + runMs;
  const begun = new Set<number>();
  const sets = new Map<ZoneByZone, string>();
  const hadTurn = new Set<ZoneByZone>();
  try {
    do {
      for (const { id, author } of await setsToApply(session)) {
        if (!begun.has(id)) sets.set(new ZoneByZone(session, id, log), author);
        begun.add(id);
      }
      const isAlone = sets.size === 1;
      for (const [author, set] of firstOfEach(sets)) {
        if (stopped?.aborted) return true;
        const goesOn = await set.next(isAlone);
        hadTurn.add(set);
        sets.delete(set);
        if (goesOn) sets.set(set, author);
      }
    } while (sets.size > 0 && (hadTurn.size < begun.size || performance.now() < end));
  } finally {
    for (const set of sets.keys()) await set.end();
  }
  return begun.size > 0;
}

function firstOfEach(sets: ReadonlyMap<ZoneByZone, string>): Map<string, ZoneByZone> {
  const first = new Map<string, ZoneByZone>();
  for (const [set, author] of sets) if (!first.has(author)) first.set(author, set);
  return first;
}

/**
 * The APPLYING sets, each with its author. An author, which is a user or the key of an administrator, has one turn at a time for all of the
 * author's sets.
 */
async function setsToApply(session: Session): Promise<{ id: number; author: string }[]> {
  const query = sql<{ id: number; author: string }>`
    select ${s.id} as id, coalesce('user ' || ${k.userId}, 'key ' || ${s.authorKeyId}, '') as author
    from ${s} left join ${k} on ${k.id} = ${s.authorKeyId}
    where ${s.state} = ${sql.lit(ChangeSetState.APPLYING)} order by ${s.id}`;
  return query.run(session);
}

class ZoneByZone {
  readonly #session: Session;
  readonly #id: number;
  readonly #log: Logger;
  #size = firstSize;
  readonly #checkAhead: CheckAhead;
  /** The zones that were checked ahead and have had no turn yet. */
  #ahead: ZonesAhead | undefined;

  constructor(session: Session, id: number, log: Logger) {
    this.#session = session;
    this.#id = id;
    this.#log = log;
    this.#checkAhead = new CheckAhead(session, id);
  }

  /** Changes some zones. Returns false when no zone is left that can be changed now. `isAlone` says that no other set waits for a turn. */
  async next(isAlone: boolean): Promise<boolean> {
    const ahead = this.#ahead?.zones.length ? this.#ahead : await this.#checkAhead.next(isAlone, this.#size);
    if (!ahead) return false;
    const together = this.#together(ahead);
    if (together.length === 0) {
      await finish(this.#session, this.#id);
      return false;
    }
    this.#ahead = ahead;
    if (await this.#change(ahead, together)) this.#ahead = { ...ahead, zones: ahead.zones.slice(together.length) };
    return true;
  }

  async end(): Promise<void> {
    await this.#checkAhead.end();
  }

  /** The next zones for one transaction: several edited zones, or one zone that is created, deleted or restored. */
  #together({ zones }: ZonesAhead): readonly ZoneAhead[] {
    const next = zones.slice(0, this.#size);
    const other = next.findIndex(({ row }) => row.action !== ChangeKind.EDIT);
    return other === -1 ? next : next.slice(0, Math.max(1, other));
  }

  /** Changes zones in one transaction. Returns false when nothing was stored and the zones are to be tried again one by one. */
  async #change({ set, session }: ZonesAhead, zones: readonly ZoneAhead[]): Promise<boolean> {
    let began = performance.now();
    try {
      await transaction(this.#session, async (inner) => {
        const rows = await this.#take(inner, zones);
        if (rows.length === 0) return;
        if (session instanceof Refusal) throw session;
        began = performance.now();
        await store({ ...inner, actor: session.actor, source: session.source }, set, rows, zones);
      });
      this.#adapt(performance.now() - began);
      return true;
    } catch (error) {
      // Nothing was stored: the zones are tried one by one, and a zone that fails alone is refused.
      this.#size = 1;
      if (zones.length > 1) return false;
      await this.#refuse(zones, error);
      return true;
    }
  }

  #adapt(heldMs: number): void {
    if (heldMs > wantedMs) this.#size = Math.max(minSize, Math.floor(this.#size / 2));
    else if (heldMs < wantedMs / 2) this.#size = Math.min(maxSize, this.#size * 2);
  }

  /** Locks those of these zones that nobody else has locked and that have no outcome. */
  async #take(session: Session, zones: readonly ZoneAhead[]): Promise<ChangeSetZoneRow[]> {
    const names = zones.map(({ row }) => row.zone);
    const query = sql<{ zone: string }>`
      select ${z.zone} from ${z}
      where ${z.changeSetId} = ${this.#id} and ${z.outcome} is null and ${z.zone} = any(${names}::text[])
      order by ${z.zone} for update skip locked`;
    const rows = await query.run(session);
    const taken = new Set(rows.map(({ zone }) => zone));
    return zones.map(({ row }) => row).filter(({ zone }) => taken.has(zone));
  }

  async #refuse(zones: readonly ZoneAhead[], error: unknown): Promise<void> {
    const refusal = refusalOf(error, errorLogger(this.#log, "a zone of a change set could not be changed"));
    // A temporary failure of the database: the zone stays without an outcome and is tried again later.
    if (refusal.retryAfter !== undefined) return;
    await transaction(this.#session, async (inner) => {
      const [still] = await this.#take(inner, zones);
      if (still) await noteOutcomes(inner, this.#id, [refused(still.zone, refusal.reasons)]);
    });
  }
}

const refused = (zone: string, reasons: readonly Reason[]): ZoneResult => ({
  zone,
  outcome: ZoneOutcome.REFUSED,
  change: null,
  reasons: reasons
    .slice(0, maxReasons)
    .map(({ code, owner, type, message }) => ({ code, message, ...(owner && { owner }), ...(type && { type }) })),
});

async function store(
  session: Session,
  set: ChangeSetRow,
  rows: readonly ChangeSetZoneRow[],
  ahead: readonly ZoneAhead[],
): Promise<void> {
  const lockTimeout = rows.length > 1 ? lockTimeouts.ofSeveral : lockTimeouts.ofOne;
  const early = ahead.flatMap((zone) => zone.early ?? []);
  const locked = await lockAndCheck(session, set, rows, { early, lockTimeout, isOneMoment: false });
  const reasons = new Map(locked.zones.map((zone) => [zone.staged.zone, reasonsToRefuse(zone, set, locked)]));
  const willing = locked.zones.filter(({ staged }) => reasons.get(staged.zone)?.length === 0);
  for (const zone of await withinQuotas(session, willing, set.mode))
    if (!isApplicable(zone)) reasons.set(zone.staged.zone, reasonsAgainst(zone));
  const [first] = locked.zones;
  const why = (first && reasons.get(first.staged.zone)) ?? [];
  // The rollback removes the domain that was inserted for it.
  if (first && makesZone(first.staged.action) && why.length > 0) throw Refusal.of(why);
  const stored = await storeZones(
    locked,
    locked.zones.filter(({ staged }) => reasons.get(staged.zone)?.length === 0),
  );
  const left = [...reasons].filter(([, each]) => each.length > 0).map(([zone, each]) => refused(zone, each));
  await noteOutcomes(session, set.id, [...stored, ...left]);
}

function reasonsToRefuse(zone: CheckedZone, { applying }: ChangeSetRow, { domains }: LockedZones): readonly Reason[] {
  const { staged } = zone;
  if (!isApplicable(zone)) return reasonsAgainst(zone);
  // Somebody else has already made the change.
  const isSo = zone.checked !== undefined && !zone.checked.change;
  if (!isSo && zone.fingerprint !== staged.fingerprint) return otherEffect(zone);
  const demands = domains.get(staged.zone)?.demands;
  if (demands === undefined || approvalsOf(demands) <= (applying?.approvals ?? 0)) return [];
  return [{ code: "REVIEW_REQUIRED", message: `${staged.zone} now demands more approvals than the change set has.` }];
}

/** The reasons to refuse a zone whose effect is not the previewed one: the effect now, by RRset. */
function otherEffect({ staged, rrsets }: CheckedZone): Reason[] {
  if (rrsets.length === 0)
    return [{ code: "STALE_CHANGE_SET", message: `${staged.zone} was changed after the preview of the change set.` }];
  return rrsets.map(({ owner, type, lines }) => {
    const difference = lines.map(
      ({ removed, ttl, rdata }) => `${removed ? "-" : "+"}${lineOf({ owner, type, ttl, rdata })}`,
    );
    const message = `${owner} ${type} was changed after the preview of the change set, which would now do: ${difference.join("; ")}.`;
    return { code: "STALE_CHANGE_SET", owner, type, message };
  });
}

/** Ends a set when all its zones have an outcome. */
function finish(session: Session, id: number): Promise<void> {
  return transaction(session, async (inner) => {
    const set = await lockChangeSet(inner, id);
    const { zones, applied, refused } = await progressOf(inner, id);
    if (set.state !== ChangeSetState.APPLYING || applied + refused < zones) return;
    const isWhole = refused === 0;
    await updateSet(inner, set, {
      state: isWhole ? ChangeSetState.APPLIED : ChangeSetState.PARTIAL,
      appliedAt: inner.now(),
      applying: null,
    });
    const { actor } = inner;
    const keyId = set.applying?.keyId ?? actor.keyId;
    const applier = { ...actor, name: set.appliedBy ?? actor.name, ...(keyId !== undefined && { keyId }) };
    const kind = isWhole ? ChangeSetEventKind.APPLIED : ChangeSetEventKind.PARTIAL;
    const text = isWhole ? "" : `${refused} of ${zones} zones were refused.`;
    await addEvent({ ...inner, actor: applier }, set, kind, { text });
  });
}
