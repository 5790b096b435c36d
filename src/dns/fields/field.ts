/**
 * A field of record data: a descriptor converts its text and its wire. A record type is a row of fields (rdata/record-type.ts). The other
 * files of this folder define the kinds of fields.
 */
import type { Name } from "../name.ts";
import type { TextReader } from "../text-reader.ts";
import type { WireReader, WireWriter } from "../wire.ts";

/** The field values of a record by name, as far as they were read. */
export type Row = Record<string, unknown>;

/** Replaces the names, addresses and texts in record data; a function returns its argument to keep it. */
export interface Replacements {
  name?(name: Name): Name;
  /** 4 or 16 octets. */
  address?(octets: Uint8Array): Uint8Array;
  /** The octets of a text. Strings that were split at 255 octets are joined. */
  text?(octets: Uint8Array): Uint8Array;
}

/** Names of usual values, by the values as text; other values are valid too. */
export type Choices = Readonly<Record<string, string>>;

/** A field value for programs: a number, a text, or a list of texts. */
export type FieldData = number | string | readonly string[];

/** One field of a record type; `Value` is the value between text and wire. */
export interface Field<Value = unknown> {
  readonly name: string;
  /** The kind of value, such as `u16` or `name`: fields of one kind have the same rules. */
  readonly kind: string;
  /** The valid values: completes "write …". */
  readonly range: string;
  readonly description: string;
  /** The maximum; only for integer fields. */
  readonly max?: number;
  readonly choices?: Choices;
  readonly holds: "integer" | "text" | "texts";
  /** A field without text, such as a length. */
  readonly silent?: true;
  /** The field is optional at the end of the text. */
  readonly optional?: true;
  /** The text has double quotes around it; `data` returns it without quotes. */
  readonly quoted?: true;
  parse(text: TextReader, row: Row): Value;
  print(value: Value, row: Row): string;
  write(value: Value, wire: WireWriter, row: Row): void;
  /** Reads and checks a value; `row` holds the previous fields. */
  read(wire: WireReader, row: Row): Value;
  /** The value for programs; the default is the result of `print`. */
  data?(value: Value, row: Row): FieldData;
  names?(value: Value, row: Row): readonly Name[];
  /** Returns the value with its names, addresses and texts replaced. */
  replace?(value: Value, by: Replacements, row: Row): Value;
}

/** Returns the `parse` of a field with one word of text; `read` returns undefined for a word outside `range`. */
export function oneWord<Value>(range: string, read: (word: string) => Value | undefined): (text: TextReader) => Value {
  return (text) => {
    const word = text.word(range);
    return read(word) ?? text.refuseWord(word, range);
  };
}
