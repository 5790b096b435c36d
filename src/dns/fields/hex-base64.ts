/**
 * Hexadecimal or base64 up to the end of the data, at least one octet (RFC 4648). Blanks inside are read (RFC 4034 §2.2) and not printed.
 */

import { Malformed } from "../malformed.ts";
import type { WireReader } from "../wire.ts";
import type { Field } from "./field.ts";
import { type Encoding, octetsField } from "./octets.ts";

/** An even number of digits; undefined for other text. */
export function hexOctets(text: string): Uint8Array | undefined {
  if (text.length % 2 !== 0 || !/^[0-9A-Fa-f]*$/.test(text)) return undefined;
  return Uint8Array.from(Buffer.from(text, "hex"));
}

export function hexText(octets: Uint8Array): string {
  return Buffer.from(octets.buffer, octets.byteOffset, octets.length).toString("hex").toUpperCase();
}

/** Padded base64 whose last bits are zero; undefined for other text. */
export function base64Octets(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
  const octets = Buffer.from(text, "base64");
  return octets.toString("base64") === text ? Uint8Array.from(octets) : undefined;
}

export function base64Text(octets: Uint8Array): string {
  return Buffer.from(octets.buffer, octets.byteOffset, octets.length).toString("base64");
}

export const hexEncoding: Encoding = {
  kind: "hex",
  range: "hexadecimal digits, two an octet",
  octets: hexOctets,
  text: hexText,
};
export const base64Encoding: Encoding = {
  kind: "base64",
  range: "base64 with its padding",
  octets: base64Octets,
  text: base64Text,
};

/**
 * Whether a blank is inside a group of four digits. Tools that wrap base64 break it only between such groups; a blank inside one was
 * probably a + that a web form decoded as a blank.
 */
export function splitsGroup(words: readonly string[]): boolean {
  return words.length > 1 && words.some((word) => word.length % 4 !== 0);
}

export const splitGroup = "has a blank inside a group of four base64 digits";
export const howToSendPlus =
  "If there was a + which a form turned into the blank, put it back: curl sends it by --data-urlencode. Otherwise leave the blank out.";

function rest(encoding: Encoding, name: string, description: string): Field<Uint8Array> {
  const { range } = encoding;
  const read = (wire: WireReader) => (wire.left > 0 ? wire.rest() : wire.refuse("it is empty"));
  return {
    ...octetsField(encoding, read, name, description),
    parse(reader) {
      const words = reader.words(range);
      const text = words.join("");
      if (text === "") throw new Malformed("rdata", `${name} is missing; write ${range}.`, name);
      if (encoding === base64Encoding && reader.options.context === "field" && splitsGroup(words))
        throw new Malformed("rdata", `${name} ${splitGroup}. ${howToSendPlus}`, name);
      return encoding.octets(text) ?? reader.refuse(text, range);
    },
  };
}

export const hex = (name: string, description: string) => rest(hexEncoding, name, description);
export const base64 = (name: string, description: string) => rest(base64Encoding, name, description);
