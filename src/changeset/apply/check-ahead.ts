/**
 * The zones of an APPLYING set that have no outcome yet: some at a time are looked at before their turn, in one snapshot and without a lock,
 * so that others wait for the storing alone. While the first of them are stored, those behind them are looked at, unless other sets wait for
 * their turns: then it has no more connections, and holds no more zones, than the one whose turn it is.
 */
import { workingActor } from "../../account/authentication.ts";
import { Refusal } from "../../errors.ts";
import { type Actor, mayWrite } from "../../session/authorization.ts";
import type { Session } from "../../session/session.ts";
import { inSnapshot } from "../../session/transaction.ts";
import { noteHiddenFailure } from "../../trace/hidden-failure.ts";
import { type Applying, type ChangeSetRow, changeSetById } from "../change-set.ts";
import type { CheckedZone } from "../check/check-zone.ts";
import { type ChangeSetZoneRow, nextZones } from "../contents.ts";
import { ChangeSetState } from "../states.ts";
import { checkEarly } from "./locked-zones.ts";

/** A zone that has no outcome yet, as it was checked; one that must be checked under its lock was not. */
export interface ZoneAhead {
  readonly row: ChangeSetZoneRow;
  readonly early: CheckedZone | undefined;
}

/** The next zones of a set, none when all have had their turn. */
export interface ZonesAhead {
  readonly set: ChangeSetRow;
  /** Of the key that applies it; a refusal when it may no more. */
  readonly session: Session | Refusal;
  readonly zones: readonly ZoneAhead[];
}

export class LookAhead {
  readonly #session: Session;
  readonly #id: number;
  /** The last zone that was looked at. */
  #last = "";
  #coming: Promise<ZonesAhead | undefined> | undefined;

  constructor(session: Session, id: number) {
    this.#session = session;
    this.#id = id;
  }

  /** The next zones, `most` of them at most while other sets wait; undefined when the set is not being applied any more. */
  async next(isAlone: boolean, most: number): Promise<ZonesAhead | undefined> {
    const ahead = await (this.#coming ?? this.#look(isAlone ? undefined : most));
    this.#coming = undefined;
    const last = ahead?.zones.at(-1);
    if (!last) return ahead;
    this.#last = last.row.zone;
    if (isAlone) this.#coming = this.#look();
    return ahead;
  }

  /** Waits for what was begun. */
  async end(): Promise<void> {
    await this.#coming?.catch(() => {});
  }

  #look(most?: number): Promise<ZonesAhead | undefined> {
    const coming = look(this.#session, this.#id, this.#last, most);
    // Whoever waits for it learns why it failed.
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
    // What fails here fails again under the lock, where it keeps back no other zone.
    const checked = session instanceof Refusal ? [] : await checkEarly(session, set, parts).catch(noneOf);
    const byZone = new Map(checked.map((zone) => [zone.staged.zone, zone]));
    const zones = parts.map(({ edits: _, ...row }) => ({ row, early: byZone.get(row.zone) }));
    return { set, session, zones };
  });
}

/** No zones, where the look at them failed. */
function noneOf(error: unknown): CheckedZone[] {
  noteHiddenFailure("look_ahead", error);
  return [];
}

/** The session of the key that applies a set; a refusal when it may no more. */
async function sessionOf(session: Session, { keyId, door }: Applying): Promise<Session | Refusal> {
  const actor: Actor | undefined = keyId === null ? session.actor : await workingActor(session, keyId);
  if (!actor) return new Refusal("UNAUTHENTICATED", "The key that applied it works no more; apply it with another.");
  try {
    mayWrite(actor);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  return { ...session, actor, source: door };
}
