/** What commands print: lists as columns, one thing as lines of name and value. */
import { tableLines } from "./table.ts";

export type Row = Readonly<Record<string, unknown>>;

/** A column: heading, path of the value, and the text of a value, or of each item of a list. A `whole` value stays on one line. */
export type Column = readonly [
  heading: string,
  path: string,
  show?: ((value: never) => string) | undefined,
  isWhole?: "whole",
];

/**
 * Parses columns from a text such as `email, created: createdAt`: each a heading and, if it differs, the path after a colon. `shows` has
 * the text functions by heading.
 */
export const columns = (text: string, shows: Readonly<Record<string, Column[2]>> = {}): readonly Column[] =>
  text.split(/,\s+/).map((each) => {
    const [heading = "", path = heading] = each.split(": ");
    return [heading, path, shows[heading]];
  });

/** The data of records, the last column: it can be copied as it is printed. */
export const dataColumn: Column = ["rdata", "rdata", undefined, "whole"];

/** The value at a path such as `user.email`, or the row itself at `.`; undefined where a part of the path is missing. */
export function valueAt(row: unknown, path: string): unknown {
  if (path === ".") return row;
  return path.split(".").reduce((value, name) => (value as Row | null | undefined)?.[name], row);
}

/** Prints headings, then each row, wrapped to the width of the terminal unless a column is to stay whole. */
export function printList(rows: readonly Row[], columns: readonly Column[]): void {
  const headings = columns.map(([heading]) => heading);
  const cells = columns.map((column) => cellsOf(rows, column));
  const values = rows.map((_, at) => cells.map((column) => column[at] as string));
  const width = columns.some(([, , , isWhole]) => isWhole) ? Number.POSITIVE_INFINITY : process.stdout.columns;
  for (const line of tableLines(headings, values, width)) console.log(line);
}

/** The texts of a column. Times have their seconds where two of them differ in nothing else. */
function cellsOf(rows: readonly Row[], column: Column): readonly string[] {
  const cells = rows.map((row) => textOf(row, column).join(" "));
  const [, path, show] = column;
  const times = rows.map((row) => String(valueAt(row, path)));
  if (show || !times.some((text) => time.test(text)) || new Set(cells).size === new Set(times).size) return cells;
  return times.map((text, at) => (time.test(text) ? text.replace(time, "$1 $2$3Z") : (cells[at] as string)));
}

/** Prints a line for each column; one for each item of a list whose column has a text function. */
export function printOne(row: Row, columns: readonly Column[]): void {
  const width = Math.max(...columns.map(([heading]) => heading.length));
  for (const column of columns)
    for (const [at, text] of textOf(row, column).entries())
      console.log(`${(at === 0 ? column[0] : "").padEnd(width)}  ${text}`);
}

/** The texts of a column: one, or one for each item of a list whose column has a text function. */
function textOf(row: Row, [, path, show]: Column): string[] {
  const value = valueAt(row, path);
  if (!show || value === null || value === undefined) return [shown(value)];
  if (!Array.isArray(value)) return [show(value as never)];
  return value.length > 0 ? value.map((each) => show(each as never)) : ["-"];
}

/** How many zones a secondary serves, and whether it is still joining. */
export function servedText({
  progress,
  joinedAt,
}: {
  readonly progress: { readonly served: number; readonly total: number } | null;
  readonly joinedAt: string | null;
}): string {
  const count = progress === null ? "-" : `${progress.served} of ${progress.total}`;
  return joinedAt === null ? `joining, ${count}` : count;
}

/** The answer of a secondary to an SOA query, its serial or what it said instead, with the zone of the query. */
export function queryAnswerText({ answer, zone }: { readonly answer: string; readonly zone: string | null }): string {
  const shownAnswer = /^\d+$/.test(answer) ? `serial ${answer}` : answer;
  return zone === null ? shownAnswer : `${shownAnswer} (${zone})`;
}

/** A value as text; a time to the minute in UTC, `-` for an empty value. */
function shown(value: unknown): string {
  if (value === null || value === undefined || value === "") return "-";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map(shown).join(" ");
  if (typeof value === "object") return Object.values(value).map(shown).join(" ");
  return String(value).replace(time, "$1 $2Z");
}

const time = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(:\d\d)\.\d+Z$/;

export const print = (json: boolean | undefined, result: unknown, sentence: string) =>
  console.log(json ? JSON.stringify(result, null, 2) : sentence);

/** Prints the notices of a payload as warnings, on standard error. */
export function printNotices(payload: object | null | undefined): void {
  const { notices = [] } = (payload ?? {}) as { readonly notices?: readonly { readonly message: string }[] };
  for (const { message } of notices) console.error(`warning: ${message}`);
}
