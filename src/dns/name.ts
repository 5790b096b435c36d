/**
 * Domain names: text to wire and back (RFC 1035 §3.1 and §5.1, RFC 4343). A name keeps its letter case; comparisons ignore it. Limitation:
 * a label cannot contain both an escape and a raw non-ASCII character, since `\252` is an octet, not a letter.
 */
import { asciiLabel, unicodeLabel } from "./idna.ts";
import { Malformed, quote } from "./malformed.ts";

/** Uncompressed: length-prefixed labels up to the empty root label, 1 to 255 octets. */
export type Name = Uint8Array;

/** Including the root label (RFC 1035 §2.3.4). */
export const maxNameLength = 255;
const maxLabelLength = 63;
/** Each octet has at most four characters (`\DDD`). */
const maxNameText = 4 * maxNameLength;

export const rootName: Name = Uint8Array.of(0);

/** The character if every server reads it unescaped, otherwise `\DDD`. */
const octetText: readonly string[] = Array.from({ length: 256 }, (_, octet) => {
  const character = String.fromCharCode(octet);
  return /[A-Za-z0-9_*/-]/.test(character) ? character : `\\${String(octet).padStart(3, "0")}`;
});

const dot = 0x2e;
const backslash = 0x5c;

/** Whether a character has a special meaning in master files, so that a name must escape it. */
function isSpecial(code: number): boolean {
  return code <= 0x20 || code === 0x7f || code === 0x22 || code === 0x28 || code === 0x29 || code === 0x3b;
}

function refuse(text: string, why: string): never {
  throw new Malformed("name", `${quote(text)} is not a domain name: ${why}.`);
}

/** The backslash is at `at`; the length is in characters. */
function escapedOctet(text: string, at: number): { octet: number; length: number } {
  const next = text.charCodeAt(at + 1);
  if (Number.isNaN(next)) refuse(text, "it ends in a backslash");
  if (next < 0x30 || next > 0x39) {
    if (next < 0x20 || next > 0x7e) refuse(text, "a backslash precedes a control or non-ASCII character");
    return { octet: next, length: 2 };
  }
  const digits = text.slice(at + 1, at + 4);
  if (!/^[0-9]{3}$/.test(digits) || Number(digits) > 255)
    refuse(text, "a numeric escape is three digits from \\000 to \\255");
  return { octet: Number(digits), length: 4 };
}

/** Allocating a buffer for each name would cost more than reading it. */
const writtenOctets = new Uint8Array(maxNameLength);

/** The octets must be copied before the next name is read. */
class LabelWriter {
  readonly octets = writtenOctets;
  readonly text: string;
  length = 1;
  count = 0;
  #labelStart = 0;

  constructor(text: string) {
    this.text = text;
  }

  put(octet: number): void {
    if (this.length >= maxNameLength) refuse(this.text, "it is longer than 255 octets");
    this.octets[this.length++] = octet;
  }

  get labelLength(): number {
    return this.length - this.#labelStart - 1;
  }

  endLabel(): void {
    const length = this.labelLength;
    if (length === 0) refuse(this.text, "it has an empty label; remove the extra dot");
    if (length > maxLabelLength) refuse(this.text, "a label is longer than 63 octets");
    this.octets[this.#labelStart] = length;
    this.#labelStart = this.length;
    this.count += 1;
    this.put(0);
  }

  /** With `origin` in place of the root label. */
  under(origin: Name): Name {
    const labels = this.length - 1;
    if (labels + origin.length > maxNameLength) refuse(this.text, "it is longer than 255 octets with its zone");
    const name = new Uint8Array(labels + origin.length);
    name.set(this.octets.subarray(0, labels));
    name.set(origin, labels);
    return name;
  }
}

/** UTS 46 §4 maps three ideographic full stops to the dot before a name is split into labels. */
function isDot(code: number): boolean {
  return code === dot || code === 0x3002 || code === 0xff0e || code === 0xff61;
}

/** A trailing dot makes a name absolute. */
function readLabels(text: string): { labels: LabelWriter; absolute: boolean } {
  if (text.length > maxNameText) refuse(text, "it is longer than 255 octets");
  const labels = new LabelWriter(text);
  let start = 0;
  let escaped = false;
  let international = false;
  const endLabel = (end: number) => {
    if (international) {
      if (escaped) refuse(text, "an escape and a non-ASCII character are in one label");
      for (const character of asciiLabel(text.slice(start, end))) labels.put(character.charCodeAt(0));
    }
    labels.endLabel();
    escaped = false;
    international = false;
  };
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (isDot(code)) {
      endLabel(at);
      start = at + 1;
      if (start === text.length) return { labels, absolute: true };
    } else if (code === backslash) {
      const unescaped = escapedOctet(text, at);
      labels.put(unescaped.octet);
      at += unescaped.length - 1;
      escaped = true;
    } else if (isSpecial(code)) {
      refuse(text, "blanks, control characters, quotes, parentheses and semicolons are written as \\DDD");
    } else if (code > 0x7e && !international) {
      labels.length -= labels.labelLength;
      international = true;
    } else if (!international) {
      labels.put(code);
    }
    at += 1;
  }
  endLabel(text.length);
  return { labels, absolute: false };
}

/** Without regard to letter case (RFC 4343). */
export function isWithin(name: Name, zone: Name): boolean {
  const start = name.length - zone.length;
  if (start < 0 || !endsWith(name, zone, start)) return false;
  let label = 0;
  while (label < start) label += (name[label] ?? 0) + 1;
  return label === start;
}

function endsWith(name: Uint8Array, zone: Uint8Array, start: number): boolean {
  for (let i = 0; i < zone.length; i += 1) {
    if (lowerOctet(name[start + i] ?? 0) !== lowerOctet(zone[i] ?? 0)) return false;
  }
  return true;
}

function lowerOctet(octet: number): number {
  return octet >= 0x41 && octet <= 0x5a ? octet + 0x20 : octet;
}

/** A name as it was read, with the facts by which callers refuse it, or warn about it, when it was completed with the origin. */
export interface ParsedName {
  readonly name: Name;
  /** How many labels were completed; 0 for an absolute name. After several, a trailing dot was probably forgotten. */
  readonly relativeLabels: number;
  /** Whether the name as written already ends in the origin, so that its trailing dot was forgotten. */
  readonly endsInOrigin: boolean;
}

/** By zone-file rules (RFC 1035 §5.1); throws Malformed. */
export function readName(text: string, origin?: Name): ParsedName {
  if (text === "") throw new Malformed("name", "A domain name is missing.");
  const whole = { relativeLabels: 0, endsInOrigin: false };
  if (text === ".") return { name: rootName, ...whole };
  if (text === "@") return { name: origin ?? refuse(text, "there is no zone that it could mean"), ...whole };
  const { labels, absolute } = readLabels(text);
  const written = labels.octets.subarray(0, labels.length);
  if (absolute) return { name: written.slice(), ...whole };
  if (origin === undefined) refuse(text, "it is relative; end it with a dot");
  return {
    name: labels.under(origin),
    relativeLabels: labels.count,
    endsInOrigin: origin.length > 1 && isWithin(written, origin),
  };
}

/** A trailing dot makes a name absolute, `@` is the origin, any other name is relative to the origin. */
export function parseName(text: string, origin?: Name): Name {
  return readName(text, origin).name;
}

/** With a trailing dot; every octet outside `[A-Za-z0-9_*\/-]` is printed as `\DDD`. */
export function nameText(name: Name): string {
  if (name.length === 1) return ".";
  let text = "";
  for (let label = 0; name[label]; ) {
    const end = label + (name[label] ?? 0) + 1;
    for (let i = label + 1; i < end; i += 1) text += octetText[name[i] ?? 0];
    text += ".";
    label = end;
  }
  return text;
}

/** RFC 4343 §3; length octets are below 0x41 and stay. */
export function lowerName(name: Name): Name {
  return name.map(lowerOctet);
}

/** Lower-case A-labels with canonical escapes, without a trailing dot. Throws Malformed, also for the root. */
export function parseZoneName(text: string): string {
  if (text === "" || text === "@" || text === ".") refuse(text, "write the zone's name, such as example.com");
  if (text.startsWith("$")) refuse(text, "a name does not begin with $; write \\$");
  return zoneNameText(parseName(text, rootName));
}

/** In lower case, without a trailing dot; the root is empty. */
export function zoneNameText(name: Name): string {
  return relativeText(lowerName(name));
}

export function zoneNameWire(zone: string): Name {
  if (lastZone?.zone !== zone) lastZone = { zone, wire: parseName(zone, rootName) };
  return lastZone.wire;
}

/** The zone that was parsed last, kept because every record of a zone needs the same name. */
let lastZone: { readonly zone: string; readonly wire: Name } | undefined;

function relativeText(name: Name): string {
  return nameText(name).slice(0, -1);
}

/** Relative, canonical, `@` for the apex; an absolute name has a trailing dot. Throws `name`, `out-of-zone` or `ambiguous-name`. */
export function parseOwner(text: string, zone: string): string {
  if (text === "" || text === "@") return "@";
  if (text.startsWith("$")) refuse(text, "a name does not begin with $; write \\$");
  const origin = zoneNameWire(zone);
  const { name, endsInOrigin } = readName(text, origin);
  if (endsInOrigin)
    throw new Malformed(
      "ambiguous-name",
      `${quote(text)} already ends in the zone's own name: write it with a trailing dot, or leave out ${quote(zone)}.`,
    );
  return ownerText(name, origin);
}

/** In lower case, relative, `@` for the apex; throws `out-of-zone`. */
export function ownerText(name: Name, zone: Name): string {
  if (!isWithin(name, zone))
    throw new Malformed("out-of-zone", `${quote(nameText(name))} is not in the zone ${quote(nameText(zone))}.`);
  if (name.length === zone.length) return "@";
  const labels = new Uint8Array(name.length - zone.length + 1);
  labels.set(name.subarray(0, labels.length - 1));
  // The single label "@" must not be read as the apex: it is printed as \064.
  return relativeText(lowerName(labels));
}

export function ownerName(owner: string, zone: string): Name {
  return parseName(owner, zoneNameWire(zone));
}

/** The Unicode form of a name. Labels that would not convert back exactly stay as they are. */
export function unicodeName(text: string): string {
  return text.split(".").map(unicodeLabel).join(".");
}
