/** A record type is a row of fields. The rows are in host-types.ts, network-types.ts and security-types.ts. */
import type { Field, Row } from "../fields/field.ts";
import { type Mnemonic, TypeCode } from "../type-codes.ts";

/** One record type; its fields are in the order of its text. */
export interface RecordType {
  /** The mnemonic in upper case; `TYPEnnn` for a type without a row. */
  readonly mnemonic: string;
  readonly code: number;
  readonly rfc: string;
  readonly description: string;
  /** An example of record data as a user would write it. */
  readonly example: string;
  /** False for the types of a signer, and for NULL, MD and MF, which servers refuse as zone data. */
  readonly creatable: boolean;
  /** Empty for a type without a row, whose data is written `\# n hex` (RFC 3597). */
  readonly fields: readonly Field[];
  /** Checks the fields together; returns a sentence that says what is wrong, or undefined. */
  readonly check?: (row: Row) => string | undefined;
  /** True for TXT and SPF: an API field may hold one literal text instead of quoted strings. */
  readonly literal?: true;
  /** True for SVCB and HTTPS: a word may hold a quoted value, `key="a b"` (RFC 9460 §2.1). */
  readonly pairs?: true;
}

type Extras = Partial<Pick<RecordType, "creatable" | "check" | "literal" | "pairs">>;

/** A mnemonic, and the RFC or registry that defines its type. */
export type TypeSource = readonly [mnemonic: Mnemonic, rfc: string];

/** Returns a row of the table; its type is creatable unless `extras` says otherwise. */
export function row(
  [mnemonic, rfc]: TypeSource,
  description: string,
  example: string,
  fields: readonly Field[],
  extras: Extras = {},
): RecordType {
  return { mnemonic, code: TypeCode[mnemonic], rfc, description, example, creatable: true, fields, ...extras };
}
