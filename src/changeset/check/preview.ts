/**
 * The preview of a change set: what it would do to each of its zones as they are now, in one snapshot and without a lock. Of zones that it has
 * changed already, it is what it did.
 */
import { Refusal } from "../../errors.ts";
import type { Session } from "../../session/session.ts";
import { inSnapshot } from "../../session/transaction.ts";
import { StoredZone } from "../../zone/edit/stored-zone.ts";
import { type ChangeSetRow, changeSetById } from "../change-set.ts";
import { type StagedZone, stagedZones, zonesInPieces } from "../contents.ts";
import { type Needs, needsOf } from "../needed-approvals.ts";
import { makesZone, openStates } from "../states.ts";
import { doneZones } from "./applied-zone.ts";
import { type CheckedZone, checkZones, fingerprintOf, isAnyApplicable, type ReadZones } from "./check-zone.ts";
import { withinQuotas } from "./within-quotas.ts";
import { checkNewZone } from "./zone-to-make.ts";

/** What a change set would do, as things are now. */
export interface Preview {
  /** What it would do, as one value. */
  readonly fingerprint: string;
  readonly at: Date;
  /** The zones, in the order of their names. */
  readonly zones: readonly CheckedZone[];
  /** Whether nothing is in its way, and it is not over. */
  readonly applicable: boolean;
}

/** A preview that is shown, with the approvals that are needed before it comes true. */
export interface ShownPreview extends Preview {
  readonly needs: Needs;
}

/** The session with the eyes of the user whose zones are in a set, for somebody else who reviews it. */
function asOwner(session: Session, { userId }: ChangeSetRow): Session {
  const { actor } = session;
  return actor.role === "user" && userId !== null ? { ...session, actor: { ...actor, userId } } : session;
}

/** Records whose RRsets a preview holds at most, unless one zone has more; those of further zones are read when a page has them. */
const maxHeld = 20_000;

/** Looks at what a change set would do for the session, which sees it. */
export function previewChangeSet(session: Session, set: ChangeSetRow, held = maxHeld): Promise<ShownPreview> {
  let count = 0;
  const kept = (zone: CheckedZone): CheckedZone => {
    if (count >= held) return { ...zone, checked: undefined, rrsets: [], isCut: true };
    count += zone.rrsets.reduce((sum, { lines }) => sum + lines.length, 0);
    return { ...zone, checked: undefined };
  };
  return inSnapshot(session, (inner) => shown(inner, set, kept));
}

/** Zones of a preview with the RRsets that were left out; STALE_CHANGE_SET when the set does something else to one of them by now. */
export async function withRrsets(session: Session, zones: readonly CheckedZone[]): Promise<readonly CheckedZone[]> {
  const cut = zones.filter(({ isCut }) => isCut);
  const [first] = cut;
  if (!first) return zones;
  const { changeSetId } = first.staged;
  const again = await inSnapshot(session, async (inner) => {
    const set = await changeSetById(inner, changeSetId);
    const names = cut.map(({ staged }) => staged.zone);
    return checkParts(seeing(inner, set), await stagedZones(inner, changeSetId, names));
  });
  const byZone = new Map(again.map((zone) => [zone.staged.zone, zone]));
  return zones.map((zone) => {
    if (!zone.isCut) return zone;
    const now = byZone.get(zone.staged.zone);
    if (now?.fingerprint !== zone.fingerprint) throw changedWhileRead(zone);
    return { ...zone, rrsets: now.rrsets };
  });
}

function changedWhileRead({ staged: { changeSetId, zone } }: CheckedZone): Refusal {
  const message = `What change set ${changeSetId} does to ${zone} became another while its preview was read; read it again.`;
  return new Refusal("STALE_CHANGE_SET", message);
}

/** The same for what is not shown: without the RRsets. A large set has many. */
export function previewUnshown(session: Session, set: ChangeSetRow): Promise<Preview> {
  return inSnapshot(session, (inner) => lookAt(inner, set, (zone) => ({ ...zone, checked: undefined, rrsets: [] })));
}

/** The same as the session's transaction sees the zones and the set. */
export function previewWithin(session: Session, set: ChangeSetRow): Promise<ShownPreview> {
  return shown(session, set, (zone) => ({ ...zone, checked: undefined }));
}

async function shown(session: Session, set: ChangeSetRow, kept: KeepZone): Promise<ShownPreview> {
  const preview = await lookAt(session, set, kept);
  return { ...preview, needs: await needsOf(session, set) };
}

/** What is kept of a zone that was checked. */
type KeepZone = (zone: CheckedZone) => CheckedZone;

/** The session as it checks the zones of a set. */
const seeing = (session: Session, set: ChangeSetRow): Session => ({ ...asOwner(session, set), ttlChoices: undefined });

/** Checks all zones of a set, and keeps of each what is wanted. */
async function lookAt(session: Session, set: ChangeSetRow, kept: KeepZone): Promise<Preview> {
  const inner = seeing(session, set);
  const zones: CheckedZone[] = [];
  for await (const parts of zonesInPieces(inner, set.id))
    for (const zone of await checkParts(inner, parts)) zones.push(kept(zone));
  const limited = await withinQuotas(session, zones, set.mode);
  const applicable = openStates.includes(set.state) && isAnyApplicable(limited, set.mode);
  return { fingerprint: fingerprintOf(zones), at: session.now(), zones: limited, applicable };
}

/** Checks parts, those of zones that are there together; in their order. Those that have an outcome are read from the journal. */
async function checkParts(session: Session, parts: readonly StagedZone[]): Promise<CheckedZone[]> {
  const done = await doneZones(
    session,
    parts.filter(({ outcome }) => outcome !== null),
  );
  const stored = parts.filter(({ action, outcome }) => outcome === null && !makesZone(action));
  const read: ReadZones = (wanted) => StoredZone.readAll(session, wanted, { isLocked: false });
  const together = [...done, ...(await checkZones(session, stored, read))];
  const checked = new Map(together.map((zone) => [zone.staged.zone, zone]));
  const all: CheckedZone[] = [];
  for (const part of parts) all.push(checked.get(part.zone) ?? (await checkNewZone(session, part)));
  return all;
}
