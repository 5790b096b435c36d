/*
 * The fields of record data and the kinds most types are made of: numbers, times, names, addresses.
 * One descriptor knows its text and its wire, both ways; a record type is a row of them (types.ts).
 * Kinds with more to say live in files of their own (strings, binary, svcb, loc, apl, bitmap, gateway, …).
 */
import { isIPv4, isIPv6 } from "node:net";
import { lowerName, type Name, nameText } from "../name.ts";
import type { TextReader } from "../text-reader.ts";
import type { WireReader, WireWriter } from "../wire.ts";

/** The values of a record's fields by name, as far as they have been read. */
export type Row = Record<string, unknown>;

/** A field's value for a program: a number, a text, or a list of texts. */
export type FieldData = number | string | readonly string[];

/** One field of a record type; `Value` is how the field is held between text and wire. */
export interface Field<Value = unknown> {
  readonly name: string;
  /** The kind of value, such as `u16` or `name`: the same word for the same rules. */
  readonly kind: string;
  /** What may be written, in words: completes "write …". */
  readonly range: string;
  readonly description: string;
  /** The greatest number; only of fields that hold an integer. */
  readonly max?: number;
  /** What `data` answers. */
  readonly holds: "integer" | "text" | "texts";
  /** A field of the wire alone, such as a length: it has no text. */
  readonly silent?: true;
  /** May be left out at the end of the text. */
  readonly optional?: true;
  /** A text is written between double quotes; `data` answers what stands between them. */
  readonly quoted?: true;
  parse(text: TextReader, row: Row): Value;
  print(value: Value, row: Row): string;
  write(value: Value, wire: WireWriter, row: Row): void;
  /** Reads and checks; `row` holds the fields before this one. */
  read(wire: WireReader, row: Row): Value;
  /** The value for a program; without it, what `print` says. */
  data?(value: Value, row: Row): FieldData;
  /** The names inside the value, in wire order. */
  names?(value: Value, row: Row): readonly Name[];
  /** The value with the letters of its names in lower case. */
  lower?(value: Value, row: Row): Value;
}

/** Reads a decimal number without sign; leading zeros are allowed, as all servers do. */
export function decimal(text: string, max: number): number | undefined {
  if (!/^[0-9]+$/.test(text)) return undefined;
  const value = Number(text);
  return value <= max ? value : undefined;
}

/** An unsigned number of 1, 2 or 4 octets. */
export function unsigned(size: 1 | 2 | 4, name: string, description: string): Field<number> {
  const max = 256 ** size - 1;
  const range = `a number from 0 to ${max}`;
  return {
    name,
    kind: `u${size * 8}`,
    range,
    description,
    max,
    holds: "integer",
    parse(text) {
      const word = text.word(range);
      return decimal(word, max) ?? text.refuse(word, range);
    },
    print: (value) => String(value),
    write: (value, wire) => wire.number(value, size),
    read: (wire) => wire.number(size),
    data: (value) => value,
  };
}

/** A number from 0 to 255. */
export const u8 = (name: string, description: string) => unsigned(1, name, description);
/** A number from 0 to 65535. */
export const u16 = (name: string, description: string) => unsigned(2, name, description);
/** A number from 0 to 4294967295. */
export const u32 = (name: string, description: string) => unsigned(4, name, description);
/** The serial of a zone (RFC 1982). */
export const zoneSerial = (name: string, description: string) => ({ ...u32(name, description), kind: "serial" });

const secondsPerUnit: Readonly<Record<string, number>> = { w: 604800, d: 86400, h: 3600, m: 60, s: 1 };

/** Reads a time in seconds, plain or with units (`1w2d3h4m5s`); undefined when it is none or beyond `max`. */
export function seconds(text: string, max: number): number | undefined {
  if (/^[0-9]+$/.test(text)) return decimal(text, max);
  if (!/^(?:[0-9]+[wdhms])+$/i.test(text)) return undefined;
  let total = 0;
  for (const [, count, unit] of text.toLowerCase().matchAll(/([0-9]+)([wdhms])/g))
    total += Number(count) * (secondsPerUnit[unit ?? "s"] ?? 1);
  return total <= max ? total : undefined;
}

/** A time in seconds, 0 to 4294967295, written with or without units. */
export function time(name: string, description: string): Field<number> {
  const range = "seconds from 0 to 4294967295, or units such as 1h30m";
  return {
    ...u32(name, description),
    kind: "time",
    range,
    parse(text) {
      const word = text.word(range);
      return seconds(word, 2 ** 32 - 1) ?? text.refuse(word, range);
    },
  };
}

/** A domain name, completed with the zone when it has no trailing dot. */
export function name(fieldName: string, description: string): Field<Name> {
  return {
    name: fieldName,
    kind: "name",
    range: "a domain name; without a trailing dot it is relative to the zone",
    description,
    holds: "text",
    parse: (text) => text.name(),
    print: nameText,
    write: (value, wire) => wire.bytes(value),
    read: (wire) => wire.name(),
    names: (value) => [value],
    lower: lowerName,
  };
}

/** Domain names up to the end of the data, possibly none. */
export function names(fieldName: string, description: string): Field<readonly Name[]> {
  return {
    name: fieldName,
    kind: "names",
    range: "domain names; without a trailing dot they are relative to the zone",
    description,
    holds: "texts",
    optional: true,
    parse(text) {
      const list: Name[] = [];
      while (text.peek()) list.push(text.name());
      return list;
    },
    print: (value) => value.map(nameText).join(" "),
    write(value, wire) {
      for (const each of value) wire.bytes(each);
    },
    read(wire) {
      const list: Name[] = [];
      while (wire.left > 0) list.push(wire.name());
      return list;
    },
    data: (value) => value.map(nameText),
    names: (value) => value,
    lower: (value) => value.map(lowerName),
  };
}

/** The four octets of dotted-quad text without leading zeros; undefined when it is none. */
export function ipv4Octets(text: string): Uint8Array | undefined {
  return isIPv4(text) ? Uint8Array.from(text.split("."), Number) : undefined;
}

/** Prints four octets as a dotted quad. */
export function ipv4Text(octets: Uint8Array): string {
  return octets.join(".");
}

/** The sixteen octets of an IPv6 address (RFC 4291 §2.2), no zone id; undefined when it is none. */
export function ipv6Octets(text: string): Uint8Array | undefined {
  if (text.includes("%") || !isIPv6(text)) return undefined;
  const [head = "", tail] = text.split("::");
  const groups = (part: string) =>
    part === ""
      ? []
      : part.split(":").flatMap((group) => (group.includes(".") ? quadGroups(group) : [Number.parseInt(group, 16)]));
  const before = groups(head);
  const after = tail === undefined ? [] : groups(tail);
  const all = [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after];
  return Uint8Array.from(all.flatMap((group) => [group >> 8, group & 255]));
}

function quadGroups(quad: string): number[] {
  const [a = 0, b = 0, c = 0, d = 0] = quad.split(".").map(Number);
  return [a * 256 + b, c * 256 + d];
}

/** Prints an IPv6 address in the one form of RFC 5952: lower case, the longest run of zeros (the first, two or more) as `::`. */
export function ipv6Text(octets: Uint8Array): string {
  const groups = Array.from({ length: 8 }, (_, i) => (octets[2 * i] ?? 0) * 256 + (octets[2 * i + 1] ?? 0));
  let run = { start: -1, length: 1 };
  for (let start = 0; start < 8; start += 1) {
    let length = 0;
    while (groups[start + length] === 0) length += 1;
    if (length > run.length) run = { start, length };
  }
  const hex = (part: number[]) => part.map((group) => group.toString(16)).join(":");
  if (run.start < 0) return hex(groups);
  return `${hex(groups.slice(0, run.start))}::${hex(groups.slice(run.start + run.length))}`;
}

interface AddressFamily {
  readonly kind: string;
  readonly range: string;
  readonly size: number;
  octets(text: string): Uint8Array | undefined;
  text(octets: Uint8Array): string;
}

const ipv4Family: AddressFamily = {
  kind: "ipv4",
  range: "an IPv4 address such as 192.0.2.1",
  size: 4,
  octets: ipv4Octets,
  text: ipv4Text,
};
const ipv6Family: AddressFamily = {
  kind: "ipv6",
  range: "an IPv6 address such as 2001:db8::1",
  size: 16,
  octets: ipv6Octets,
  text: ipv6Text,
};

function address(family: AddressFamily, fieldName: string, description: string): Field<Uint8Array> {
  const { kind, range, size } = family;
  return {
    name: fieldName,
    kind,
    range,
    description,
    holds: "text",
    parse(text) {
      const word = text.word(range);
      return family.octets(word) ?? text.refuse(word, range);
    },
    print: family.text,
    write: (value, wire) => wire.bytes(value),
    read: (wire) => wire.take(size),
  };
}

/** An IPv4 address, dotted quad without leading zeros. */
export const ipv4 = (fieldName: string, description: string) => address(ipv4Family, fieldName, description);
/** An IPv6 address in any form of RFC 4291, printed in that of RFC 5952. */
export const ipv6 = (fieldName: string, description: string) => address(ipv6Family, fieldName, description);
