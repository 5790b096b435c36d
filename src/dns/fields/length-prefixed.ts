/*
 * Octets with a length: right before them (salts and hashes of NSEC3, RFC 5155 §3.2), or earlier in the data (HIP, RFC 8005 §5).
 */

import { type Field, type Row, unsigned } from "./field.ts";
import { base64Octets, base64Text, hexOctets, hexText } from "./hex-base64.ts";

/** The length of a later field, on the wire alone. */
export function lengthOf(later: string, size: 1 | 2): Field<number> {
  return {
    ...unsigned(size, `${later}Length`, `the length of ${later}`),
    silent: true,
    write: (_, wire, row) => wire.number((row[later] as Uint8Array).length, size),
  };
}

function sized(kind: "hex" | "base64", name: string, max: number, description: string): Field<Uint8Array> {
  const range =
    kind === "hex" ? "hexadecimal digits, two an octet, without blanks" : "base64 with its padding, without blanks";
  const octets = kind === "hex" ? hexOctets : base64Octets;
  return {
    name,
    kind,
    range,
    description,
    holds: "text",
    parse(reader) {
      const word = reader.word(range);
      const value = octets(word);
      return value && value.length > 0 && value.length <= max ? value : reader.refuse(word, range);
    },
    print: kind === "hex" ? hexText : base64Text,
    write: (value, wire) => wire.bytes(value),
    read(wire, row: Row) {
      const value = wire.take(Number(row[`${name}Length`]));
      return value.length > 0 ? value : wire.refuse("it is empty");
    },
  };
}

/** Hexadecimal of 1 to 255 octets whose length a field `lengthOf(name, 1)` holds. */
export const sizedHex = (name: string, description: string) => sized("hex", name, 255, description);
/** Base64 of 1 to 65535 octets whose length a field `lengthOf(name, 2)` holds. */
export const sizedBase64 = (name: string, description: string) => sized("base64", name, 65535, description);

/** A salt of 0 to 255 octets behind its length: hexadecimal, a hyphen for none. */
export function salt(name: string, description: string): Field<Uint8Array> {
  const range = "hexadecimal digits without blanks, or a hyphen for none";
  return {
    name,
    kind: "salt",
    range,
    description,
    holds: "text",
    parse(reader) {
      const word = reader.word(range);
      const value = word === "-" ? new Uint8Array(0) : hexOctets(word);
      return value && value.length <= 255 ? value : reader.refuse(word, range);
    },
    print: (value) => (value.length === 0 ? "-" : hexText(value)),
    write: (value, wire) => wire.charString(value),
    read: (wire) => wire.charString(),
  };
}

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
  const spare = held & ((1 << bits) - 1);
  return bits < 5 && spare === 0 ? Uint8Array.from(octets) : undefined;
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

/** In base32hex more octets would not fit a label. */
const maxHashLength = 39;

/** A hashed name of 1 to 39 octets behind its length: base32hex without padding (RFC 5155 §3.3). */
export function hashedName(name: string, description: string): Field<Uint8Array> {
  const range = "base32hex without padding";
  return {
    name,
    kind: "base32hex",
    range,
    description,
    holds: "text",
    parse(reader) {
      const word = reader.word(range);
      const value = word.length <= 63 ? base32Octets(word) : undefined;
      return value && value.length > 0 ? value : reader.refuse(word, range);
    },
    print: base32Text,
    write: (value, wire) => wire.charString(value),
    read(wire) {
      const value = wire.charString();
      return value.length > 0 && value.length <= maxHashLength
        ? value
        : wire.refuse("it is empty or longer than a label");
    },
  };
}
