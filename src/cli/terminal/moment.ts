/** Moments on the command line: a serial, the id of a change, a time (RFC 3339), or how long ago it was. */
import { offsetAdvice, readTime, timeForms as written } from "../../time.ts";

/** The moment as GraphQL takes it: one of the fields. */
export type MomentInput = { readonly serial: number } | { readonly changeId: string } | { readonly time: string };

/** Milliseconds of the units of `2h`. */
const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** The accepted forms of a time and of a moment, for the help of commands. */
export const timeForms = `${written}, yesterday, or how long ago: 2h (90s, 30m, 3d, 1w)`;
export const momentForms = `a serial, the id of a change, ${timeForms}`;

/** Reads a moment; throws a sentence for any other text. `now` is in milliseconds since 1970. */
export function readMoment(text: string, now = Date.now()): MomentInput {
  if (/^\d{1,10}$/.test(text)) return { serial: Number(text) };
  if (/^\d{16}$/.test(text)) return { changeId: text };
  const [, count, unit = ""] = /^(\d{1,5})([smhdw])$/.exec(text === "yesterday" ? "1d" : text) ?? [];
  if (count !== undefined) return { time: new Date(now - Number(count) * (units[unit] as number)).toISOString() };
  if (readTime(text)) return { time: text };
  throw noOffset(text) ?? new Error(`"${text}" is no moment; write ${momentForms}.`);
}

export const momentParameter = (text: string) => String(Object.values(readMoment(text))[0]);

export const aheadForms = `${written}, within a year, or in how long: 2h (90s, 30m, 3d, 1w)`;

/** Reads a future time (RFC 3339); throws a sentence for any other text. `now` is in milliseconds since 1970. */
export function readAhead(text: string, now = Date.now()): string {
  const [, count, unit = ""] = /^(\d{1,5})([smhdw])$/.exec(text) ?? [];
  if (count !== undefined) return new Date(now + Number(count) * (units[unit] as number)).toISOString();
  if (readTime(text)) return text;
  throw noOffset(text) ?? new Error(`"${text}" is no time; write ${aheadForms}.`);
}

/** The error for a time without its offset; undefined for any other text. */
function noOffset(text: string): Error | undefined {
  const advice = offsetAdvice(text);
  return advice === undefined ? undefined : new Error(`"${text}" has no time zone; write ${advice}.`);
}
