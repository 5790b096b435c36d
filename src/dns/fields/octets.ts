/** Fields of octets with a text encoding, such as hexadecimal or the form of an address. */
import type { WireReader } from "../wire.ts";
import { type Field, oneWord, type Row } from "./field.ts";

/** A text encoding of octets; `kind` and `range` as in `Field`. */
export interface Encoding {
  readonly kind: string;
  readonly range: string;
  /** The octets of a text; undefined when it is not in `range`. */
  octets(text: string): Uint8Array | undefined;
  text(octets: Uint8Array): string;
}

/** A field of octets with one word of text; `read` takes the octets from the wire. */
export function octetsField(
  { kind, range, octets, text }: Encoding,
  read: (wire: WireReader, row: Row) => Uint8Array,
  name: string,
  description: string,
): Field<Uint8Array> {
  return {
    name,
    kind,
    range,
    description,
    holds: "text",
    parse: oneWord(range, octets),
    print: text,
    write: (value, wire) => wire.bytes(value),
    read,
  };
}
