/**
 * SOA serials: 32-bit numbers on a circle (RFC 1982). Compare and advance them only here, never with `<` and `+`. The
 * way from one serial of a journal to a later one may be longer than RFC 1982 compares: see isOnWay.
 */
import { Malformed } from "./malformed.ts";

/** A zone's serial, 0 to 4294967295, with the order of RFC 1982. */
export type Serial = number & { readonly brand: unique symbol };

const circle = 2 ** 32;
const halfCircle = 2 ** 31;

/** The serial of this number; throws Malformed when it is not a whole number from 0 to 4294967295. */
export function serial(value: number): Serial {
  if (!Number.isInteger(value) || value < 0 || value >= circle)
    throw new Malformed("rdata", "A serial is a whole number from 0 to 4294967295.", "serial");
  return value as Serial;
}

/** Orders two serials: -1, 0 or 1, or undefined when they are exactly half the circle apart (RFC 1982 §3.2). */
export function compareSerial(a: Serial, b: Serial): -1 | 0 | 1 | undefined {
  if (a === b) return 0;
  const ahead = (a - b + circle) % circle;
  if (ahead === halfCircle) return undefined;
  return ahead < halfCircle ? 1 : -1;
}

/** Whether `a` comes after `b`; false also when the two cannot be compared. */
export function serialIsGreater(a: Serial, b: Serial): boolean {
  return compareSerial(a, b) === 1;
}

/** How many steps lead from a serial to a later one, 0 to 4294967295. */
export function serialDistance(from: Serial, to: Serial): number {
  return (to - from + circle) % circle;
}

/** Whether a serial lies on the way up from one to another, both included. */
export function isOnWay(value: Serial, from: Serial, to: Serial): boolean {
  return serialDistance(from, value) <= serialDistance(from, to);
}

/** Advances a serial by 0 to 2147483647 steps (RFC 1982 §3.1); throws RangeError beyond. */
export function addSerial(value: Serial, steps: number): Serial {
  if (!Number.isInteger(steps) || steps < 0 || steps >= halfCircle)
    throw new RangeError(`cannot add ${steps} to a serial`);
  return ((value + steps) % circle) as Serial;
}

/** The serial one step after another, never 0. */
export function serialAfter(current: Serial): Serial {
  const next = addSerial(current, 1);
  return next === 0 ? addSerial(next, 1) : next;
}

/** The first serial of a zone that never had one: YYYYMMDD01, date given as YYYYMMDD in UTC. */
export function firstSerial(date: string): Serial {
  return serial(Number(`${date}01`));
}

/**
 * The serial after `current`: the day's first (YYYYMMDD01, date given as YYYYMMDD in UTC) or current + 1, never 0. Never returns
 * to the day's first serial across the end of the circle: a secondary may still have it from before the serial leapt ahead.
 */
export function nextSerial(current: Serial, date: string): Serial {
  const dated = firstSerial(date);
  const following = serialAfter(current);
  return dated > following && serialIsGreater(dated, following) ? dated : following;
}
