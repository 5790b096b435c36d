/** A field of record data: a descriptor converts its text and its wire. The other files of this folder define the kinds of fields. */
import type { Name } from "../name.ts";
import type { TextReader } from "../text-reader.ts";
import type { WireReader, WireWriter } from "../wire.ts";

/** The field values of a record by name, as far as they were read. */
export type Row = Record<string, unknown>;

/** Functions that replace parts of record data. Each returns its argument unchanged to keep that part. */
export interface Replacements {
  name?(name: Name): Name;
  /** 4 or 16 octets. */
  address?(octets: Uint8Array): Uint8Array;
  /** Strings that were split at 255 octets are joined. */
  text?(octets: Uint8Array): Uint8Array;
}

/** Names of usual values, by the values as text; other values are valid too. */
export type Choices = Readonly<Record<string, string>>;

/** A field value for programs. */
export type FieldData = number | string | readonly string[];

/** `Value` is the parsed form of the field, between text and wire. */
export interface Field<Value = unknown> {
  readonly name: string;
  /** Fields of one kind have the same rules. */
  readonly kind: string;
  /** The valid values, as a phrase that completes "write …" in messages. */
  readonly range: string;
  readonly description: string;
  /** Only for integers. */
  readonly max?: number;
  readonly choices?: Choices;
  readonly holds: "integer" | "text" | "texts";
  /** The field is only in the wire format, such as a length. */
  readonly silent?: true;
  /** The field may be missing at the end of the text. */
  readonly optional?: true;
  /** The text has double quotes around it; `data` returns it without quotes. */
  readonly quoted?: true;
  parse(text: TextReader, row: Row): Value;
  print(value: Value, row: Row): string;
  write(value: Value, wire: WireWriter, row: Row): void;
  /** `row` holds the previous fields. */
  read(wire: WireReader, row: Row): Value;
  /** The value for programs; the default is the result of `print`. */
  data?(value: Value, row: Row): FieldData;
  names?(value: Value, row: Row): readonly Name[];
  replace?(value: Value, by: Replacements, row: Row): Value;
}

/** The `parse` of a field with one word; `read` returns undefined for a word outside `range`. */
export function oneWord<Value>(range: string, read: (word: string) => Value | undefined): (text: TextReader) => Value {
  return (text) => {
    const word = text.word(range);
    return read(word) ?? text.refuseWord(word, range);
  };
}
