/**
 * Searches and replaces in record data: names, addresses and texts in the fields of those kinds, by the table of types. Data is compared by
 * value, not as text: 192.0.2.1 is not found in 192.0.2.10, and MAIL.example. equals mail.example.
 */
import { textOctets } from "../../dns/fields/character-string.ts";
import type { Replacements } from "../../dns/fields/field.ts";
import { ipv4Octets, ipv6Octets } from "../../dns/fields/ip-address.ts";
import { Malformed, quote } from "../../dns/malformed.ts";
import { isWithin, maxNameLength, type Name, parseName, rootName, zoneNameWire } from "../../dns/name.ts";
import { parseRdata, rdataFields, replaceInRdata } from "../../dns/rdata/rdata.ts";
import { type RecordType, recordType, recordTypes } from "../../dns/rdata/record-type-registry.ts";
import { sameOctets } from "../../dns/wire.ts";
import { Refusal } from "../../errors.ts";
import { parseField, unlessMalformed } from "../../session/parse-field.ts";
import { digestOf } from "../../zone/edit/canonical-record.ts";

/** A condition on record data; all given fields must match. */
export interface RdataMatch {
  /** The whole data in presentation form; relative names are completed with the zone. */
  readonly equals?: string | undefined;
  /** Part of the text of one field, in any letter case. */
  readonly contains?: string | undefined;
  /** An address, or a prefix such as 192.0.2.0/24. */
  readonly address?: string | undefined;
  /** A name, or `*.example.com` for those below it. */
  readonly name?: string | undefined;
}

interface FromTo {
  readonly from: string;
  readonly to: string;
}

/** A replacement in record data: exactly one of these fields. */
export interface RdataReplacement {
  readonly rdata?: FromTo | undefined;
  readonly address?: FromTo | undefined;
  readonly name?: FromTo | undefined;
  readonly text?: FromTo | undefined;
}

interface SeenRecord {
  readonly zone: string;
  readonly type: string;
  readonly wire: Uint8Array;
  /** Hexadecimal. */
  readonly digest: string;
}

export type Matcher = (record: SeenRecord) => boolean;

/** Returns the new data of a record; undefined when nothing is replaced. Throws Malformed. */
export type Replacer = (record: SeenRecord) => Uint8Array | undefined;

/** Reads a condition on record data; `types` are the types to search, by default all types. */
export function readMatch({ equals, contains, address, name }: RdataMatch, types?: readonly string[]): Matcher {
  const all: Matcher[] = [];
  if (equals !== undefined) {
    const digest = digestIn(equals, "filter.rdata.equals", types);
    all.push((record) => digest(record) === record.digest);
  }
  if (contains !== undefined) {
    const part = contains.toLowerCase();
    all.push(({ type, wire }) =>
      Object.values(rdataFields(recordType(type), wire)).some((value) =>
        [value].flat().join("").toLowerCase().includes(part),
      ),
    );
  }
  if (address !== undefined) all.push(holds("address", readPrefix(address, "filter.rdata.address").holds));
  if (name !== undefined) all.push(holds("name", readPattern(name, "filter.rdata.name").holds));
  return (record) => all.every((matches) => matches(record));
}

export function readReplacement(replacement: RdataReplacement, types?: readonly string[]): Replacer {
  const { rdata, address, name, text } = replacement;
  if (rdata) return replaceWhole(rdata, types);
  if (address) return replaceEach("address", addressChange(address));
  if (name) return replaceNames([name]);
  if (text) return replaceEach("text", textChange(text));
  throw new Refusal("MISSING_FIELD", "set.replace is empty; send one of rdata, address, name and text.", {
    field: "set.replace",
  });
}

/** Replaces names. When several pairs match a name, the first of them is used. */
export function replaceNames(pairs: readonly FromTo[]): Replacer {
  const changes = pairs.map(nameChange);
  return replaceEach("name", (name) => {
    for (const change of changes) {
      const to = change(name);
      if (to) return to;
    }
    return undefined;
  });
}

type Part = keyof Replacements;

/** Matches records with at least one matching part of this kind. */
function holds(part: Part, matches: (value: Uint8Array) => boolean): Matcher {
  return ({ type, wire }) => {
    let isFound = false;
    const look = (value: Uint8Array) => {
      isFound ||= matches(value);
      return value;
    };
    replaceInRdata(recordType(type), wire, { [part]: look });
    return isFound;
  };
}

/** Replaces parts of this kind; `change` returns undefined for a part that stays. */
function replaceEach(part: Part, change: (value: Uint8Array) => Uint8Array | undefined): Replacer {
  return ({ type, wire }) => {
    let isFound = false;
    const to = (value: Uint8Array) => {
      const changed = change(value);
      isFound ||= changed !== undefined;
      return changed ?? value;
    };
    const replaced = replaceInRdata(recordType(type), wire, { [part]: to });
    return isFound ? replaced : undefined;
  };
}

/**
 * Returns a function that reads `text` as data of a record's type and returns its digest; it returns undefined when `text` is not valid
 * data of that type.
 */
function digestIn(text: string, field: string, types?: readonly string[]): (record: SeenRecord) => string | undefined {
  const among = types?.map((type) => recordType(type)) ?? recordTypes;
  if (!among.some((type) => unlessMalformed(() => wireOf(type, text, "invalid")))) {
    const [only] = among.length === 1 ? among : [];
    if (only) parseField(field, () => wireOf(only, text, "invalid"));
    throw new Refusal("INVALID_RDATA", `${field}: ${quote(text)} is not valid data of any selected type.`, { field });
  }
  let last: { readonly key: string; readonly digest: string | undefined } | undefined;
  return ({ zone, type }) => {
    const key = `${zone} ${type}`;
    const digestHere = () => digestOf(recordType(type), wireOf(recordType(type), text, zone));
    if (last?.key !== key) last = { key, digest: unlessMalformed(digestHere) };
    return last.digest;
  };
}

const wireOf = (type: RecordType, text: string, zone: string) =>
  parseRdata(type, text, { origin: zoneNameWire(zone), context: "field" });

function replaceWhole({ from, to }: FromTo, types?: readonly string[]): Replacer {
  const digest = digestIn(from, "set.replace.rdata.from", types);
  return (record) => {
    if (digest(record) !== record.digest) return undefined;
    return wireOf(recordType(record.type), to, record.zone);
  };
}

interface Prefix {
  readonly octets: Uint8Array;
  readonly bits: number;
  readonly holds: (address: Uint8Array) => boolean;
}

/** Reads an address (a prefix of all its bits), or a prefix whose other bits must be zero. */
function readPrefix(text: string, field: string): Prefix {
  const [address = "", length, ...more] = text.trim().split("/");
  const octets = ipv4Octets(address) ?? ipv6Octets(address);
  const all = (octets?.length ?? 0) * 8;
  const bits = length === undefined ? all : Number(length);
  const isLength = length === undefined || (/^\d{1,3}$/.test(length) && bits <= all);
  if (!octets || !isLength || more.length > 0) {
    const message = `${field} is ${quote(text)}; write an address such as 192.0.2.1, or a prefix such as 2001:db8::/32.`;
    throw new Refusal("INVALID_VALUE", message, { field });
  }
  if (!sameOctets(withHost(octets, bits, new Uint8Array(octets.length)), octets)) {
    const message = `${field} is ${quote(text)}, which has bits after the first ${bits} that are not zero; set them to zero.`;
    throw new Refusal("INVALID_VALUE", message, { field });
  }
  const isInside = (each: Uint8Array) =>
    each.length === octets.length && sameOctets(withHost(octets, bits, each), each);
  return { octets, bits, holds: isInside };
}

/** The first `bits` bits of `prefix`, followed by the other bits of `host`. */
function withHost(prefix: Uint8Array, bits: number, host: Uint8Array): Uint8Array {
  return prefix.map((octet, at) => {
    const mask = 0xff & (0xff00 >> Math.min(8, Math.max(0, bits - at * 8)));
    return (octet & mask) | ((host[at] ?? 0) & ~mask & 0xff);
  });
}

function addressChange({ from, to }: FromTo): (address: Uint8Array) => Uint8Array | undefined {
  const [old, next] = [readPrefix(from, "set.replace.address.from"), readPrefix(to, "set.replace.address.to")];
  if (old.octets.length !== next.octets.length || old.bits !== next.bits) {
    const message =
      "set.replace.address: write two addresses or two prefixes of the same length, both IPv4 or both IPv6.";
    throw new Refusal("INVALID_VALUE", message, { field: "set.replace.address.to" });
  }
  return (address) => (old.holds(address) ? withHost(next.octets, next.bits, address) : undefined);
}

interface Pattern {
  readonly name: Name;
  readonly isBelow: boolean;
  readonly holds: (name: Name) => boolean;
}

/** Reads an absolute name, with or without a trailing dot; `*.` before it selects the names below it. */
function readPattern(text: string, field: string): Pattern {
  const isBelow = text.startsWith("*.") && text.length > 2;
  const name = parseField(field, () => parseName(isBelow ? text.slice(2) : text, rootName));
  const isHeld = (each: Name) =>
    isWithin(each, name) && (isBelow ? each.length > name.length : each.length === name.length);
  return { name, isBelow, holds: isHeld };
}

function nameChange({ from, to }: FromTo): (name: Name) => Name | undefined {
  const [old, next] = [readPattern(from, "set.replace.name.from"), readPattern(to, "set.replace.name.to")];
  if (old.isBelow !== next.isBelow) {
    const message = "set.replace.name: write two names, or two such as *.old.example and *.new.example.";
    throw new Refusal("INVALID_VALUE", message, { field: "set.replace.name.to" });
  }
  return (name) => {
    if (!old.holds(name)) return undefined;
    const labels = name.subarray(0, name.length - old.name.length);
    const length = labels.length + next.name.length;
    if (length > maxNameLength)
      throw new Malformed("name", `A name would have ${length} octets; the maximum is ${maxNameLength}.`);
    return Uint8Array.from([...labels, ...next.name]);
  };
}

function textChange({ from, to }: FromTo): (text: Uint8Array) => Uint8Array | undefined {
  const octetsOf = (text: string, field: string) => parseField(field, () => Buffer.from(textOctets(text, "text")));
  const old = octetsOf(from, "set.replace.text.from");
  const next = octetsOf(to, "set.replace.text.to");
  if (old.length === 0) {
    const field = "set.replace.text.from";
    throw new Refusal("INVALID_VALUE", `${field} is empty; write the text to replace.`, { field });
  }
  return (octets) => {
    const text = Buffer.from(octets);
    const parts: Buffer[] = [];
    let from = 0;
    for (let at = text.indexOf(old); at >= 0; at = text.indexOf(old, from)) {
      parts.push(text.subarray(from, at), next);
      from = at + old.length;
    }
    return from === 0 ? undefined : Uint8Array.from(Buffer.concat([...parts, text.subarray(from)]));
  };
}
