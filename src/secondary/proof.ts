/**
 * Proof: which serial of ours a secondary serves. The serial that it answers with does not say that by itself: after a
 * restored backup the same numbers are given to other changes, and a secondary that signs has numbers of its own. What
 * proves it:
 *
 * - a secondary that transfers from here: a serial that was transferred to it (transferred-zone.ts), or that it was
 *   proven to serve before. A backup holds both as they were, and every serial of the history that is lost is later.
 * - one whose transfers are not recognized, since it shares its key or address with another, or has neither a key nor
 *   the right to transfer unsigned: that it moved to this serial from the one that it was observed at in the same term;
 *   a backup is restored between terms.
 * - one that signs: the last serial that was transferred to it, once its own serial has moved, or after a while. When
 *   its serial moved between two terms without a transfer, it may have signed again or have changes of a lost history:
 *   its content is compared.
 * - an indirect one, which transfers from another server, and one that signs and is not recognized: its content alone,
 *   compared record by record.
 *
 * Without proof, a serial that is not behind ours is raised past, so that the secondary transfers the zone, where a lost
 * history can have given it (isNear of resync.ts); one that is behind gets the whole zone when it asks, since the serial
 * is not one that was transferred to it.
 */
import { compareSerial, type Serial, serialDistance } from "../dns/serial.ts";

/** What was observed of a zone at a secondary before, and the term of that observation. */
export interface Observed {
  /** What it served; null when it refused the zone. */
  readonly serial: Serial | null;
  /** The serial of ours that it was proven to serve last. */
  readonly provenSerial: Serial | null;
  /** Whether what it served was not proven. */
  readonly isUnproven: boolean;
  readonly term: number;
}

/** What the database knows of a zone at a secondary. */
export interface Evidence {
  /** The committed serial. */
  readonly committed: Serial;
  /** The serials that were transferred to it from here. */
  readonly transferred: readonly Serial[];
  /** Whether the last transfer was so long ago that a secondary that signs has applied it. */
  readonly isSettled: boolean;
  /** Undefined before the first conclusive probe. */
  readonly before: Observed | undefined;
}

/** What a probe showed: the serial, and whether the secondary signs the zone. */
export interface Served {
  readonly serial: Serial;
  readonly isSigned: boolean;
}

/** What has to be known of a secondary for a proof. */
export interface Provable {
  /** Whether it transfers from another server. */
  readonly isIndirect: boolean;
  /** Whether its transfers are recognized as its own. */
  readonly isIdentifiable: boolean;
}

/** The serial of ours that it serves; `unverified`: only its content shows that; `unknown`: none of ours. */
export type Proof =
  | { readonly kind: "proven"; readonly serial: Serial }
  | { readonly kind: "unverified" }
  | { readonly kind: "unknown" };

const unverified: Proof = { kind: "unverified" };
const unknown: Proof = { kind: "unknown" };
const proven = (serial: Serial): Proof => ({ kind: "proven", serial });

/** How far the serial of a secondary that signs may be past the one that it transferred. */
const maxSignerLead = 100_000;

/** Returns what the evidence proves of what a secondary serves now, in this term. */
export function prove(served: Served, secondary: Provable, evidence: Evidence, term: number): Proof {
  if (served.isSigned)
    return secondary.isIndirect || !secondary.isIdentifiable
      ? proveByContent(served, evidence)
      : proveSigner(served, evidence, term);
  const { serial } = served;
  const { before, committed } = evidence;
  if (serialsOf(evidence, secondary).includes(serial)) return proven(serial);
  const order = compareSerial(serial, committed);
  if (secondary.isIndirect) return order === 0 ? unverified : unknown;
  const hasMoved = before !== undefined && before.term === term && before.serial !== serial;
  if (!secondary.isIdentifiable && hasMoved && (order === 0 || order === -1)) return proven(serial);
  return unknown;
}

/** The serials that it has or had from here. */
function serialsOf({ transferred, before }: Evidence, { isIndirect }: Provable): Serial[] {
  return [...(isIndirect ? [] : transferred), ...(before?.provenSerial == null ? [] : [before.provenSerial])];
}

/** What was compared stays proven while the serial stays. */
function proveByContent({ serial }: Served, { before }: Evidence): Proof {
  if (before?.serial !== serial || before.isUnproven || before.provenSerial === null) return unverified;
  return proven(before.provenSerial);
}

function proveSigner(served: Served, evidence: Evidence, term: number): Proof {
  const { before, isSettled } = evidence;
  const latest = latestTransfer(served, evidence);
  if (latest === undefined) return unknown;
  const last = before?.provenSerial ?? undefined;
  const isNewer = latest !== last;
  if (before?.serial !== served.serial) {
    if (isNewer) return proven(latest);
    return before?.term === term && !before.isUnproven ? proven(latest) : unverified;
  }
  if (isNewer && isSettled) return proven(latest);
  return before.isUnproven || last === undefined ? unverified : proven(last);
}

/**
 * The latest serial from here that a signer can have applied: its own serial is that or counts on from it. A signer
 * with serials of another kind, such as Unix times, is taken to have applied the last transfer.
 */
function latestTransfer(served: Served, evidence: Evidence): Serial | undefined {
  const own = serialsOf(evidence, { isIndirect: false, isIdentifiable: true });
  const applied = countsOn(served.serial, evidence.committed)
    ? own.filter((serial) => serialDistance(serial, served.serial) <= maxSignerLead)
    : own;
  const age = (serial: Serial) => serialDistance(serial, evidence.committed);
  return applied.toSorted((a, b) => age(a) - age(b))[0];
}

/** Whether the serials of a signer count on from ours: it is a little behind the committed one, or a little ahead. */
export function countsOn(served: Serial, committed: Serial): boolean {
  return Math.min(serialDistance(served, committed), serialDistance(committed, served)) <= maxSignerLead;
}
