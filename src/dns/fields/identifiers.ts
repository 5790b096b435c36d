/** Identifiers: EUI-48 and EUI-64 (RFC 7043), ILNP identifiers and locators (RFC 6742), NSAP (RFC 1706), X.25 (RFC 1183). */

import { checkedString } from "./character-string.ts";
import type { Field } from "./field.ts";
import { hexOctets, hexText } from "./hex-base64.ts";
import { octetsField } from "./octets.ts";

/** Two-digit groups with hyphens. Knot accepts no shorter groups. */
export function eui(size: 6 | 8, name: string, description: string): Field<Uint8Array> {
  const form = new RegExp(`^[0-9a-f]{2}(?:-[0-9a-f]{2}){${size - 1}}$`, "i");
  const encoding = {
    kind: `eui${size * 8}`,
    range: `${size} groups of two hexadecimal digits with hyphens between`,
    octets: (text: string) => (form.test(text) ? hexOctets(text.replaceAll("-", "")) : undefined),
    text: (octets: Uint8Array) => Array.from(octets, (octet) => octet.toString(16).padStart(2, "0")).join("-"),
  };
  return octetsField(encoding, (wire) => wire.take(size), name, description);
}

/** Groups of up to four hexadecimal digits; printed with four, because Knot reads no shorter ones. */
export function ilnp(name: string, description: string): Field<Uint8Array> {
  const encoding = {
    kind: "ilnp64",
    range: "four groups of hexadecimal digits with colons between",
    octets(text: string) {
      if (!/^[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){3}$/i.test(text)) return undefined;
      const digits = text.split(":").map((group) => group.padStart(4, "0"));
      return hexOctets(digits.join(""));
    },
    text: (octets: Uint8Array) => hexText(octets).toLowerCase().match(/.{4}/g)?.join(":") ?? "",
  };
  return octetsField(encoding, (wire) => wire.take(8), name, description);
}

/** `0x`, then hexadecimal with dots anywhere (RFC 1706 §7). */
export function nsap(name: string, description: string): Field<Uint8Array> {
  const encoding = {
    kind: "nsap",
    range: "0x and hexadecimal digits, two an octet; dots between them are ignored",
    octets(text: string) {
      const octets = /^0x/i.test(text) ? hexOctets(text.slice(2).replaceAll(".", "")) : undefined;
      return octets?.length === 0 ? undefined : octets;
    },
    text: (octets: Uint8Array) => `0x${hexText(octets)}`,
  };
  return octetsField(
    encoding,
    (wire) => (wire.left > 0 ? wire.rest() : wire.refuse("it is empty, and BIND drops a zone with such a record")),
    name,
    description,
  );
}

/** A string of four or more digits (RFC 1183 §3.1). */
export function psdn(name: string, description: string): Field<Uint8Array> {
  const range = "a text of four or more digits";
  const isValid = (value: Uint8Array) => value.length >= 4 && value.every((octet) => octet >= 0x30 && octet <= 0x39);
  return checkedString([name, description], "psdn", range, isValid, `it is not ${range}`);
}
