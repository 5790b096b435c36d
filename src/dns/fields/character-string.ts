/** Character strings: up to 255 octets each, quoted or not; non-ASCII text is UTF-8 (RFC 1035 §3.3 and §5.1). */

import { Malformed, quote } from "../malformed.ts";
import type { TextReader } from "../text-reader.ts";
import type { Field, Replacements } from "./field.ts";

const maxStringLength = 255;
const stringRange = "a text of up to 255 octets";
const utf8 = new TextEncoder();

/** `\DDD` is an octet, `\X` is the character X, the rest is UTF-8. */
export function textOctets(raw: string, field: string): Uint8Array {
  const octets = utf8.encode(raw);
  const first = octets.indexOf(0x5c);
  if (first < 0) return octets;
  let to = first;
  for (let from = first; from < octets.length; from += 1) {
    let octet = octets[from] ?? 0;
    if (octet === 0x5c) {
      from += 1;
      octet = octets[from] ?? refuseEscape(raw, field);
      if (octet >= 0x30 && octet <= 0x39) {
        octet = numericEscape(octets, from) ?? refuseEscape(raw, field);
        from += 2;
      }
    }
    octets[to++] = octet;
  }
  return octets.subarray(0, to);
}

function numericEscape(octets: Uint8Array, at: number): number | undefined {
  let value = 0;
  for (let i = at; i < at + 3; i += 1) {
    const digit = (octets[i] ?? 0) - 0x30;
    if (digit < 0 || digit > 9) return undefined;
    value = value * 10 + digit;
  }
  return value <= 255 ? value : undefined;
}

function refuseEscape(raw: string, field: string): never {
  throw new Malformed(
    "rdata",
    `${field} is ${quote(raw)}; a numeric escape is three digits from \\000 to \\255.`,
    field,
  );
}

const quotedOctet: readonly string[] = Array.from({ length: 256 }, (_, octet) => {
  if (octet < 0x20 || octet > 0x7e) return `\\${String(octet).padStart(3, "0")}`;
  const character = String.fromCharCode(octet);
  return character === '"' || character === "\\" ? `\\${character}` : character;
});

export function quotedText(octets: Uint8Array): string {
  return `"${plainText(octets)}"`;
}

export function plainText(octets: Uint8Array): string {
  let text = "";
  for (const octet of octets) text += quotedOctet[octet];
  return text;
}

/** Splits octets into strings of at most 255 octets. Empty input becomes one empty string. */
export function splitStrings(octets: Uint8Array): Uint8Array[] {
  const strings = [octets.subarray(0, maxStringLength)];
  for (let at = maxStringLength; at < octets.length; at += maxStringLength)
    strings.push(octets.subarray(at, at + maxStringLength));
  return strings;
}

function parseString(text: TextReader): Uint8Array {
  const token = text.token(stringRange);
  const octets = textOctets(token.text, text.field);
  if (octets.length > maxStringLength) text.refuse(token.text, stringRange);
  return octets;
}

/** Throws Malformed when the new text has more than 255 octets. */
function replaced(value: Uint8Array, by: Replacements, name: string): Uint8Array {
  const text = by.text?.(value) ?? value;
  if (text.length > maxStringLength)
    throw new Malformed("rdata", `${name} would have ${text.length} octets; the maximum of a string is 255.`, name);
  return text;
}

/** Joins split strings: a string of 255 octets continues in the next string. */
function joinedStrings(strings: readonly Uint8Array[]): Uint8Array[] {
  const joined: Uint8Array[] = [];
  let goesOn = false;
  for (const each of strings) {
    const before = goesOn ? joined.pop() : undefined;
    joined.push(before ? Uint8Array.from(Buffer.concat([before, each])) : each);
    goesOn = each.length === maxStringLength;
  }
  return joined;
}

export function charString(name: string, description: string): Field<Uint8Array> {
  return {
    name,
    kind: "charstring",
    range: stringRange,
    description,
    holds: "text",
    quoted: true,
    parse: parseString,
    print: quotedText,
    write: (value, wire) => wire.charString(value),
    read: (wire) => wire.charString(),
    data: plainText,
    replace: (value, by) => replaced(value, by, name),
  };
}

/** At least one, up to the end of the data. */
export function charStrings(name: string, description: string): Field<readonly Uint8Array[]> {
  return {
    name,
    kind: "charstrings",
    range: "one or more texts; one longer than 255 octets is split",
    description,
    holds: "texts",
    quoted: true,
    parse(text) {
      const strings: Uint8Array[] = [];
      do {
        const token = text.token(stringRange);
        for (const part of splitStrings(textOctets(token.text, text.field))) strings.push(part);
      } while (text.peek());
      return strings;
    },
    print: (value) => value.map(quotedText).join(" "),
    write(value, wire) {
      for (const each of value) wire.charString(each);
    },
    read(wire) {
      const strings = [wire.charString()];
      while (wire.left > 0) strings.push(wire.charString());
      return strings;
    },
    data: (value) => value.map(plainText),
    replace: (value, by) => {
      const change = by.text;
      return change ? joinedStrings(value).flatMap((each) => splitStrings(change(each))) : value;
    },
  };
}

/** A character string that must pass `isValid`. `fault` completes the message when wire data does not. */
export function checkedString(
  [name, description]: readonly [name: string, description: string],
  kind: string,
  range: string,
  isValid: (value: Uint8Array) => boolean,
  fault: string,
): Field<Uint8Array> {
  const string = charString(name, description);
  return {
    ...string,
    kind,
    range,
    parse(reader, row) {
      const value = string.parse(reader, row);
      return isValid(value) ? value : reader.refuse(plainText(value), range);
    },
    read(wire, row) {
      const value = string.read(wire, row);
      return isValid(value) ? value : wire.refuse(fault);
    },
  };
}

const tagRange = "letters and digits, such as issue";

/** The tag of CAA (RFC 8659 §4.1): ASCII letters and digits after a length octet; BIND drops a zone with any other tag. */
export function tag(name: string, description: string): Field<Uint8Array> {
  const text = (value: Uint8Array) => String.fromCharCode(...value);
  return {
    name,
    kind: "tag",
    range: tagRange,
    description,
    holds: "text",
    parse(reader) {
      const word = reader.word(tagRange);
      if (word.length > 255 || !/^[A-Za-z0-9]+$/.test(word)) reader.refuse(word, tagRange);
      // The case of a tag has no meaning (RFC 8659 §4.1): an API field is put in lower case, a master file keeps its case.
      return textOctets(reader.options.context === "field" ? word.toLowerCase() : word, name);
    },
    print: text,
    write: (value, wire) => wire.charString(value),
    read(wire) {
      const value = wire.charString();
      if (!/^[A-Za-z0-9]+$/.test(text(value))) wire.refuse("a tag is made of letters and digits");
      return value;
    },
  };
}

/** Up to the end of the data, without a length of its own. */
export function longString(name: string, description: string): Field<Uint8Array> {
  return {
    name,
    kind: "longstring",
    range: "a text",
    description,
    holds: "text",
    quoted: true,
    parse: (reader) => textOctets(reader.token("a text").text, name),
    print: quotedText,
    write: (value, wire) => wire.bytes(value),
    read: (wire) => wire.rest(),
    data: plainText,
    replace: (value, by) => by.text?.(value) ?? value,
  };
}
