/**
 * The scalars of the schema that GraphQL lacks: serials, of which Int refuses half, record types, of which there is no fixed list,
 * and times.
 */
import { GraphQLScalarType, Kind } from "graphql";
import { Refusal } from "./errors.ts";

function readSerial(value: unknown): number {
  const number = typeof value === "string" && /^\d{1,10}$/.test(value) ? Number(value) : value;
  if (typeof number === "number" && Number.isInteger(number) && number >= 0 && number <= 4294967295) return number;
  throw new Refusal("INVALID_VALUE", "A serial is a whole number from 0 to 4294967295.");
}

function readType(value: unknown): string {
  if (typeof value === "string") return value;
  throw new Refusal("INVALID_VALUE", "A record type is a mnemonic such as MX, or TYPE65280.");
}

/** Reads an RFC 3339 time; a day that its month does not have is none. */
function readTime(value: unknown): Date {
  const day =
    typeof value === "string" ? /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i.exec(value) : null;
  const time = new Date(day ? (value as string).toUpperCase() : Number.NaN);
  if (day && !Number.isNaN(time.valueOf()) && Number(day[3]) <= daysOf(Number(day[1]), Number(day[2]))) return time;
  throw new Refusal("INVALID_VALUE", "A time is written as in RFC 3339, such as 2030-01-31T12:00:00Z.");
}

const daysOf = (year: number, month: number) => new Date(Date.UTC(year, month, 0)).getUTCDate();

/** A moment, RFC 3339; answered in UTC with milliseconds. */
export const DateTimeScalar = new GraphQLScalarType<Date, string>({
  name: "DateTime",
  description: "A moment as text, such as 2030-01-31T12:00:00.000Z (RFC 3339); answered in UTC.",
  specifiedByURL: "https://www.rfc-editor.org/rfc/rfc3339",
  serialize: (value) => (value as Date).toISOString(),
  parseValue: readTime,
  parseLiteral: (node) => readTime(node.kind === Kind.STRING ? node.value : undefined),
});

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
