/** Compressed names (RFC 1035 §4.1.4). A pointer must point before its own label sequence, so that pointers cannot form a loop. */
import { syntaxError } from "../malformed.ts";
import { maxNameLength, type Name, rootName } from "../name.ts";
import { TypeCode } from "../type-codes.ts";

/** Where names are in record data: `names` names after `before` octets and `strings` character-strings. */
interface Embedded {
  readonly before: number;
  readonly strings?: number;
  readonly names: number;
}

const one: Embedded = { before: 0, names: 1 };
const two: Embedded = { before: 0, names: 2 };
const afterPreference: Embedded = { before: 2, names: 1 };

/** The types of RFC 1035, whose names may be sent compressed. */
export const compressible: ReadonlyMap<number, Embedded> = new Map([
  [TypeCode.NS, one],
  [TypeCode.MD, one],
  [TypeCode.MF, one],
  [TypeCode.CNAME, one],
  [TypeCode.SOA, two],
  [TypeCode.MB, one],
  [TypeCode.MG, one],
  [TypeCode.MR, one],
  [TypeCode.PTR, one],
  [TypeCode.MINFO, two],
  [TypeCode.MX, afterPreference],
]);

/** Older senders also compress these (RFC 3597 §4); they are expanded, never compressed. */
const expandable: ReadonlyMap<number, Embedded> = new Map([
  ...compressible,
  [TypeCode.RP, two],
  [TypeCode.AFSDB, afterPreference],
  [TypeCode.RT, afterPreference],
  [TypeCode.SIG, { before: 18, names: 1 }],
  [TypeCode.PX, { before: 2, names: 2 }],
  [TypeCode.NXT, one],
  [TypeCode.SRV, { before: 6, names: 1 }],
  [TypeCode.NAPTR, { before: 4, strings: 3, names: 1 }],
]);

export function refuse(why: string): never {
  throw syntaxError(`The message is malformed: ${why}.`);
}

/** `end` is the offset after the name. Throws Malformed. */
export function expandName(message: Uint8Array, at: number): { name: Name; end: number } {
  const name = new Uint8Array(maxNameLength);
  let length = 0;
  let end = 0;
  let start = at;
  let next = at;
  for (;;) {
    const octet = message[next];
    if (octet === undefined) refuse("it ends inside a name");
    if (octet >= 0xc0) {
      const low = message[next + 1];
      if (low === undefined) refuse("it ends inside a name");
      const target = ((octet & 0x3f) << 8) | low;
      if (target >= start) refuse("a compression pointer does not lead back");
      end ||= next + 2;
      start = next = target;
    } else if (octet > 63) {
      refuse("a label is of an unknown kind");
    } else {
      const after = next + octet + 1;
      if (after > message.length) refuse("it ends inside a name");
      // Leaves room for the root label.
      if (length + octet + 1 > (octet === 0 ? maxNameLength : maxNameLength - 1))
        refuse("a name is longer than 255 octets");
      for (let from = next; from < after; from += 1) name[length++] = message[from] as number;
      if (octet === 0) return { name: length === 1 ? rootName : name.slice(0, length), end: end || after };
      next = after;
    }
  }
}

/** Names are expanded; empty data stays empty (RFC 2136). */
export function expandRdata(message: Uint8Array, type: number, at: number, end: number): Uint8Array {
  const embedded = at === end ? undefined : expandable.get(type);
  if (!embedded) return new Uint8Array(message.subarray(at, end));
  const names: Name[] = [];
  let next = at + embedded.before;
  for (let i = embedded.strings ?? 0; i > 0; i -= 1) next += 1 + (message[next] ?? 0);
  const before = message.subarray(at, next);
  for (let i = embedded.names; i > 0; i -= 1) {
    if (next >= end) refuse("record data ends too early");
    const expanded = expandName(message, next);
    names.push(expanded.name);
    next = expanded.end;
  }
  if (next > end) refuse("a name runs past the end of its record data");
  return new Uint8Array(Buffer.concat([before, ...names, message.subarray(next, end)]));
}
