/**
 * Times as they are written in requests and on the command line: RFC 3339 with an offset, in which a space may stand for the T (§5.6), and
 * the seconds may be left out; a date alone is its beginning in UTC. It imports nothing, so that the commands have it too.
 */

const form = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/i;
const date = /^\d{4}-\d\d-\d\d$/;
const clock = /^\d\d:\d\d(:\d\d)?$/;

/** The forms of a time, for messages and descriptions. */
export const timeForms = "a time such as 2030-01-31T12:00:00Z or 2030-01-31 (00:00 UTC)";

/** The time that a text says; undefined for any other text, one without an offset, and a day that its month does not have. */
export function readTime(text: string): Date | undefined {
  const whole = date.test(text) ? `${text}T00:00Z` : text;
  const [, year, month, day, minute, second = ":00", offset] = form.exec(whole) ?? [];
  if (offset === undefined || Number(day) > daysInMonth(Number(year), Number(month))) return undefined;
  const time = new Date(`${year}-${month}-${day}T${minute}${second}${offset.toUpperCase()}`);
  return Number.isNaN(time.valueOf()) ? undefined : time;
}

/** What to write in place of a time without an offset, or of one without its day too, which is `today` then; undefined for any other text. */
export function offsetAdvice(text: string, today = new Date().toISOString().slice(0, 10)): string | undefined {
  const whole = clock.test(text) ? `${today}T${text}` : text;
  if (readTime(`${whole}Z`) === undefined) return undefined;
  return `${whole}Z for UTC, or another offset such as ${whole}+01:00`;
}

const daysInMonth = (year: number, month: number) => new Date(Date.UTC(year, month, 0)).getUTCDate();
