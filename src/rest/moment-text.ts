/**
 * A moment of a zone as a parameter of a path has it: a serial, the id of a change, or a time (RFC 3339). Ids are greater than
 * every serial, so digits are never both.
 */
import { Refusal } from "../errors.ts";

/** One of the three that name a moment. */
export interface MomentOfRequest {
  readonly serial?: number;
  readonly changeId?: number;
  readonly time?: Date;
}

/** The parts of a time. */
const timePattern = /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i;

/** Reads the text of a moment; INVALID_VALUE for any other. */
export function readMomentText(text: string, field: string): MomentOfRequest {
  const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (number < 2 ** 32) return { serial: number };
  if (Number.isSafeInteger(number)) return { changeId: number };
  const [, year, month, day] = timePattern.exec(text) ?? [];
  const time = new Date(text.toUpperCase());
  const daysInMonth = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  if (year !== undefined && !Number.isNaN(time.valueOf()) && Number(day) <= daysInMonth) return { time };
  const message = `${field} is no moment; write a serial, the id of a change, or a time such as 2030-01-31T12:00:00Z.`;
  throw new Refusal("INVALID_VALUE", message, { field });
}
