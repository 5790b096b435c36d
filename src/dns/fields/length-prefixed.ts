/** Octets with a length: directly before them (salts and hashes of NSEC3, RFC 5155 §3.2), or earlier in the data (HIP, RFC 8005 §5). */

import type { WireReader } from "../wire.ts";
import type { Field, Row } from "./field.ts";
import { base64Encoding, hexEncoding, hexOctets, hexText } from "./hex-base64.ts";
import { unsigned } from "./number.ts";
import { type Encoding, octetsField } from "./octets.ts";

/** The length of a later field; it has no text. */
export function lengthOf(later: string, size: 1 | 2): Field<number> {
  return {
    ...unsigned(size, `${later}Length`, `the length of ${later}`),
    silent: true,
    write: (_, wire, row) => wire.number((row[later] as Uint8Array).length, size),
  };
}

/** Undefined for octets of another length. */
function ofLength(min: number, max: number, octets: Uint8Array | undefined): Uint8Array | undefined {
  return octets && octets.length >= min && octets.length <= max ? octets : undefined;
}

function sized(encoding: Encoding, max: number, name: string, description: string): Field<Uint8Array> {
  const oneWordEncoding = {
    ...encoding,
    range: `${encoding.range}, without blanks`,
    octets: (text: string) => ofLength(1, max, encoding.octets(text)),
  };
  const read = (wire: WireReader, row: Row) =>
    ofLength(1, max, wire.take(Number(row[`${name}Length`]))) ?? wire.refuse("it is empty");
  return octetsField(oneWordEncoding, read, name, description);
}

function behindLength(
  encoding: Encoding,
  read: (wire: WireReader) => Uint8Array,
  name: string,
  description: string,
): Field<Uint8Array> {
  return {
    ...octetsField(encoding, read, name, description),
    write: (value, wire) => wire.charString(value),
  };
}

/** Hexadecimal of 1 to 255 octets; a field `lengthOf(name, 1)` holds their length. */
export const sizedHex = (name: string, description: string) => sized(hexEncoding, 255, name, description);
/** Base64 of 1 to 65535 octets; a field `lengthOf(name, 2)` holds their length. */
export const sizedBase64 = (name: string, description: string) => sized(base64Encoding, 65535, name, description);

const saltEncoding: Encoding = {
  kind: "salt",
  range: "hexadecimal digits without blanks, or a hyphen for none",
  octets: (text) => (text === "-" ? new Uint8Array(0) : ofLength(0, 255, hexOctets(text))),
  text: (octets) => (octets.length === 0 ? "-" : hexText(octets)),
};

/** A salt of 0 to 255 octets after its length: hexadecimal, or a hyphen for an empty salt. */
export const salt = (name: string, description: string) =>
  behindLength(saltEncoding, (wire) => wire.charString(), name, description);

const base32Digits = "0123456789ABCDEFGHIJKLMNOPQRSTUV";

function base32Octets(text: string): Uint8Array | undefined {
  const octets: number[] = [];
  let bits = 0;
  let held = 0;
  for (const character of text.toUpperCase()) {
    const digit = base32Digits.indexOf(character);
    if (digit < 0) return undefined;
    held = ((held << 5) | digit) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      octets.push((held >> bits) & 255);
    }
  }
  const unusedBits = held & ((1 << bits) - 1);
  return bits < 5 && unusedBits === 0 ? Uint8Array.from(octets) : undefined;
}

function base32Text(octets: Uint8Array): string {
  let text = "";
  let bits = 0;
  let held = 0;
  for (const octet of octets) {
    held = ((held << 8) | octet) & 0xfff;
    for (bits += 8; bits >= 5; bits -= 5) text += base32Digits[(held >> (bits - 5)) & 31];
  }
  return bits > 0 ? text + base32Digits[(held << (5 - bits)) & 31] : text;
}

/** The maximum octets of a hash: in base32hex, more would not fit into a label. */
const maxHashLength = 39;

const base32Encoding: Encoding = {
  kind: "base32hex",
  range: "base32hex without padding",
  octets: (text) => (text.length <= 63 ? ofLength(1, maxHashLength, base32Octets(text)) : undefined),
  text: base32Text,
};

/** A hashed name of 1 to 39 octets after its length: base32hex without padding (RFC 5155 §3.3). */
export function hashedName(name: string, description: string): Field<Uint8Array> {
  const read = (wire: WireReader) =>
    ofLength(1, maxHashLength, wire.charString()) ?? wire.refuse("it is empty or longer than a label");
  return behindLength(base32Encoding, read, name, description);
}
