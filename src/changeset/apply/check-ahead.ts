/**
 * Checks zones of an APPLYING set before their turn, in one snapshot and without a lock. The later transaction then holds the locks only
 * while it stores. The next zones are checked while the previous ones are stored. When other sets wait for a turn, this is not done, so
 * that a set uses no more connections and zones than its own turn needs.
 */
import { workingActor } from "../../account/authentication.ts";
import { Refusal } from "../../errors.ts";
import { type Actor, mayWrite } from "../../session/authorization.ts";
import type { Session } from "../../session/session.ts";
import { inSnapshot } from "../../session/transaction.ts";
import { noteHiddenFailure } from "../../trace/hidden-failure.ts";
import { ChangeKind } from "../../zone/change.ts";
import { StoredZone } from "../../zone/edit/stored-zone.ts";
import { type Applying, type ChangeSetRow, changeSetById } from "../change-set.ts";
import { type CheckedZone, checkZones, sessionOfSet } from "../check/check-zone.ts";
import { nextZones, type StagedZone } from "../contents.ts";
import { ChangeSetState } from "../states.ts";
import type { ZoneOfBatch } from "./batch.ts";

export interface ZonesAhead {
  readonly set: ChangeSetRow;
  /** The session of the key that applies the set; a refusal when the key no longer may. */
  readonly session: Session | Refusal;
  /** Zones without an outcome. */
  readonly zones: readonly ZoneOfBatch[];
}

export class CheckAhead {
  readonly #session: Session;
  readonly #id: number;
  #last = "";
  #coming: Promise<ZonesAhead | undefined> | undefined;

  constructor(session: Session, id: number) {
    this.#session = session;
    this.#id = id;
  }

  /**
   * Returns the next zones, at most `most` when other sets wait (`isAlone` is false). Returns undefined when the set is no longer APPLYING.
   */
  async next(isAlone: boolean, most: number): Promise<ZonesAhead | undefined> {
    const ahead = await (this.#coming ?? this.#look(isAlone ? undefined : most));
    this.#coming = undefined;
    const last = ahead?.zones.at(-1);
    if (!last) return ahead;
    this.#last = last.row.zone;
    if (isAlone) this.#coming = this.#look();
    return ahead;
  }

  async end(): Promise<void> {
    await this.#coming?.catch(() => {});
  }

  #look(most?: number): Promise<ZonesAhead | undefined> {
    const coming = look(this.#session, this.#id, this.#last, most);
    // `next` awaits the promise and gets its error.
    coming.catch(() => {});
    return coming;
  }
}

function look(outer: Session, id: number, after: string, most?: number): Promise<ZonesAhead | undefined> {
  return inSnapshot(outer, async (inner) => {
    const set = await changeSetById(inner, id);
    if (set.state !== ChangeSetState.APPLYING || !set.applying) return undefined;
    const session = await sessionOf(inner, set.applying);
    const parts = await nextZones(inner, id, after, most);
    // Failures are ignored here. The zones are checked again under their locks, where a failure delays no other zone.
    const checked = session instanceof Refusal ? [] : await checkEarly(session, set, parts).catch(noneOf);
    const byZone = new Map(checked.map((zone) => [zone.staged.zone, zone]));
    const zones = parts.map(({ edits: _, ...row }) => ({ row, early: byZone.get(row.zone) }));
    return { set, session, zones };
  });
}

function checkEarly(session: Session, set: ChangeSetRow, parts: readonly StagedZone[]): Promise<CheckedZone[]> {
  const inner = sessionOfSet(session, set);
  const edited = parts.filter(({ action }) => action === ChangeKind.EDIT);
  return checkZones(inner, edited, (wanted) => StoredZone.readAll(inner, wanted, { isLocked: false }));
}

/** The result of a failed check. */
function noneOf(error: unknown): CheckedZone[] {
  noteHiddenFailure("look_ahead", error);
  return [];
}

/** The session of the key that applies a set; a refusal when the key no longer may. */
async function sessionOf(session: Session, { keyId, door }: Applying): Promise<Session | Refusal> {
  const actor: Actor | undefined = keyId === null ? session.actor : await workingActor(session, keyId);
  if (!actor)
    return new Refusal(
      "UNAUTHENTICATED",
      "The key that applied the change set is no longer valid; apply it with another key.",
    );
  try {
    mayWrite(actor);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  return { ...session, actor, source: door };
}
