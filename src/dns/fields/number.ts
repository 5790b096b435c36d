/** Fields of numbers: unsigned integers of 1, 2 or 4 octets, serials, and times in seconds. */
import { type Field, oneWord } from "./field.ts";

/** Reads a decimal number without a sign; leading zeros are valid, as in all servers. Undefined for other text, and above `max`. */
export function decimal(text: string, max: number): number | undefined {
  if (!/^[0-9]+$/.test(text)) return undefined;
  const value = Number(text);
  return value <= max ? value : undefined;
}

export function unsigned(size: 1 | 2 | 4, name: string, description: string): Field<number> {
  const max = 256 ** size - 1;
  const range = `a number from 0 to ${max}`;
  return {
    name,
    kind: `u${size * 8}`,
    range,
    description,
    max,
    holds: "integer",
    parse: oneWord(range, (word) => decimal(word, max)),
    print: (value) => String(value),
    write: (value, wire) => wire.number(value, size),
    read: (wire) => wire.number(size),
    data: (value) => value,
  };
}

export const u8 = (name: string, description: string) => unsigned(1, name, description);
export const u16 = (name: string, description: string) => unsigned(2, name, description);
export const u32 = (name: string, description: string) => unsigned(4, name, description);
/** The serial of a zone (RFC 1982). */
export const zoneSerial = (name: string, description: string) => ({ ...u32(name, description), kind: "serial" });

const secondsPerUnit: Readonly<Record<string, number>> = { w: 604800, d: 86400, h: 3600, m: 60, s: 1 };

/** Reads a time in seconds, plain or with units (`1w2d3h4m5s`); undefined for other text, and above `max`. */
export function seconds(text: string, max: number): number | undefined {
  if (/^[0-9]+$/.test(text)) return decimal(text, max);
  if (!/^(?:[0-9]+[wdhms])+$/i.test(text)) return undefined;
  let total = 0;
  for (const [, count, unit] of text.toLowerCase().matchAll(/([0-9]+)([wdhms])/g))
    total += Number(count) * (secondsPerUnit[unit ?? "s"] ?? 1);
  return total <= max ? total : undefined;
}

/** A time, 0 to 4294967295 seconds, with or without units. */
export function time(name: string, description: string): Field<number> {
  const range = "seconds from 0 to 4294967295, or units such as 1h30m";
  return {
    ...u32(name, description),
    kind: "time",
    range,
    parse: oneWord(range, (word) => seconds(word, 2 ** 32 - 1)),
  };
}
