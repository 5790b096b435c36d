/**
 * SOA serials (RFC 1982). Only this file compares and advances them, never `<` or `+`. Two serials of one journal may be further apart than
 * RFC 1982 can compare: see isOnWay.
 */
import { Malformed } from "./malformed.ts";

/** 0 to 4294967295. */
export type Serial = number & { readonly brand: unique symbol };

const circle = 2 ** 32;
const halfCircle = 2 ** 31;

/** Throws Malformed unless the number is an integer from 0 to 4294967295. */
export function serial(value: number): Serial {
  if (!Number.isInteger(value) || value < 0 || value >= circle)
    throw new Malformed("rdata", "A serial is a whole number from 0 to 4294967295.", "serial");
  return value as Serial;
}

/** Undefined when the serials are exactly half the circle apart (RFC 1982 §3.2). */
export function compareSerial(a: Serial, b: Serial): -1 | 0 | 1 | undefined {
  if (a === b) return 0;
  const ahead = (a - b + circle) % circle;
  if (ahead === halfCircle) return undefined;
  return ahead < halfCircle ? 1 : -1;
}

/** False also when the two cannot be compared. */
export function serialIsGreater(a: Serial, b: Serial): boolean {
  return compareSerial(a, b) === 1;
}

/** The number of steps up from `from` to `to`, 0 to 4294967295. */
export function serialDistance(from: Serial, to: Serial): number {
  return (to - from + circle) % circle;
}

/** Whether `value` is passed on the way up from `from` to `to`, both included. */
export function isOnWay(value: Serial, from: Serial, to: Serial): boolean {
  return serialDistance(from, value) <= serialDistance(from, to);
}

/** 0 to 2147483647 steps (RFC 1982 §3.1); throws RangeError beyond. */
export function addSerial(value: Serial, steps: number): Serial {
  if (!Number.isInteger(steps) || steps < 0 || steps >= halfCircle)
    throw new RangeError(`cannot add ${steps} to a serial`);
  return ((value + steps) % circle) as Serial;
}

/** Never 0. */
export function serialAfter(current: Serial): Serial {
  const next = addSerial(current, 1);
  return next === 0 ? addSerial(next, 1) : next;
}

/** YYYYMMDD01. `date` is YYYYMMDD in UTC. */
export function firstSerial(date: string): Serial {
  return serial(Number(`${date}01`));
}

/**
 * YYYYMMDD01 of the date (YYYYMMDD in UTC), or the next serial, never 0. It does not wrap around: a secondary may have an old YYYYMMDD01.
 */
export function nextSerial(current: Serial, date: string): Serial {
  const dated = firstSerial(date);
  const following = serialAfter(current);
  return dated > following && serialIsGreater(dated, following) ? dated : following;
}
