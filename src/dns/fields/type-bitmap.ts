/** Record types as data: one type, or the type bitmap of NSEC, NSEC3 and CSYNC (RFC 4034 §4.1.2). */

import { typeCode, typeText } from "../type-codes.ts";
import { type Field, oneWord } from "./field.ts";

const typesRange = "record types such as A or TYPE65280";

const parseType = oneWord(typesRange, typeCode);

export function typeNumber(name: string, description: string): Field<number> {
  return {
    name,
    kind: "type",
    range: "a record type such as A or TYPE65280",
    description,
    holds: "text",
    parse: parseType,
    print: typeText,
    write: (value, wire) => wire.number(value, 2),
    read: (wire) => wire.number(2),
  };
}

/** Block number, then up to 32 octets without trailing zeros. */
function windows(types: readonly number[]): Map<number, Uint8Array> {
  const blocks = new Map<number, Uint8Array>();
  for (const type of types) {
    const block = type >> 8;
    const octet = (type & 255) >> 3;
    const shorter = blocks.get(block) ?? new Uint8Array(0);
    const bits = octet < shorter.length ? shorter : new Uint8Array(octet + 1);
    if (bits !== shorter) bits.set(shorter);
    bits[octet] = (bits[octet] ?? 0) | (128 >> (type & 7));
    blocks.set(block, bits);
  }
  return blocks;
}

/** In ascending order, up to the end of the data. */
export function typeBitmap(name: string, description: string): Field<readonly number[]> {
  return {
    name,
    kind: "types",
    range: typesRange,
    description,
    holds: "texts",
    optional: true,
    parse: (reader) => [...new Set(reader.list(parseType))].sort((a, b) => a - b),
    print: (value) => value.map(typeText).join(" "),
    write(value, wire) {
      for (const [block, bits] of windows(value)) {
        wire.number(block, 1);
        wire.charString(bits);
      }
    },
    read(wire) {
      const types: number[] = [];
      let previous = -1;
      while (wire.left > 0) {
        const block = wire.number(1);
        const bits = wire.charString();
        if (block <= previous) wire.refuse("the blocks of the type bitmap are not in ascending order");
        if (bits.length < 1 || bits.length > 32 || bits.at(-1) === 0)
          wire.refuse("a block of the type bitmap is empty, too long, or ends in a zero octet");
        bits.forEach((octet, at) => {
          for (let bit = 0; bit < 8; bit += 1) if (octet & (128 >> bit)) types.push(block * 256 + at * 8 + bit);
        });
        previous = block;
      }
      return types;
    },
    data: (value) => value.map(typeText),
  };
}
