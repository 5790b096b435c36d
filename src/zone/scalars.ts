/**
 * The scalars of the schema that GraphQL lacks: serials, of which Int refuses half, and record types, of which there is no fixed list.
 */
import { GraphQLScalarType, Kind } from "graphql";
import { Refusal } from "../errors.ts";

function readSerial(value: unknown): number {
  const number = typeof value === "string" && /^\d{1,10}$/.test(value) ? Number(value) : value;
  if (typeof number === "number" && Number.isInteger(number) && number >= 0 && number <= 4294967295) return number;
  throw new Refusal("INVALID_VALUE", "A serial is a whole number from 0 to 4294967295.");
}

function readType(value: unknown): string {
  if (typeof value === "string") return value;
  throw new Refusal("INVALID_VALUE", "A record type is a mnemonic such as MX, or TYPE65280.");
}

/** SOA serial, 0…4294967295, compared by RFC 1982; a JSON number. */
export const SerialScalar = new GraphQLScalarType<number, number>({
  name: "Serial",
  description: "SOA serial: a whole number from 0 to 4294967295, compared by RFC 1982.",
  specifiedByURL: "https://www.rfc-editor.org/rfc/rfc1982",
  serialize: (value) => value as number,
  parseValue: readSerial,
  parseLiteral: (node) => readSerial(node.kind === Kind.INT || node.kind === Kind.STRING ? node.value : undefined),
});

/** Record type by mnemonic in any letter case, or `TYPEnnn` (RFC 3597). */
export const RecordTypeScalar = new GraphQLScalarType<string, string>({
  name: "RecordType",
  description:
    "Record type: its mnemonic (answered in upper case), or TYPE and its number for one without a mnemonic (RFC 3597).",
  specifiedByURL: "https://www.rfc-editor.org/rfc/rfc3597",
  serialize: (value) => value as string,
  parseValue: readType,
  parseLiteral: (node) => readType(node.kind === Kind.STRING ? node.value : undefined),
});
