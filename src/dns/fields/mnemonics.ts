/** Numbers with names (IANA registries). Both are read; the number is printed, because every server reads it. */
import { type Field, oneWord } from "./field.ts";
import { decimal, unsigned } from "./number.ts";

type Names = Readonly<Record<string, number>>;

/** RFC 8624 and its registry, with the spellings of BIND and of Knot. */
const algorithms: Names = {
  RSAMD5: 1,
  DH: 2,
  DSA: 3,
  ECC: 4,
  RSASHA1: 5,
  NSEC3DSA: 6,
  "DSA-NSEC3-SHA1": 6,
  NSEC3RSASHA1: 7,
  "RSASHA1-NSEC3-SHA1": 7,
  RSASHA256: 8,
  RSASHA512: 10,
  ECCGOST: 12,
  "ECC-GOST": 12,
  ECDSAP256SHA256: 13,
  ECDSAP384SHA384: 14,
  ED25519: 15,
  ED448: 16,
  INDIRECT: 252,
  PRIVATEDNS: 253,
  PRIVATEOID: 254,
};

/** RFC 4398 §2.1. */
const certificateTypes: Names = {
  PKIX: 1,
  SPKI: 2,
  PGP: 3,
  IPKIX: 4,
  ISPKI: 5,
  IPGP: 6,
  ACPKIX: 7,
  IACPKIX: 8,
  URI: 253,
  OID: 254,
};

function named(size: 1 | 2, names: Names, kind: string, name: string, description: string): Field<number> {
  const number = unsigned(size, name, description);
  const range = `${number.range}, or a name such as ${Object.keys(names)[0]}`;
  // In reverse, so that of several spellings the first one wins.
  const choices = Object.fromEntries(
    Object.entries(names)
      .toReversed()
      .map(([name, value]) => [value, name]),
  );
  return {
    ...number,
    kind,
    range,
    choices,
    parse: oneWord(range, (word) => decimal(word, 256 ** size - 1) ?? names[word.toUpperCase()]),
  };
}

export const algorithm = named(1, algorithms, "algorithm", "algorithm", "the cryptographic algorithm");
export const certificateType = (name: string, description: string) =>
  named(2, certificateTypes, "certificate", name, description);
/** RFC 9859 §2. */
export const notifyScheme = (name: string, description: string) => named(1, { NOTIFY: 1 }, "scheme", name, description);
