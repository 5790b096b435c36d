/**
 * The preview of a change set: its effect on the present zones, read in one snapshot without a lock. For zones with an outcome, it is the
 * change that was made.
 */
import { Refusal } from "../../errors.ts";
import type { Session } from "../../session/session.ts";
import { inSnapshot } from "../../session/transaction.ts";
import { type ChangeSetRow, changeSetById } from "../change-set.ts";
import { type StagedZone, stagedZones, zonesInPieces } from "../contents.ts";
import { type Needs, needsOf } from "../needed-approvals.ts";
import { ChangeSetMode, makesZone, openStates } from "../states.ts";
import { appliedZones } from "./applied-zone.ts";
import { checkZoneToMake } from "./check-new-zone.ts";
import { type CheckedZone, checkZones, fingerprintOf, isAnyApplicable, sessionOfSet } from "./check-zone.ts";
import { withinQuotas } from "./quotas-of-set.ts";

export interface Preview {
  readonly fingerprint: string;
  readonly at: Date;
  /** By name. */
  readonly zones: readonly CheckedZone[];
  readonly applicable: boolean;
}

export interface ShownPreview extends Preview {
  readonly needs: Needs;
}

/** The session of a reviewer, changed to see what the owner of the set sees. */
function asOwner(session: Session, { userId }: ChangeSetRow): Session {
  const { actor } = session;
  return actor.role === "user" && userId !== null ? { ...session, actor: { ...actor, userId } } : session;
}

/** The maximum number of records that a preview holds, unless one zone has more. The RRsets of further zones are read with their page. */
const maxHeld = 20_000;

export function previewChangeSet(session: Session, set: ChangeSetRow, held = maxHeld): Promise<ShownPreview> {
  let count = 0;
  const reduce = (zone: CheckedZone): CheckedZone => {
    if (count >= held) return { ...zone, checked: undefined, rrsets: [], isCut: true };
    count += zone.rrsets.reduce((sum, { lines }) => sum + lines.length, 0);
    return { ...zone, checked: undefined };
  };
  return inSnapshot(session, (inner) => previewWithin(inner, set, reduce));
}

/** Adds the RRsets that a large preview left out. Throws STALE_CHANGE_SET when the effect on one of these zones has changed. */
export async function withRrsets(session: Session, zones: readonly CheckedZone[]): Promise<readonly CheckedZone[]> {
  const cut = zones.filter(({ isCut }) => isCut);
  const [first] = cut;
  if (!first) return zones;
  const { changeSetId } = first.staged;
  const again = await inSnapshot(session, async (inner) => {
    const set = await changeSetById(inner, changeSetId);
    const names = cut.map(({ staged }) => staged.zone);
    return checkParts(sessionOfSet(asOwner(inner, set), set), await stagedZones(inner, changeSetId, names));
  });
  const byZone = new Map(again.map((zone) => [zone.staged.zone, zone]));
  return zones.map((zone) => {
    if (!zone.isCut) return zone;
    const now = byZone.get(zone.staged.zone);
    if (now?.fingerprint === zone.fingerprint) return { ...zone, rrsets: now.rrsets };
    const message = `The effect of change set ${changeSetId} on ${zone.staged.zone} changed while its preview was read; read it again.`;
    throw new Refusal("STALE_CHANGE_SET", message);
  });
}

/** Previews a set without the RRsets, for a step whose result does not show them; in mode ALL with the changes, to be stored. */
export function previewUnshown(session: Session, set: ChangeSetRow): Promise<Preview> {
  const isStored = set.mode === ChangeSetMode.ALL;
  const reduce = (zone: CheckedZone) => ({ ...zone, checked: isStored ? zone.checked : undefined, rrsets: [] });
  return inSnapshot(session, (inner) => previewZones(inner, set, reduce));
}

/** Previews a set in the transaction or snapshot of the session. */
export async function previewWithin(
  session: Session,
  set: ChangeSetRow,
  reduce: ReduceZone = (zone) => ({ ...zone, checked: undefined }),
): Promise<ShownPreview> {
  const preview = await previewZones(session, set, reduce);
  return { ...preview, needs: await needsOf(session, set) };
}

type ReduceZone = (zone: CheckedZone) => CheckedZone;

/** Checks all zones of a set. `reduce` reduces each result to what the caller needs. */
async function previewZones(session: Session, set: ChangeSetRow, reduce: ReduceZone): Promise<Preview> {
  const inner = sessionOfSet(asOwner(session, set), set);
  const zones: CheckedZone[] = [];
  for await (const parts of zonesInPieces(inner, set.id))
    for (const zone of await checkParts(inner, parts)) zones.push(reduce(zone));
  const limited = await withinQuotas(session, zones, set.mode);
  const applicable = openStates.includes(set.state) && isAnyApplicable(limited, set.mode);
  return { fingerprint: fingerprintOf(zones), at: session.now(), zones: limited, applicable };
}

/** Checks parts and returns them in their order. One query reads all existing zones; zones with an outcome are read from the journal. */
async function checkParts(session: Session, parts: readonly StagedZone[]): Promise<CheckedZone[]> {
  const done = await appliedZones(
    session,
    parts.filter(({ outcome }) => outcome !== null),
  );
  const stored = parts.filter(({ action, outcome }) => outcome === null && !makesZone(action));
  const together = [...done, ...(await checkZones(session, stored, { isLocked: false }))];
  const checked = new Map(together.map((zone) => [zone.staged.zone, zone]));
  const all: CheckedZone[] = [];
  for (const part of parts) all.push(checked.get(part.zone) ?? (await checkZoneToMake(session, part)));
  return all;
}
