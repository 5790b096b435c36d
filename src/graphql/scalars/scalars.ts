/**
 * Scalars of the schema that GraphQL does not have: serials and other whole numbers, since Int ends at 2147483647, record types, since their
 * list is open, and times. Each refuses other values with INVALID_VALUE. And the enum of error codes, from error-codes.ts.
 */
import { GraphQLScalarType, Kind } from "graphql";
import { type Code, codes } from "../../error-codes.ts";
import { Refusal } from "../../errors.ts";
import { offsetAdvice, readTime, timeForms } from "../../time.ts";
import { enumType } from "./enum-type.ts";

/** The error codes by their names, for fields of the schema. */
export const ErrorCode = enumType(
  "ErrorCode",
  "What is wrong: the `code` of an error, with its HTTP status. More of them may follow.",
  Object.fromEntries(
    Object.entries(codes).map(([code, { status, meaning }]) => [code, `HTTP ${status}: ${meaning}`]),
  ) as Readonly<Record<Code, string>>,
);

const parseSerial = (value: unknown) =>
  parseUInt32(typeof value === "string" && /^\d{1,10}$/.test(value) ? Number(value) : value);

function parseUInt32(value: unknown): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 4294967295) return value;
  throw new Refusal("INVALID_VALUE", "write a whole number from 0 to 4294967295.");
}

function parseType(value: unknown): string {
  if (typeof value === "string") return value;
  throw new Refusal("INVALID_VALUE", "write a mnemonic such as MX, or TYPE65280.");
}

function parseTime(value: unknown): Date {
  const text = typeof value === "string" ? value : "";
  const time = readTime(text);
  if (time) return time;
  const advice = offsetAdvice(text);
  if (advice !== undefined) throw new Refusal("INVALID_VALUE", `write ${advice}.`);
  throw new Refusal("INVALID_VALUE", `write ${timeForms}.`);
}

/** A point in time, RFC 3339; written in UTC with milliseconds. */
export const DateTimeScalar = new GraphQLScalarType<Date, string>({
  name: "DateTime",
  description:
    "A point in time, such as 2030-01-31T12:00:00.000Z (RFC 3339), or a date, which is its beginning in UTC; output is in UTC.",
  specifiedByURL: "https://www.rfc-editor.org/rfc/rfc3339",
  serialize: (value) => (value as Date).toISOString(),
  parseValue: parseTime,
  parseLiteral: (node) => parseTime(node.kind === Kind.STRING ? node.value : undefined),
});

/** SOA serial, 0…4294967295, compared by RFC 1982; a JSON number. */
export const SerialScalar = new GraphQLScalarType<number, number>({
  name: "Serial",
  description: "SOA serial: a whole number from 0 to 4294967295, compared by RFC 1982.",
  specifiedByURL: "https://www.rfc-editor.org/rfc/rfc1982",
  serialize: (value) => value as number,
  parseValue: parseSerial,
  parseLiteral: (node) => parseSerial(node.kind === Kind.INT || node.kind === Kind.STRING ? node.value : undefined),
});

/** A whole number of 32 bits, 0 to 4294967295; a JSON number. */
export const UInt32Scalar = new GraphQLScalarType<number, number>({
  name: "UInt32",
  description: "A whole number from 0 to 4294967295.",
  serialize: (value) => value as number,
  parseValue: parseUInt32,
  parseLiteral: (node) => parseUInt32(node.kind === Kind.INT ? Number(node.value) : undefined),
});

/** Record type by mnemonic in any letter case, or `TYPEnnn` (RFC 3597). */
export const RecordTypeScalar = new GraphQLScalarType<string, string>({
  name: "RecordType",
  description:
    "Record type: its mnemonic in any letter case, or TYPE and its number (RFC 3597); output is in upper case.",
  specifiedByURL: "https://www.rfc-editor.org/rfc/rfc3597",
  serialize: (value) => value as string,
  parseValue: parseType,
  parseLiteral: (node) => parseType(node.kind === Kind.STRING ? node.value : undefined),
});

/** Reads the digits of an id; INVALID_VALUE for anything else, which names the field. */
export function readId(id: string, field: string): number {
  const number = idOf(id);
  if (number !== undefined) return number;
  throw new Refusal("INVALID_VALUE", `${field} is not an id; write the digits as they were answered.`, { field });
}

/** The number of an id's digits, 1 to 2^53 - 1; undefined for any other text. */
export function idOf(text: string): number | undefined {
  const number = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(number) ? number : undefined;
}

function parseId(value: unknown): number {
  const id = typeof value === "string" || typeof value === "number" ? idOf(String(value)) : undefined;
  if (id !== undefined) return id;
  throw new Refusal("INVALID_VALUE", "write the digits of an id.");
}

/** GraphQL's own scalar of ids, whose values are numbers here: 1 to 2^53 - 1, as decimal digits. */
export const IdScalar = new GraphQLScalarType<number, string>({
  name: "ID",
  description: "An id: the decimal digits of a number from 1 to 2^53 - 1.",
  serialize: String,
  parseValue: parseId,
  parseLiteral: (node) => parseId(node.kind === Kind.INT || node.kind === Kind.STRING ? node.value : undefined),
});
