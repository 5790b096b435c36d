/**
 * The preview of a change set: what it would do to each of its zones as they are now, in one snapshot and without a lock.
 */
import { ReviewPolicy } from "../account/review-policy.ts";
import { type Reason, Refusal } from "../errors.ts";
import { connection, type Session } from "../session/session.ts";
import { inSnapshot } from "../sql/transaction.ts";
import { checkNewDomain } from "../zone/edit/lifecycle.ts";
import { readName } from "../zone/edit/name-history.ts";
import { checkNeighbours } from "../zone/edit/names-of-others.ts";
import { StoredZone } from "../zone/edit/stored-zone.ts";
import type { ChangeSetRow } from "./change-set.ts";
import {
  type CheckedZone,
  type CheckTerms,
  checkZone,
  fingerprintOf,
  isAnyApplicable,
  type ReadZone,
} from "./check-zone.ts";
import { type StagedZone, stagedZones, zoneNames } from "./contents.ts";
import { ChangeSetAction } from "./states.ts";

/** Of a zone that there is not yet. */
const unreviewed = { review: null, demands: ReviewPolicy.NONE };

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

async function check(session: Session, staged: StagedZone, { strictSerials }: CheckTerms): Promise<CheckedZone> {
  if (staged.action !== ChangeSetAction.CREATE)
    return checkZone(session, staged, (prefetch) => StoredZone.read(session, staged.zone, prefetch), { strictSerials });
  const { zone, userId } = staged;
  const { isTaken } = await readName(session, zone, userId as number);
  const read: ReadZone = async (prefetch) => {
    const domain = { id: 0, zone, serial: 0, userId: userId ?? null, createdAt: session.now(), ...unreviewed };
    return isTaken ? undefined : StoredZone.none(connection(session), domain, prefetch);
  };
  return checkZone(session, staged, read, { strictSerials, refusals: await whyNotCreated(session, staged) });
}

async function whyNotCreated(session: Session, { zone, userId }: StagedZone): Promise<readonly Reason[]> {
  try {
    await checkNewDomain(session, userId as number, zone);
    if (session.actor.role === "user") await checkNeighbours(session, userId as number, zone);
    return [];
  } catch (error) {
    if (error instanceof Refusal) return error.reasons;
    throw error;
  }
}
