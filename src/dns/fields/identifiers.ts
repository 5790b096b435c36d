/*
 * Fixed-size identifiers: EUI-48 and EUI-64 (RFC 7043), ILNP identifiers and locators (RFC 6742), NSAP (RFC 1706), X.25 (RFC 1183).
 */

import { charString } from "./character-string.ts";
import type { Field } from "./field.ts";
import { hexOctets, hexText } from "./hex-base64.ts";

/** An EUI of 6 or 8 octets: two-digit groups with hyphens, nothing shorter (Knot). */
export function eui(octets: 6 | 8, name: string, description: string): Field<Uint8Array> {
  const range = `${octets} groups of two hexadecimal digits with hyphens between`;
  const form = new RegExp(`^[0-9a-f]{2}(?:-[0-9a-f]{2}){${octets - 1}}$`, "i");
  return {
    name,
    kind: `eui${octets * 8}`,
    range,
    description,
    holds: "text",
    parse(reader) {
      const word = reader.word(range);
      return (form.test(word) && hexOctets(word.replaceAll("-", ""))) || reader.refuse(word, range);
    },
    print: (value) => Array.from(value, (octet) => octet.toString(16).padStart(2, "0")).join("-"),
    write: (value, wire) => wire.bytes(value),
    read: (wire) => wire.take(octets),
  };
}

/** 64 bits in four groups of up to four hexadecimal digits; printed with all four, as Knot reads nothing shorter. */
export function ilnp(name: string, description: string): Field<Uint8Array> {
  const range = "four groups of hexadecimal digits with colons between";
  return {
    name,
    kind: "ilnp64",
    range,
    description,
    holds: "text",
    parse(reader) {
      const word = reader.word(range);
      if (!/^[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){3}$/i.test(word)) reader.refuse(word, range);
      const digits = word.split(":").map((group) => group.padStart(4, "0"));
      return hexOctets(digits.join("")) ?? reader.refuse(word, range);
    },
    print: (value) => hexText(value).toLowerCase().match(/.{4}/g)?.join(":") ?? "",
    write: (value, wire) => wire.bytes(value),
    read: (wire) => wire.take(8),
  };
}

/** An NSAP address of one octet or more: `0x`, then hexadecimal with dots anywhere (RFC 1706 §7). */
export function nsap(name: string, description: string): Field<Uint8Array> {
  const range = "0x and hexadecimal digits, two an octet; dots between them are ignored";
  return {
    name,
    kind: "nsap",
    range,
    description,
    holds: "text",
    parse(reader) {
      const word = reader.word(range);
      const octets = /^0x/i.test(word) ? hexOctets(word.slice(2).replaceAll(".", "")) : undefined;
      return octets && octets.length > 0 ? octets : reader.refuse(word, range);
    },
    print: (value) => `0x${hexText(value)}`,
    write: (value, wire) => wire.bytes(value),
    read: (wire) => (wire.left > 0 ? wire.rest() : wire.refuse("it is empty, over which BIND drops the zone")),
  };
}

/** A PSDN address: a string of four or more digits (RFC 1183 §3.1). */
export function psdn(name: string, description: string): Field<Uint8Array> {
  const string = charString(name, description);
  const range = "a text of four or more digits";
  const valid = (value: Uint8Array) => value.length >= 4 && value.every((octet) => octet >= 0x30 && octet <= 0x39);
  return {
    ...string,
    kind: "psdn",
    range,
    parse(reader, row) {
      const given = reader.peek()?.text ?? "";
      const value = string.parse(reader, row);
      return valid(value) ? value : reader.refuse(given, range);
    },
    read(wire, row) {
      const value = string.read(wire, row);
      return valid(value) ? value : wire.refuse(`it is not ${range}`);
    },
  };
}
