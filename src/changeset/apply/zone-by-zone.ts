/**
 * Changes the zones of sets that are APPLYING, one after the other in the order of their names: so many a transaction as keep it short, each
 * zone whole or not at all, and with its outcome. The sets take turns of one transaction each, one that has just begun too: first one set of
 * each user, then the next of each. A zone that cannot be stored as it was looked at is REFUSED and the others go on. Each row is taken by one,
 * so that several leaders at once change each zone once; after a crash the rest goes on.
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
import { addEvent, updateSet } from "../events.ts";
import { progressOf } from "../progress.ts";
import { ChangeSetEventKind, ChangeSetState, makesZone, ZoneOutcome } from "../states.ts";
import { LookAhead, type ZoneAhead, type ZonesAhead } from "./check-ahead.ts";
import { type LockedZones, lockAndCheck, noteOutcomes, storeZones, type ZoneResult } from "./locked-zones.ts";

const s = table(ChangeSet, "s");
const z = table(ChangeSetZone, "z");
const k = table(ApiKey, "k");

/** How long one run lasts, about, ms. A set that waits for zones which others hold is begun once in each, so that it keeps back the rest little. */
const runMs = 60_000;

/** Zones of the first transaction, and of one at most and at least; and how long one should hold its zones, ms. */
const [firstSize, maxSize, minSize, wantedMs] = [8, 100, 8, 50];

/** How long a transaction waits for a zone that others hold: one of several zones holds others meanwhile. */
const lockTimeouts = { ofOne: "5s", ofSeveral: "500ms" };

/** Reasons that are kept of a refused zone. */
const maxReasons = 20;

/**
 * Changes the zones of all sets that are being applied, until in none of them a zone is left that could be changed now, or the time of the run
 * is over and each has had a turn; returns whether there are such sets.
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

/** The first set of each author. */
function firstOfEach(sets: ReadonlyMap<ZoneByZone, string>): Map<string, ZoneByZone> {
  const first = new Map<string, ZoneByZone>();
  for (const [set, author] of sets) if (!first.has(author)) first.set(author, set);
  return first;
}

/** The sets that are being applied by now, each with whose turns it takes: a user's, or those of an administrator's key. */
async function setsToApply(session: Session): Promise<{ id: number; author: string }[]> {
  const query = sql<{ id: number; author: string }>`
    select ${s.id} as id, coalesce('user ' || ${k.userId}, 'key ' || ${s.authorKeyId}, '') as author
    from ${s} left join ${k} on ${k.id} = ${s.authorKeyId}
    where ${s.state} = ${sql.lit(ChangeSetState.APPLYING)} order by ${s.id}`;
  return query.run(session);
}

/** One set whose zones are changed. */
class ZoneByZone {
  readonly #session: Session;
  readonly #id: number;
  readonly #log: Logger;
  #size = firstSize;
  readonly #lookAhead: LookAhead;
  /** The next zones, as they were looked at together. */
  #ahead: ZonesAhead | undefined;

  constructor(session: Session, id: number, log: Logger) {
    this.#session = session;
    this.#id = id;
    this.#log = log;
    this.#lookAhead = new LookAhead(session, id);
  }

  /** Changes some zones; returns false when none is left that could be now. `isAlone`: no other set waits for its turn. */
  async next(isAlone: boolean): Promise<boolean> {
    const ahead = this.#ahead?.zones.length ? this.#ahead : await this.#lookAhead.next(isAlone, this.#size);
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

  /** Waits for what was begun. */
  async end(): Promise<void> {
    await this.#lookAhead.end();
  }

  /** The next zones for one transaction: those that are edited together, one that is made or deleted by itself. */
  #together({ zones }: ZonesAhead): readonly ZoneAhead[] {
    const next = zones.slice(0, this.#size);
    const other = next.findIndex(({ row }) => row.action !== ChangeKind.EDIT);
    return other === -1 ? next : next.slice(0, Math.max(1, other));
  }

  /** Changes zones in one transaction; returns whether they have had their turn. */
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
      // Nothing of it was stored: its zones are tried one by one, and what fails by itself is refused.
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

  /** Takes those of these zones that nobody else has taken. */
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

  /** Refuses a zone that could not be changed by itself. */
  async #refuse(zones: readonly ZoneAhead[], error: unknown): Promise<void> {
    const refusal = refusalOf(error, errorLogger(this.#log, "a zone of a change set could not be changed"));
    // What the database could not do then it can do in a moment; until then the others go on.
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

/** Locks zones, stores those that are as they were looked at, and notes what became of each. */
async function store(
  session: Session,
  set: ChangeSetRow,
  rows: readonly ChangeSetZoneRow[],
  ahead: readonly ZoneAhead[],
): Promise<void> {
  const lockTimeout = rows.length > 1 ? lockTimeouts.ofSeveral : lockTimeouts.ofOne;
  const early = ahead.flatMap((zone) => zone.early ?? []);
  const locked = await lockAndCheck(session, set, rows, { early, lockTimeout, isOneMoment: false });
  const reasons = new Map(locked.zones.map((zone) => [zone.staged.zone, whyNot(zone, set, locked)]));
  const willing = locked.zones.filter(({ staged }) => reasons.get(staged.zone)?.length === 0);
  for (const zone of await withinQuotas(session, willing, set.mode))
    if (!isApplicable(zone)) reasons.set(zone.staged.zone, reasonsAgainst(zone));
  const [first] = locked.zones;
  const why = (first && reasons.get(first.staged.zone)) ?? [];
  // The domain that was made for it goes again.
  if (first && makesZone(first.staged.action) && why.length > 0) throw Refusal.of(why);
  const stored = await storeZones(
    locked,
    locked.zones.filter(({ staged }) => reasons.get(staged.zone)?.length === 0),
  );
  const left = [...reasons].filter(([, each]) => each.length > 0).map(([zone, each]) => refused(zone, each));
  await noteOutcomes(session, set.id, [...stored, ...left]);
}

/** Why a zone is not changed; nothing when it is. */
function whyNot(zone: CheckedZone, { applying }: ChangeSetRow, { domains }: LockedZones): readonly Reason[] {
  const { staged } = zone;
  if (!isApplicable(zone)) return reasonsAgainst(zone);
  // Somebody else has made it so.
  const isSo = zone.checked !== undefined && !zone.checked.change;
  if (!isSo && zone.fingerprint !== staged.fingerprint) return otherEffect(zone);
  const demands = domains.get(staged.zone)?.demands;
  if (demands === undefined || approvalsOf(demands) <= (applying?.approvals ?? 0)) return [];
  return [{ code: "REVIEW_REQUIRED", message: `${staged.zone} demands more approvals by now than the set has.` }];
}

/** What a zone's part would do now, which is not what was looked at. */
function otherEffect({ staged, rrsets }: CheckedZone): Reason[] {
  if (rrsets.length === 0)
    return [{ code: "STALE_CHANGE_SET", message: `${staged.zone} was changed since the set was looked at.` }];
  return rrsets.map(({ owner, type, lines }) => {
    const difference = lines.map(
      ({ removed, ttl, rdata }) => `${removed ? "-" : "+"}${lineOf({ owner, type, ttl, rdata })}`,
    );
    const message = `${owner} ${type} was changed since the set was looked at, which would now do: ${difference.join("; ")}.`;
    return { code: "STALE_CHANGE_SET", owner, type, message };
  });
}

/** Ends a set whose zones all have their outcomes. */
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
