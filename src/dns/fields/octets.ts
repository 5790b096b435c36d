/** Fields of octets with a text encoding. */
import type { WireReader } from "../wire.ts";
import { type Field, oneWord, type Row } from "./field.ts";

/** `kind` and `range` as in `Field`. */
export interface Encoding {
  readonly kind: string;
  readonly range: string;
  /** Undefined when the text is not in `range`. */
  octets(text: string): Uint8Array | undefined;
  text(octets: Uint8Array): string;
}

/** One word of text; `read` takes the octets from the wire. */
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
