import { describe, expect, test } from "@jest/globals";
import { serial } from "../../../src/dns/serial.ts";
import { type Evidence, type Observed, type Proof, prove } from "../../../src/secondary/proof.ts";

/** The term of the proof; the one before is that of a backup, or of another leader. */
const term = 7;
const direct = { isIndirect: false, isIdentifiable: true };
const unrecognized = { isIndirect: false, isIdentifiable: false };
const indirect = { isIndirect: true, isIdentifiable: true };
const committed = 100;

/** What is known: the zone is at serial 100. */
function evidence(transferred: readonly number[], before?: Partial<Observed> | undefined, isSettled = true): Evidence {
  const observed = { serial: null, provenSerial: null, isUnproven: false, term, ...before };
  return { committed: serial(committed), transferred: transferred.map(serial), isSettled, before: before && observed };
}

/** A proof in short: the serial, `unverified` or `unknown`. */
const short = (proof: Proof) => (proof.kind === "proven" ? proof.serial : proof.kind);
const served = (value: number, isSigned = false) => ({ serial: serial(value), isSigned });
const at = (value: number, proven: number | null, inTerm = term, isUnproven = false): Partial<Observed> => ({
  serial: serial(value),
  provenSerial: proven === null ? null : serial(proven),
  term: inTerm,
  isUnproven,
});

describe("a secondary that transfers from here", () => {
  test.each<[string, number, Evidence, number | string]>([
    ["the committed serial, transferred to it", 100, evidence([100]), 100],
    ["the one transferred before, while the last transfer is under way or failed", 99, evidence([100, 99]), 99],
    ["what it was proven to serve, though later transfers failed", 97, evidence([100, 99], at(97, 97)), 97],
    ["what it was proven to serve in an earlier term", 97, evidence([], at(97, 97, term - 1)), 97],
    ["the committed serial by chance", 100, evidence([97]), "unknown"],
    ["a serial ahead of ours", 106, evidence([100]), "unknown"],
    ["a serial behind ours that it never got", 98, evidence([100, 99]), "unknown"],
    ["a serial half the circle away", 100 + 2 ** 31, evidence([100]), "unknown"],
    [
      "the committed serial, to which it moved by a transfer from elsewhere",
      100,
      evidence([97], at(97, 97)),
      "unknown",
    ],
  ])("serves %s", (_what, value, known, expected) => {
    expect(short(prove(served(value), direct, known, term))).toBe(expected);
  });
});

describe("a secondary whose transfers are not recognized", () => {
  test.each<[string, number, Evidence, number | string]>([
    ["the committed serial, to which it moved in this term", 100, evidence([], at(106, null)), 100],
    ["a zone that it did not have before in this term", 100, evidence([], { serial: null }), 100],
    ["the committed serial, to which it moved between terms", 100, evidence([], at(97, 97, term - 1)), "unknown"],
    ["the committed serial, never observed before", 100, evidence([]), "unknown"],
    ["the same serial as before", 100, evidence([], at(100, null)), "unknown"],
    ["a serial ahead of ours, to which it moved", 106, evidence([], at(97, 97)), "unknown"],
  ])("serves %s", (_what, value, known, expected) => {
    expect(short(prove(served(value), unrecognized, known, term))).toBe(expected);
  });

  test.each<[string, number, Evidence, number | string]>([
    ["a zone that it signs", 103, evidence([]), "unverified"],
    ["a zone that it signs, as it was compared", 103, evidence([], at(103, 99)), 99],
    ["a zone that it signs, which has moved", 104, evidence([], at(103, 99)), "unverified"],
  ])("serves %s", (_what, value, known, expected) => {
    expect(short(prove(served(value, true), unrecognized, known, term))).toBe(expected);
  });
});

describe("a secondary that signs", () => {
  test.each<[string, number, Evidence, number | string]>([
    ["a serial past the one transferred, observed first", 103, evidence([100]), 100],
    ["the serial that it had before the transfer: not applied yet", 103, evidence([100, 99], at(103, 99), false), 99],
    ["that serial for a while: its serials need not move", 103, evidence([100, 99], at(103, 99), true), 100],
    ["a later serial after the transfer", 104, evidence([100, 99], at(103, 99), false), 100],
    ["a later serial without a transfer: it has signed again", 104, evidence([99], at(103, 99)), 99],
    [
      "the same after another term: it may hold what a lost history gave",
      104,
      evidence([99], at(103, 99, term - 1)),
      "unverified",
    ],
    ["that, still not compared", 104, evidence([99], at(104, 99, term, true)), "unverified"],
    ["a later one after a transfer in this history", 106, evidence([100, 99], at(104, 99, term, true)), 100],
    ["the serial of an earlier term", 103, evidence([99], at(103, 99, term - 1)), 99],
    ["a serial between two transfers: it has applied the first", 99, evidence([100, 99], at(98, 98), false), 99],
    ["a zone of which it was transferred nothing", 103, evidence([]), "unknown"],
    ["a Unix time, after a transfer", 1_790_000_000, evidence([100, 99], at(1_780_000_000, 99), false), 100],
    ["a Unix time, after a leap of half the circle", 1_790_000_000, evidence([100, 2 ** 31], at(1, 2 ** 31)), 100],
    ["the same Unix time as before the transfer", 1_780_000_000, evidence([100, 99], at(1_780_000_000, 99), false), 99],
  ])("serves %s", (_what, value, known, expected) => {
    expect(short(prove(served(value, true), direct, known, term))).toBe(expected);
  });
});

describe("an indirect secondary", () => {
  test.each<[string, number, boolean, Evidence, number | string]>([
    ["the committed serial", 100, false, evidence([100]), "unverified"],
    ["the committed serial, which was compared", 100, false, evidence([], at(100, 100, term - 1)), 100],
    ["a serial behind ours", 98, false, evidence([98]), "unknown"],
    ["a serial ahead of ours", 106, false, evidence([]), "unknown"],
    ["a signed zone", 103, true, evidence([100]), "unverified"],
    ["a signed zone as it was compared", 103, true, evidence([], at(103, 99)), 99],
    ["a signed zone that has moved", 104, true, evidence([], at(103, 99)), "unverified"],
  ])("serves %s", (_what, value, isSigned, known, expected) => {
    expect(short(prove(served(value, isSigned), indirect, known, term))).toBe(expected);
  });
});
