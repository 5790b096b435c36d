/**
 * Times as they are written in requests and on the command line: RFC 3339 with an offset, in which a space may stand for the T (§5.6), and
 * the seconds may be left out. It imports nothing, so that the commands have it too.
 */

const form = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/i;

/** The time that a text says; undefined for any other text, one without an offset, and a day that its month does not have. */
export function readTime(text: string): Date | undefined {
  const [, year, month, day, minute, second = ":00", offset] = form.exec(text) ?? [];
  if (offset === undefined || Number(day) > daysInMonth(Number(year), Number(month))) return undefined;
  const time = new Date(`${year}-${month}-${day}T${minute}${second}${offset.toUpperCase()}`);
  return Number.isNaN(time.valueOf()) ? undefined : time;
}

/** What to write in place of a time without an offset; undefined for any other text. */
export function offsetAdvice(text: string): string | undefined {
  if (readTime(`${text}Z`) === undefined) return undefined;
  return `${text}Z for UTC, or another offset such as ${text}+01:00`;
}

const daysInMonth = (year: number, month: number) => new Date(Date.UTC(year, month, 0)).getUTCDate();
