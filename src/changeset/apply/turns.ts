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
import { errorLogger, Refusal, refusalOf } from "../../errors.ts";
import type { Session } from "../../session/session.ts";
import { transaction } from "../../session/transaction.ts";
import { table } from "../../sql/columns.ts";
import { sql } from "../../sql/sql.ts";
import { ChangeKind } from "../../zone/change.ts";
import { ChangeSet, ChangeSetZone, lockChangeSet } from "../change-set.ts";
import { ChangeSetState } from "../states.ts";
import { endApplication } from "./apply.ts";
import { applyBatch, noteRefusal, type ZoneOfBatch } from "./batch.ts";
import { CheckAhead, type ZonesAhead } from "./check-ahead.ts";

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
  #together({ zones }: ZonesAhead): readonly ZoneOfBatch[] {
    const next = zones.slice(0, this.#size);
    const other = next.findIndex(({ row }) => row.action !== ChangeKind.EDIT);
    return other === -1 ? next : next.slice(0, Math.max(1, other));
  }

  /** Changes zones in one transaction. Returns false when nothing was stored and the zones are to be tried again one by one. */
  async #change({ set, session }: ZonesAhead, zones: readonly ZoneOfBatch[]): Promise<boolean> {
    let began = performance.now();
    try {
      await transaction(this.#session, async (inner) => {
        const batch = await this.#take(inner, zones);
        if (batch.length === 0) return;
        if (session instanceof Refusal) throw session;
        began = performance.now();
        await applyBatch({ ...inner, actor: session.actor, source: session.source }, set, batch);
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
  async #take(session: Session, zones: readonly ZoneOfBatch[]): Promise<ZoneOfBatch[]> {
    const names = zones.map(({ row }) => row.zone);
    const query = sql<{ zone: string }>`
      select ${z.zone} from ${z}
      where ${z.changeSetId} = ${this.#id} and ${z.outcome} is null and ${z.zone} = any(${names}::text[])
      order by ${z.zone} for update skip locked`;
    const rows = await query.run(session);
    const taken = new Set(rows.map(({ zone }) => zone));
    return zones.filter(({ row }) => taken.has(row.zone));
  }

  async #refuse(zones: readonly ZoneOfBatch[], error: unknown): Promise<void> {
    const refusal = refusalOf(error, errorLogger(this.#log, "a zone of a change set could not be changed"));
    // A temporary failure of the database: the zone stays without an outcome and is tried again later.
    if (refusal.retryAfter !== undefined) return;
    await transaction(this.#session, async (inner) => {
      const [still] = await this.#take(inner, zones);
      if (still) await noteRefusal(inner, this.#id, still.row.zone, refusal.reasons);
    });
  }
}

/** Ends a set when all its zones have an outcome. */
function finish(session: Session, id: number): Promise<void> {
  return transaction(session, async (inner) => endApplication(inner, await lockChangeSet(inner, id)));
}
