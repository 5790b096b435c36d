/**
 * Findings: what a probe or a comparison of content means for a delivery. If nothing proves that a copy is ours (secondary/proof.ts), the
 * zone's serial is raised past the served one, once in a term for each zone and secondary. A secondary that serves such a serial again
 * transfers from elsewhere or is not recognized, so that raising would never end. A serial that is too far ahead (isNear in
 * secondary/resync.ts) needs an administrator.
 */
import { compareSerial, isOnWay, type Serial } from "../dns/serial.ts";
import { countsOn, type Proof, type Served } from "../secondary/proof.ts";
import type { Target } from "../secondary/sighting.ts";
import type { ContentComparison } from "./packets/content-comparison.ts";
import type { ProbeResult } from "./packets/soa-probe.ts";

/** `unknown`: the copy is not proven to be ours. `unverified`: a comparison of content has to prove it. `inconclusive`: neither. */
type Comparison = "current" | "behind" | "unknown" | "unverified" | "refused" | "inconclusive";

/** `isWhole`: every secondary transfers the whole zone. */
export interface Raise {
  readonly served: Serial;
  readonly past: Serial;
  readonly committed: Serial;
  readonly isWhole: boolean;
}

/**
 * `held`: an administrator has to confirm it. `repeated`: the secondary transferred a raised serial in this term. `far`: an administrator
 * raises.
 */
export type RaiseState = "queued" | "held" | "repeated" | "far";

export interface Proven {
  readonly proof: Proof;
  readonly committed: Serial;
  /** Whether the zone was raised past the serial because of the secondary, which has not transferred it yet. */
  readonly isRaised: boolean;
}

export interface Finding {
  readonly comparison: Comparison;
  /** Null when the secondary serves no serial, or when it is not known. */
  readonly serial: Serial | null;
  readonly provenSerial: Serial | null;
  readonly isUnproven: boolean;
  /** Only for `unknown`. */
  readonly raise: Raise | null;
  /** Whether the secondary serves data that only a lost history can have given it. */
  readonly isDoubtful: boolean;
  readonly error: string | null;
}

const none = {
  serial: null,
  provenSerial: null,
  isUnproven: false,
  raise: null,
  isDoubtful: false,
  error: null,
} as const;

export function inconclusive(message: string | null): Finding {
  return { ...none, comparison: "inconclusive", error: message && sentence(message) };
}

/** The finding of a probe that shows no serial. `isAbsent`: no copy of the zone is known at the secondary. */
export function withoutSerial(
  result: Exclude<ProbeResult, { kind: "serial" }>,
  target: Target,
  isAbsent: boolean,
): Finding {
  if (result.kind !== "refused" && !(result.kind === "unloaded" && isAbsent)) return inconclusive(result.message);
  const error = target.isDeleted ? null : `It does not have the zone (${result.message}).`;
  return { ...none, comparison: "refused", error };
}

/** The finding about a deleted zone that is served: itself, or a later one of the same name. */
export function ofDeletedZone(serial: Serial, isServedAgain: boolean): Finding {
  if (isServedAgain) return { ...none, comparison: "refused" };
  return { ...none, comparison: "behind", serial };
}

export function ofServed(served: Served, { proof, committed, isRaised }: Proven, target: Serial): Finding {
  const { serial, isSigned } = served;
  if (proof.kind === "proven") return ofProven(serial, proof.serial, committed, target);
  if (isRaised) return { ...none, comparison: "behind", serial, isUnproven: true };
  if (proof.kind === "unverified") return { ...none, comparison: "unverified", serial, isUnproven: true };
  const order = compareSerial(serial, committed);
  const unproven = { ...none, serial, isUnproven: true, isDoubtful: order === 1 && !isSigned };
  if (order === -1 && !isSigned) return { ...unproven, comparison: "behind" };
  const raise = { served: serial, past: pastOf(served, committed), committed, isWhole: false };
  return { ...unproven, comparison: "unknown", raise };
}

/** The finding of a comparison of content. `isUnreadable`: a signer refuses us its copy; it gets the whole zone, which proves its copy. */
export function ofCompared(
  compared: ContentComparison,
  served: Served,
  target: Serial,
  isUnreadable: boolean,
): Finding {
  if (compared.kind === "equal")
    return ofProven(compared.served.serial, compared.committed, compared.committed, target);
  if (compared.kind === "different") return ofDifference(compared.served, compared.committed, compared.message);
  if (isUnreadable) return ofDifference(served, target, compared.message);
  const error = sentence(compared.message);
  return { ...none, comparison: "unverified", serial: served.serial, isUnproven: true, error };
}

/** The finding that a copy is ours of `provenSerial`; `committed` is the target's serial or a later one. */
function ofProven(serial: Serial, provenSerial: Serial, committed: Serial, target: Serial): Finding {
  const proven = { ...none, serial, provenSerial };
  if (isOnWay(provenSerial, target, committed)) return { ...proven, comparison: "current" };
  if (compareSerial(provenSerial, committed) === -1) return { ...proven, comparison: "behind" };
  const error = `It has serial ${provenSerial} of the zone, and takes ${committed} for an earlier one, since half the circle of serials or more lies between them (RFC 1982); let it transfer the whole zone, by its own command or, where it follows the catalog, by resyncDomain.`;
  return { ...proven, comparison: "behind", error };
}

/** The finding that a copy differs from ours at `committed`; a signed copy may only be behind. */
function ofDifference(served: Served, committed: Serial, message: string): Finding {
  const { serial, isSigned } = served;
  const raise = { served: serial, past: pastOf(served, committed), committed, isWhole: true };
  const error = `Its copy of serial ${serial} is not ours: ${message}`;
  return { ...none, comparison: "unknown", serial, isUnproven: true, raise, isDoubtful: !isSigned, error };
}

/** The serial to raise past: the served one, unless that is behind ours or of a signer with its own serials. */
function pastOf({ serial, isSigned }: Served, committed: Serial): Serial {
  const isPast = compareSerial(serial, committed) !== -1 && (!isSigned || countsOn(serial, committed));
  return isPast ? serial : committed;
}

export function unprovenText({ serial, error }: Finding, state: RaiseState | "behind", isIndirect: boolean): string {
  const problem = error ?? `It serves serial ${serial}, which was not transferred to it from here`;
  if (state === "behind") return `${problem}; it gets the whole zone.`;
  if (state === "queued") return `${problem}, as after a restored backup; the zone is published with a later serial.`;
  if (state === "held") return `${problem}, as after a restored backup; confirmRestore publishes the zone to it.`;
  if (state === "far")
    return `${problem}, and is too far past the zone's to raise that by itself; an administrator does (zonesmith resync --all).`;
  return isIndirect
    ? `${problem}, and a later serial has not changed that; look at the server that it transfers from.`
    : `${problem}, and a later serial has not changed that; let it sign with a TSIG key of its own, or register it as indirect.`;
}

const sentence = (message: string) => `${message[0]?.toUpperCase()}${message.slice(1)}.`;
