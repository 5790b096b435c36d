/**
 * The times of an RRSIG: YYYYMMDDHHmmSS in UTC, or seconds since 1970 (RFC 4034 §3.2), 32 bits on a circle (RFC 1982).
 * Limitation: without a clock the printed year is from 1970 to 2106; it is read as the same number.
 */
import { type Field, oneWord } from "./field.ts";
import { decimal, u32 } from "./number.ts";

const circle = 2 ** 32;
const timeRange = "a time as YYYYMMDDHHmmSS in UTC, or seconds since 1970";

/** Knot reads years up to 2225; the number wraps around long before. */
function parseMoment(text: string): number | undefined {
  const [, year, month, day, hour, minute, second] =
    /^([0-9]{4})([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})$/.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || year < 1970 || year > 2225) return undefined;
  const moment = Date.UTC(year, month - 1, day, hour, minute, second);
  return momentText(moment) === text ? (moment / 1000) % circle : undefined;
}

function momentText(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 19).replace(/[-:T]/g, "");
}

/** When a signature begins or ends, 0 to 4294967295. */
export function signatureTime(name: string, description: string): Field<number> {
  return {
    ...u32(name, description),
    kind: "moment",
    range: timeRange,
    holds: "text",
    parse: oneWord(timeRange, (word) => (word.length === 14 ? parseMoment(word) : decimal(word, circle - 1))),
    print: (value) => momentText(value * 1000),
    data: (value) => momentText(value * 1000),
  };
}
