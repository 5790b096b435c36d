/**
 * Record data between text and wire (RFC 1035 §5.1, RFC 3597 §5, RFC 4034 §6.2). Wire from a transfer or an update goes through checkRdata
 * once; the other functions expect checked wire.
 */

import { splitStrings, textOctets } from "../fields/character-string.ts";
import type { Field, FieldData, Replacements, Row } from "../fields/field.ts";
import { Malformed, quote } from "../malformed.ts";
import { lowerName, type Name } from "../name.ts";
import { maxRecordText, type TextOptions, TextReader, trimmed } from "../text-reader.ts";
import { maxRdataLength, sameOctets, WireReader, WireWriter } from "../wire.ts";
import type { RecordType } from "./record-type-registry.ts";

/** Keeps the letter case; throws Malformed. RFC 3597 form is accepted and checked for every type. */
export function parseRdata(type: RecordType, text: string, options: TextOptions): Uint8Array {
  const literal = type.literal && options.context === "field" ? literalText(text) : undefined;
  if (literal !== undefined) return writeRow(type, { strings: splitStrings(parseLiteral(literal)) });
  return parseRdataFrom(new TextReader(text, options), type);
}

/** Parses record data from the current position of a reader; in a master file, other words come before it. */
export function parseRdataFrom(reader: TextReader, type: RecordType): Uint8Array {
  reader.pairs = type.pairs ?? false;
  const first = reader.peek();
  if (first?.text === "\\#" && !first.quoted) return parseGeneric(type, reader);
  if (type.fields.length === 0) throw new Malformed("rdata", `${type.mnemonic} data is written as \\# length hex.`);
  const row: Row = {};
  for (const field of type.fields) {
    if (field.silent) continue;
    reader.field = field.name;
    reader.isLast = field === type.fields.at(-1);
    row[field.name] = field.parse(reader, row);
  }
  reader.finish();
  checkRow(type, row);
  return writeRow(type, row);
}

/** By name, in the form of `rdataFields`; an optional field may be missing. */
export type FieldValues = Readonly<Record<string, FieldData | null | undefined>>;

/** Parses record data from separate field values, so that no value can extend into the next field. Throws Malformed with the field. */
export function parseRdataFields(type: RecordType, values: FieldValues, options: TextOptions): Uint8Array {
  const row: Row = {};
  for (const field of type.fields) {
    if (field.silent) continue;
    const reader = new TextReader(textOf(field, values[field.name] ?? []), options);
    reader.pairs = type.pairs ?? false;
    reader.field = field.name;
    reader.isLast = true;
    try {
      row[field.name] = field.parse(reader, row);
      reader.finish();
    } catch (error) {
      throw error instanceof Malformed ? new Malformed(error.reason, error.message, field.name) : error;
    }
  }
  checkRow(type, row);
  return writeRow(type, row);
}

/** A bare quote inside quoted text is escaped. */
function textOf({ quoted }: Field, value: FieldData): string {
  const texts = typeof value === "object" ? value : [String(value)];
  const quotedText = (text: string) => `"${text.replace(/\\[\s\S]|"/g, (part) => (part === '"' ? '\\"' : part))}"`;
  return texts.map((text) => (quoted ? quotedText(text) : text)).join(" ");
}

/** Absolute names, single blanks, no parentheses. Parsing the result yields the same wire. */
export function printRdata(type: RecordType, wire: Uint8Array): string {
  if (type.fields.length === 0) return genericText(wire);
  const row = readRow(type, wire);
  let text = "";
  for (const field of type.fields) {
    const printed = field.silent ? "" : field.print(row[field.name], row);
    if (printed !== "") text += text === "" ? printed : ` ${printed}`;
  }
  return text === "" ? genericText(wire) : text;
}

/** As strictly as the strictest server; throws Malformed. */
export function checkRdata(type: RecordType, wire: Uint8Array): void {
  if (wire.length > maxRdataLength) throw new Malformed("rdata", "The data is longer than 65535 octets.");
  if (type.fields.length === 0) return;
  const row = readRow(type, wire);
  checkRow(type, row);
  if (!sameOctets(writeRow(type, row), wire))
    throw new Malformed("rdata", `This is not the one encoding of ${type.mnemonic} data.`);
}

/** For comparisons: every embedded name in lower case (RFC 4034 §6.2, RFC 6840 §5.1). */
export function canonicalRdata(type: RecordType, wire: Uint8Array): Uint8Array {
  return type.fields.some((field) => field.names) ? replaceInRdata(type, wire, { name: lowerName }) : wire;
}

/** The result is not checked. */
export function replaceInRdata(type: RecordType, wire: Uint8Array, by: Replacements): Uint8Array {
  if (!type.fields.some((field) => field.replace)) return wire;
  const row = readRow(type, wire);
  for (const { name, replace } of type.fields) if (replace) row[name] = replace(row[name], by, row);
  return writeRow(type, row);
}

/** By name; empty for a type without fields in the table. */
export function rdataFields(type: RecordType, wire: Uint8Array): Record<string, FieldData> {
  if (type.fields.length === 0) return {};
  const row = readRow(type, wire);
  const data: Record<string, FieldData> = {};
  for (const field of type.fields) {
    if (field.silent) continue;
    const value = row[field.name];
    data[field.name] = field.data ? field.data(value, row) : field.print(value, row);
  }
  return data;
}

/** In wire order. */
export function rdataNames(type: RecordType, wire: Uint8Array): { field: string; name: Name }[] {
  if (!type.fields.some((field) => field.names)) return [];
  const row = readRow(type, wire);
  return type.fields.flatMap((field) =>
    (field.names?.(row[field.name], row) ?? []).map((name) => ({ field: field.name, name })),
  );
}

/** Undefined when the text is quoted or in RFC 3597 form. */
function literalText(text: string): string | undefined {
  const { start, end } = trimmed(text, "field");
  const literal = text.slice(start, end);
  return literal === "" || literal.startsWith('"') || literal.startsWith("\\#") ? undefined : literal;
}

function parseLiteral(text: string): Uint8Array {
  const refuse = (message: string): never => {
    throw new Malformed("rdata", message, "strings");
  };
  if (text.length > maxRecordText) refuse("The data is longer than 65535 octets.");
  for (let at = 0; at < text.length; at += 1) {
    let code = text.charCodeAt(at);
    if (code === 0x22) refuse('The text has a bare quote; write \\" for it, or put the whole text in quotes.');
    if (code === 0x5c) code = text.charCodeAt(++at);
    if (Number.isNaN(code)) refuse("The text ends in a backslash; write \\\\ for the character.");
    if (code < 0x20 || code === 0x7f)
      refuse("The text holds a control character; write it as \\DDD if it belongs there.");
  }
  return textOctets(text, "strings");
}

/** RFC 3597 §5: `\#`, a length, and that many octets in hex, blanks anywhere. */
function parseGeneric(type: RecordType, reader: TextReader): Uint8Array {
  reader.field = "rdata";
  reader.word("\\#");
  const range = "\\#, the number of octets, and the octets in hex";
  const digits = reader.word(range);
  const hex = reader.words(range).join("");
  if (!/^[0-9]+$/.test(digits) || !/^(?:[0-9A-Fa-f]{2})*$/.test(hex)) reader.refuse(`\\# ${digits} ${hex}`, range);
  const wire = Uint8Array.from(Buffer.from(hex, "hex"));
  if (wire.length !== Number(digits))
    throw new Malformed("rdata", `The length after \\# is ${quote(digits)}, but ${wire.length} octets follow.`);
  checkRdata(type, wire);
  return wire;
}

export function genericText(wire: Uint8Array): string {
  return wire.length === 0 ? "\\# 0" : `\\# ${wire.length} ${Buffer.from(wire).toString("hex")}`;
}

function readRow(type: RecordType, wire: Uint8Array): Row {
  const reader = new WireReader(wire);
  const row: Row = {};
  for (const field of type.fields) {
    reader.field = field.name;
    row[field.name] = field.read(reader, row);
  }
  if (reader.left > 0) throw new Malformed("rdata", `${reader.left} octets follow the last field.`);
  return row;
}

function writeRow(type: RecordType, row: Row): Uint8Array {
  const writer = new WireWriter();
  for (const field of type.fields) field.write(row[field.name], writer, row);
  return writer.result();
}

function checkRow(type: RecordType, row: Row): void {
  const wrong = type.check?.(row);
  if (wrong !== undefined) throw new Malformed("rdata", wrong);
}
