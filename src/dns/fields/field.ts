/**
 * What a field of record data is: one descriptor knows its text and its wire, both ways; a record type is a row of them
 * (rdata/record-type.ts). The kinds of fields are in the other files of this folder.
 */
import type { Name } from "../name.ts";
import type { TextReader } from "../text-reader.ts";
import type { WireReader, WireWriter } from "../wire.ts";

/** The values of a record's fields by name, as far as they have been read. */
export type Row = Record<string, unknown>;

/** What is made of the names, addresses and texts inside record data; one that stays is returned as it is. */
export interface Replacements {
  name?(name: Name): Name;
  /** Four octets or sixteen. */
  address?(octets: Uint8Array): Uint8Array;
  /** Text as octets; of strings that were split at 255 octets the whole. */
  text?(octets: Uint8Array): Uint8Array;
}

/** A field's value for a program: a number, a text, or a list of texts. */
export type FieldData = number | string | readonly string[];

/** One field of a record type; `Value` is how the field is held between text and wire. */
export interface Field<Value = unknown> {
  readonly name: string;
  /** The kind of value, such as `u16` or `name`: fields of one kind have the same rules. */
  readonly kind: string;
  /** What may be written: completes "write …". */
  readonly range: string;
  readonly description: string;
  /** The greatest number; only of fields that hold an integer. */
  readonly max?: number;
  /** The names of its usual values, by the values as text; others may be written too. */
  readonly choices?: Readonly<Record<string, string>>;
  /** What `data` returns. */
  readonly holds: "integer" | "text" | "texts";
  /** A field of the wire alone, such as a length: it has no text. */
  readonly silent?: true;
  /** May be left out at the end of the text. */
  readonly optional?: true;
  /** The text is written between double quotes; `data` returns it without them. */
  readonly quoted?: true;
  parse(text: TextReader, row: Row): Value;
  print(value: Value, row: Row): string;
  write(value: Value, wire: WireWriter, row: Row): void;
  /** Reads and checks; `row` holds the fields before this one. */
  read(wire: WireReader, row: Row): Value;
  /** The value for a program; without it, the result of `print`. */
  data?(value: Value, row: Row): FieldData;
  /** The names inside the value, in wire order. */
  names?(value: Value, row: Row): readonly Name[];
  /** The value with others in the places of its names, addresses and texts. */
  replace?(value: Value, by: Replacements, row: Row): Value;
}

/** The same field with names for its usual values. */
export function withChoices<Value>(field: Field<Value>, choices: Readonly<Record<string, string>>): Field<Value> {
  return { ...field, choices };
}

/** The `parse` of a field whose text is one word; `read` returns undefined for a word outside `range`. */
export function oneWord<Value>(range: string, read: (word: string) => Value | undefined): (text: TextReader) => Value {
  return (text) => {
    const word = text.word(range);
    return read(word) ?? text.refuseWord(word, range);
  };
}
