/**
 * The preview of a change set: what it would do to each of its zones as they are now, in one snapshot and without a lock.
 */
import type { Session } from "../session/session.ts";
import { inSnapshot } from "../sql/transaction.ts";
import { StoredZone } from "../zone/edit/stored-zone.ts";
import type { ChangeSetRow } from "./change-set.ts";
import { type CheckedZone, type CheckTerms, checkZone, fingerprintOf, isAnyApplicable } from "./check-zone.ts";
import { type StagedZone, stagedZones, zoneNames } from "./contents.ts";
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

/** The same as the session's transaction sees the zones and the set. */
export async function previewWithin(session: Session, set: ChangeSetRow): Promise<Preview> {
  const inner: Session = { ...asOwner(session, set), ttlChoices: undefined };
  const zones: CheckedZone[] = [];
  const names = await zoneNames(inner, set.id);
  for (let at = 0; at < names.length; at += zonesAtOnce)
    for (const staged of await stagedZones(inner, set.id, names.slice(at, at + zonesAtOnce)))
      zones.push(shown(await check(inner, staged, set)));
  const applicable = isAnyApplicable(zones, set.mode);
  return { fingerprint: fingerprintOf(zones), at: session.now(), zones, applicable };
}

/** Zones whose edits are held at once. */
const zonesAtOnce = 100;

/** Of a checked zone, what is shown: a large set has more edits than should be held at once. */
const shown = (zone: CheckedZone): CheckedZone => ({
  ...zone,
  staged: { ...zone.staged, edits: [] },
  checked: undefined,
});

function check(session: Session, staged: StagedZone, terms: CheckTerms): Promise<CheckedZone> {
  if (makesZone(staged.action)) return checkNewZone(session, staged, terms);
  return checkZone(session, staged, (prefetch) => StoredZone.read(session, staged.zone, prefetch), terms);
}
