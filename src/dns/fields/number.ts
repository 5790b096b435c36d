/** Fields of numbers: unsigned integers, serials, spans of time in seconds, and the times of an RRSIG. */
import { type Choices, type Field, oneWord } from "./field.ts";

/** Leading zeros are valid, as in all servers. Undefined for other text, and above `max`. */
export function decimal(text: string, max: number): number | undefined {
  if (!/^[0-9]+$/.test(text)) return undefined;
  const value = Number(text);
  return value <= max ? value : undefined;
}

export function unsigned(size: 1 | 2 | 4, name: string, description: string, choices?: Choices): Field<number> {
  const max = 256 ** size - 1;
  const range = `a number from 0 to ${max}`;
  return {
    name,
    kind: `u${size * 8}`,
    range,
    description,
    max,
    ...(choices && { choices }),
    holds: "integer",
    parse: oneWord(range, (word) => decimal(word, max)),
    print: (value) => String(value),
    write: (value, wire) => wire.number(value, size),
    read: (wire) => wire.number(size),
    data: (value) => value,
  };
}

export const u8 = (name: string, description: string, choices?: Choices) => unsigned(1, name, description, choices);
export const u16 = (name: string, description: string, choices?: Choices) => unsigned(2, name, description, choices);
export const u32 = (name: string, description: string) => unsigned(4, name, description);
export const zoneSerial = (name: string, description: string) => ({ ...u32(name, description), kind: "serial" });

const secondsPerUnit: Readonly<Record<string, number>> = { w: 604800, d: 86400, h: 3600, m: 60, s: 1 };

/** In seconds, or with units (`1w2d3h4m5s`); undefined for other text, and above `max`. */
export function seconds(text: string, max: number): number | undefined {
  if (/^[0-9]+$/.test(text)) return decimal(text, max);
  if (!/^(?:[0-9]+[wdhms])+$/i.test(text)) return undefined;
  let total = 0;
  for (const [, count, unit] of text.toLowerCase().matchAll(/([0-9]+)([wdhms])/g))
    total += Number(count) * (secondsPerUnit[unit ?? "s"] ?? 1);
  return total <= max ? total : undefined;
}

export function time(name: string, description: string): Field<number> {
  const range = "seconds from 0 to 4294967295, or units such as 1h30m";
  return {
    ...u32(name, description),
    kind: "time",
    range,
    parse: oneWord(range, (word) => seconds(word, 2 ** 32 - 1)),
  };
}

const circle = 2 ** 32;
const momentRange = "a time as YYYYMMDDHHmmSS in UTC, or seconds since 1970";

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

/** When a signature begins or ends: 32 bits on a circle (RFC 4034 §3.2, RFC 1982), printed as a year from 1970 to 2106. */
export function signatureTime(name: string, description: string): Field<number> {
  return {
    ...u32(name, description),
    kind: "moment",
    range: momentRange,
    holds: "text",
    parse: oneWord(momentRange, (word) => (word.length === 14 ? parseMoment(word) : decimal(word, circle - 1))),
    print: (value) => momentText(value * 1000),
    data: (value) => momentText(value * 1000),
  };
}
