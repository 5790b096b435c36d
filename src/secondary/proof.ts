/**
 * Proof: which of our serials a secondary serves. The serial in its answer does not prove that: after a restored backup the same serials
 * name other changes, and a secondary that signs has its own. The proof depends on the secondary:
 *
 * - It transfers from here: the serial was transferred to it (transferred-zone.ts), or proven before. A backup contains both facts, and
 *   every serial of the lost history is later.
 * - Its transfers are not recognized (endpoint.ts): its serial moved to this one from one that was observed in the same term. A backup is
 *   restored between terms.
 * - It signs: the serial that was last transferred to it, once its own has moved, or after a while. When its serial moved between two terms
 *   without a transfer, it may have changes of a lost history: its content is compared.
 * - It is indirect, or signs and is not recognized: only a comparison of its content, record by record.
 *
 * Without proof, our serial is raised past one that is not behind ours and that a lost history can have given (isNear of resync.ts). A
 * secondary whose serial is behind gets the whole zone when it asks.
 */
import { compareSerial, type Serial, serialDistance } from "../dns/serial.ts";

export interface Observed {
  /** Null when the secondary refused the zone. */
  readonly serial: Serial | null;
  readonly provenSerial: Serial | null;
  readonly isUnproven: boolean;
  readonly term: number;
}

export interface Evidence {
  readonly committed: Serial;
  readonly transferred: readonly Serial[];
  /** Whether a secondary that signs has applied the last transfer by now. */
  readonly isSettled: boolean;
  /** Undefined before the first conclusive probe. */
  readonly before: Observed | undefined;
}

export interface Served {
  readonly serial: Serial;
  readonly isSigned: boolean;
}

interface Provable {
  readonly isIndirect: boolean;
  readonly isIdentifiable: boolean;
}

/** `unverified`: only a comparison of content can prove a serial. `unknown`: it serves none of our serials. */
export type Proof =
  | { readonly kind: "proven"; readonly serial: Serial }
  | { readonly kind: "unverified" }
  | { readonly kind: "unknown" };

const unverified: Proof = { kind: "unverified" };
const unknown: Proof = { kind: "unknown" };
const proven = (serial: Serial): Proof => ({ kind: "proven", serial });

/** How far the serial of a signer runs ahead of the one that it transferred. */
const maxSignerLead = 100_000;

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

function serialsOf({ transferred, before }: Evidence, { isIndirect }: Provable): Serial[] {
  return [...(isIndirect ? [] : transferred), ...(before?.provenSerial == null ? [] : [before.provenSerial])];
}

/** A comparison of content holds while the serial stays the same. */
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
 * The latest serial from here that a signer can have applied: its own equals it or counts on from it. A signer with serials of another
 * kind, such as Unix times, is assumed to have applied the last transfer.
 */
function latestTransfer(served: Served, evidence: Evidence): Serial | undefined {
  const own = serialsOf(evidence, { isIndirect: false, isIdentifiable: true });
  const applied = countsOn(served.serial, evidence.committed)
    ? own.filter((serial) => serialDistance(serial, served.serial) <= maxSignerLead)
    : own;
  const age = (serial: Serial) => serialDistance(serial, evidence.committed);
  return applied.toSorted((a, b) => age(a) - age(b))[0];
}

/** Whether a signer's serials count on from ours: its serial is a little behind the committed one, or a little ahead. */
export function countsOn(served: Serial, committed: Serial): boolean {
  return Math.min(serialDistance(served, committed), serialDistance(committed, served)) <= maxSignerLead;
}
