/**
 * The preview of a change set: what it would do to each of its zones as they are now, in one snapshot and without a lock.
 */
import type { Session } from "../session/session.ts";
import { inSnapshot } from "../sql/transaction.ts";
import { StoredZone } from "../zone/edit/stored-zone.ts";
import type { ChangeSetRow } from "./change-set.ts";
import {
  type CheckedZone,
  type CheckTerms,
  checkZones,
  fingerprintOf,
  isAnyApplicable,
  type ReadZones,
} from "./check-zone.ts";
import { type StagedZone, zonesInPieces } from "./contents.ts";
import { checkNewZone } from "./new-zone.ts";
import { makesZone } from "./states.ts";

/** What a change set would do, as things are now. */
export interface Preview {
  /** What it would do, as one value. */
  readonly fingerprint: string;
  readonly at: Date;
  /** The zones, in the order of their names. */
  readonly zones: readonly CheckedZone[];
  /** Whether nothing is in its way. */
  readonly applicable: boolean;
}

/** The session with the eyes of the user whose zones are in a set, for somebody else who reviews it. */
function asOwner(session: Session, { userId }: ChangeSetRow): Session {
  const { actor } = session;
  return actor.role === "user" && userId !== null ? { ...session, actor: { ...actor, userId } } : session;
}

/** Looks at what a change set would do for the session, which sees it. */
export function previewChangeSet(session: Session, set: ChangeSetRow): Promise<Preview> {
  return inSnapshot(session, (inner) => previewWithin(inner, set));
}

/** The same for what is not shown: without the RRsets. A large set has many. */
export function previewUnshown(session: Session, set: ChangeSetRow): Promise<Preview> {
  return inSnapshot(session, (inner) => lookAt(inner, set, (zone) => ({ ...zone, checked: undefined, rrsets: [] })));
}

/** The same as the session's transaction sees the zones and the set. */
export function previewWithin(session: Session, set: ChangeSetRow): Promise<Preview> {
  return lookAt(session, set, (zone) => ({ ...zone, checked: undefined }));
}

/** Checks all zones of a set, and keeps of each what is wanted. */
async function lookAt(session: Session, set: ChangeSetRow, kept: (zone: CheckedZone) => CheckedZone): Promise<Preview> {
  const inner: Session = { ...asOwner(session, set), ttlChoices: undefined };
  const zones: CheckedZone[] = [];
  for await (const parts of zonesInPieces(inner, set.id))
    for (const zone of await checkParts(inner, parts, set)) zones.push(kept(zone));
  const applicable = isAnyApplicable(zones, set.mode);
  return { fingerprint: fingerprintOf(zones), at: session.now(), zones, applicable };
}

/** Checks parts, those of zones that are there together; in their order. */
async function checkParts(session: Session, parts: readonly StagedZone[], set: CheckTerms): Promise<CheckedZone[]> {
  const stored = parts.filter(({ action }) => !makesZone(action));
  const read: ReadZones = (wanted) => StoredZone.readAll(session, wanted, { isLocked: false });
  const checked = new Map((await checkZones(session, stored, read, set)).map((zone) => [zone.staged.zone, zone]));
  const all: CheckedZone[] = [];
  for (const part of parts) all.push(checked.get(part.zone) ?? (await checkNewZone(session, part, set)));
  return all;
}
