/** A record type is a row of host-types.ts, network-types.ts or security-types.ts. */
import type { Field, Row } from "../fields/field.ts";
import { type Mnemonic, TypeCode } from "../type-codes.ts";

/** The fields are in the order of the text. */
export interface RecordType {
  /** In upper case; `TYPEnnn` for a type without a row. */
  readonly mnemonic: string;
  readonly code: number;
  readonly rfc: string;
  readonly description: string;
  /** As a user would write it. */
  readonly example: string;
  /** False for the types of a signer, and for NULL, MD and MF, which servers refuse as zone data. */
  readonly creatable: boolean;
  /** Empty for a type without a row, whose data is written `\# n hex` (RFC 3597). */
  readonly fields: readonly Field[];
  /** A sentence that says what is wrong with the fields together, or undefined. */
  readonly check?: (row: Row) => string | undefined;
  /** TXT and SPF: an API field may hold one literal text instead of quoted strings. */
  readonly literal?: true;
  /** SVCB and HTTPS: a word may hold a quoted value, `key="a b"` (RFC 9460 §2.1). */
  readonly pairs?: true;
}

type Extras = Partial<Pick<RecordType, "creatable" | "check" | "literal" | "pairs">>;

/** The RFC or registry defines the type. */
export type TypeSource = readonly [mnemonic: Mnemonic, rfc: string];

/** Creatable unless `extras` says otherwise. */
export function row(
  [mnemonic, rfc]: TypeSource,
  description: string,
  example: string,
  fields: readonly Field[],
  extras: Extras = {},
): RecordType {
  return { mnemonic, code: TypeCode[mnemonic], rfc, description, example, creatable: true, fields, ...extras };
}
