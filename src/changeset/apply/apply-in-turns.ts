/**
 * Applies APPLYING sets in turn, a batch of zones at a time, by name: as many zones as one transaction changes in about 50 ms. First one set
 * of each user has a turn, then the next set of each user; a new set takes part at once.
 *
 * The outcome of a zone is stored with its change. Each zone is changed once even if there are several leaders, since its row is locked
 * (`skip locked`), and after a crash the zones without an outcome go on.
 */

import type { Logger } from "pino";
import { ApiKey } from "../../account/api-key.ts";
import { workingActor } from "../../account/authentication.ts";
import { errorLogger, Refusal, refusalOf } from "../../errors.ts";
import { type Actor, mayWrite } from "../../session/authorization.ts";
import type { Session, Source } from "../../session/session.ts";
import { transaction } from "../../session/transaction.ts";
import { table } from "../../sql/columns.ts";
import { sql } from "../../sql/sql.ts";
import { ChangeKind } from "../../zone/change.ts";
import {
  type Applying,
  ChangeSet,
  type ChangeSetRow,
  ChangeSetZone,
  changeSetById,
  lockChangeSet,
} from "../change-set.ts";
import { checkZones, sessionOfSet } from "../check/check-zone.ts";
import { nextZones, type StagedZone } from "../contents.ts";
import { ChangeSetState } from "../states.ts";
import { endApplication } from "./apply.ts";
import { applyBatch, noteRefusal, type ZoneOfBatch } from "./apply-batch.ts";

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
  const sets = new Map<SetInTurn, string>();
  const hadTurn = new Set<SetInTurn>();
  do {
    for (const { id, author } of await setsToApply(session)) {
      if (!begun.has(id)) sets.set(new SetInTurn(session, id, log), author);
      begun.add(id);
    }
    for (const [author, set] of firstOfEach(sets)) {
      if (stopped?.aborted) return true;
      const goesOn = await set.next();
      hadTurn.add(set);
      sets.delete(set);
      if (goesOn) sets.set(set, author);
    }
  } while (sets.size > 0 && (hadTurn.size < begun.size || performance.now() < end));
  return begun.size > 0;
}

function firstOfEach(sets: ReadonlyMap<SetInTurn, string>): Map<string, SetInTurn> {
  const first = new Map<string, SetInTurn>();
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

class SetInTurn {
  readonly #session: Session;
  readonly #id: number;
  readonly #log: Logger;
  #size = firstSize;
  /** The last zone that had its turn. */
  #last = "";

  constructor(session: Session, id: number, log: Logger) {
    this.#session = session;
    this.#id = id;
    this.#log = log;
  }

  /** Applies a batch of zones. Returns false when no zone is left that can be changed now. */
  async next(): Promise<boolean> {
    const set = await changeSetById(this.#session, this.#id);
    if (!set.applying) return false;
    const parts = together(await nextZones(this.#session, this.#id, this.#last, this.#size));
    const last = parts.at(-1);
    if (!last)
      await transaction(this.#session, async (inner) => endApplication(inner, await lockChangeSet(inner, set.id)));
    else if (await this.#apply(set, set.applying, parts)) this.#last = last.zone;
    return last !== undefined;
  }

  /** Applies zones in one transaction. Returns false when nothing was stored and the zones are to be tried again one by one. */
  async #apply(set: ChangeSetRow, applying: Applying, parts: readonly StagedZone[]): Promise<boolean> {
    let began = performance.now();
    try {
      const by = await applierOf(this.#session, applying);
      const batch = await checkEarly({ ...this.#session, ...by }, set, parts);
      await transaction(this.#session, async (inner) => {
        const taken = await this.#take(inner, parts);
        began = performance.now();
        const left = batch.filter(({ row }) => taken.has(row.zone));
        if (left.length > 0) await applyBatch({ ...inner, ...by }, set, left);
      });
      this.#adapt(performance.now() - began);
      return true;
    } catch (error) {
      // Nothing was stored: the zones are tried one by one, and a zone that fails alone is refused.
      this.#size = 1;
      if (parts.length > 1) return false;
      await this.#refuse(parts, error);
      return true;
    }
  }

  #adapt(heldMs: number): void {
    if (heldMs > wantedMs) this.#size = Math.max(minSize, Math.floor(this.#size / 2));
    else if (heldMs < wantedMs / 2) this.#size = Math.min(maxSize, this.#size * 2);
  }

  /** Locks those of these zones that nobody else has locked and that have no outcome; returns their names. */
  async #take(session: Session, parts: readonly StagedZone[]): Promise<ReadonlySet<string>> {
    const query = sql<{ zone: string }>`
      select ${z.zone} from ${z}
      where ${z.changeSetId} = ${this.#id} and ${z.outcome} is null and ${z.zone} = any(${parts.map(({ zone }) => zone)}::text[])
      order by ${z.zone} for update skip locked`;
    return new Set((await query.run(session)).map(({ zone }) => zone));
  }

  async #refuse(parts: readonly StagedZone[], error: unknown): Promise<void> {
    const refusal = refusalOf(error, errorLogger(this.#log, "a zone of a change set could not be changed"));
    // A temporary failure of the database: the zone stays without an outcome and is tried again later.
    if (refusal.retryAfter !== undefined) return;
    await transaction(this.#session, async (inner) => {
      for (const zone of await this.#take(inner, parts)) await noteRefusal(inner, this.#id, zone, refusal.reasons);
    });
  }
}

/** The first of these zones that fit into one transaction: edited zones, or one zone that is created, deleted or restored. */
function together(parts: readonly StagedZone[]): readonly StagedZone[] {
  const other = parts.findIndex(({ action }) => action !== ChangeKind.EDIT);
  return other === -1 ? parts : parts.slice(0, Math.max(1, other));
}

/** Checks edited zones without a lock, so that they are locked only while their changes are stored. */
async function checkEarly(
  outer: Session,
  set: ChangeSetRow,
  parts: readonly StagedZone[],
): Promise<readonly ZoneOfBatch[]> {
  const session = sessionOfSet(outer, set);
  const edited = parts.filter(({ action }) => action === ChangeKind.EDIT);
  const early = await checkZones(session, edited, { isLocked: false });
  return parts.map(({ edits: _, ...row }, at) => ({ row, early: early[at] }));
}

/** The actor and the source of an application; throws when the key that applies the set no longer may. */
async function applierOf(
  session: Session,
  { keyId, door }: Applying,
): Promise<{ readonly actor: Actor; readonly source: Source }> {
  const actor = keyId === null ? session.actor : await workingActor(session, keyId);
  if (!actor)
    throw new Refusal(
      "UNAUTHENTICATED",
      "The key that applied the change set is no longer valid; apply it with another key.",
    );
  mayWrite(actor);
  return { actor, source: door };
}
