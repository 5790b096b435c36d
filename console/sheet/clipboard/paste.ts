/**
 * Pasted text as rows: lines of a master file, cells of a spreadsheet (owner, type, TTL, data, in the order of the sheet or of a master
 * file), or rows that were copied from another zone. A line of a master file that has no TTL has that of the line before (RFC 1035 §5.1).
 * Where all lines are rows of a table, an empty first cell is the owner of the row before, or the apex in the first, and a row that does not
 * make a record is one all the same, so that it can be corrected. What has directives, parentheses or owners that are left out is a whole
 * master file (RFC 1035 §5), which the service reads.
 */
import { readLine } from "../../parts/text/master-line.ts";
import { parseTtl, type RowValues } from "../records/row.ts";

/** A row with the number of its line, from 1. */
export interface PastedRow {
  readonly line: number;
  readonly values: RowValues;
  /** Whether it is a line of a master file, in which names are relative to the zone; in a cell of a table they are as in the sheet's. */
  readonly isMasterLine: boolean;
}

type Pasted = (
  | { readonly kind: "rows"; readonly rows: readonly PastedRow[] }
  | { readonly kind: "file"; readonly text: string }
) & {
  /** Whether the text has comments, for which a record has no place. */
  readonly hasComments: boolean;
};

/** The fewest values that data of a type has; 1 for a type that is not known. */
export type FieldCount = (type: string) => number;

/** The fewest values of data with such fields. */
export const fieldCountOf = (fields: readonly { readonly optional: boolean }[] | undefined): number =>
  fields?.filter(({ optional }) => !optional).length || 1;

/** A cell as a spreadsheet copies one that begins with a quotation mark. */
const plainCell = (cell: string) =>
  /^".*""/.test(cell) && cell.endsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;

const isTtl = (text: string) => /^\d/.test(text) && parseTtl(text) !== undefined;
const isClass = (text: string) => /^(IN|CLASS1)$/i.test(text);

/** The first word of a text, and the rest. */
function splitWord(text: string, separator: RegExp): [word: string, rest: string] {
  const match = separator.exec(text);
  return match ? [text.slice(0, match.index), text.slice(match.index + match[0].length)] : [text, ""];
}

/** One record in a line; undefined where the line does not have an owner, a type and data. */
function readRow(text: string, fieldCount: FieldCount): RowValues | undefined {
  const cells = text.includes("\t") ? /\t+| +(?=\S)/ : /[ \t]+/;
  let [owner, rest] = splitWord(text.trim(), cells);
  let [type, ttl] = ["", ""];
  while (type === "" && rest !== "") {
    const [word, after] = splitWord(rest, cells);
    if (isTtl(word) && ttl === "") ttl = word;
    else if (!isClass(word)) type = word.toUpperCase();
    rest = after;
  }
  if (type === "" || !/^[A-Z][A-Z0-9-]*$/.test(type)) return undefined;
  // The columns of the sheet: the TTL comes after the type, if enough is left for the data.
  const [word, after] = splitWord(rest, /\t/);
  if (ttl === "" && isTtl(word.trim()) && after.trim() !== "" && words(after) >= fieldCount(type)) {
    ttl = word.trim();
    rest = after;
  }
  const rdata = rest.split("\t").map(plainCell).join(" ").trim();
  return rdata === "" ? undefined : { owner: owner === "" ? "@" : owner, type, ttl, rdata };
}

const words = (text: string) => (text.match(/"(?:\\.|[^"\\])*"|\S+/g) ?? []).length;

/** The headings of a table that was copied with them. */
const isHeading = (line: string) => /^(owner|name|host)\b.*\btype\b/i.test(line);

/** A semicolon in a table's data is data; in a master file it begins a comment. */
const isTable = (line: string) => line.includes("\t") && !/\t(IN|CLASS1)\t/i.test(line);

/** Whether all lines are rows of a table: with tabs, each with its first cell or none, and nothing of a master file alone. */
const isWholeTable = (lines: readonly string[]) =>
  lines.every(
    (line) => line.trim() === "" || (isTable(line) && /^([^\s$]| *\t)/.test(line) && readLine(line).depth === 0),
  );

/** The row of a table; one that is no record is read by the columns of the sheet. `above` is the owner of the row before. */
function readTableRow(line: string, above: string, fieldCount: FieldCount): RowValues {
  const text = line.replace(/^ *(?=\t)/, () => above);
  const [owner = "", type = "", ttl = "", ...data] = text.split("\t").map((cell) => plainCell(cell.trim()));
  const rdata = data.join(" ").trim();
  const hasNoData = data.length > 0 && rdata === "" && isTtl(ttl);
  const row = hasNoData ? undefined : readRow(text, fieldCount);
  return row ?? { owner, type: type.toUpperCase(), ttl, rdata };
}

export function readPaste(text: string, fieldCount: FieldCount): Pasted {
  const lines = text.split(/\r?\n/);
  const isOneTable = isWholeTable(lines);
  const hasComments = lines.some((line) => !isTable(line) && readLine(line).text !== line);
  const rows: PastedRow[] = [];
  let lastTtl = "";
  for (const [at, line] of lines.entries()) {
    const { text: kept, hasParentheses } = readLine(line);
    if (kept.trim() === "" && line.trim() !== "" && !isTable(line)) continue;
    if (line.trim() === "" || (rows.length === 0 && isHeading(line))) continue;
    if (isOneTable) {
      const values = readTableRow(line, rows.at(-1)?.values.owner ?? "@", fieldCount);
      rows.push({ line: at + 1, values, isMasterLine: false });
      continue;
    }
    if (/^[\s$]/.test(line) || hasParentheses) return { kind: "file", text, hasComments };
    const values = readRow(isTable(line) ? line : kept, fieldCount);
    if (!values) return { kind: "file", text, hasComments };
    const ttl = values.ttl === "" && !isTable(line) ? lastTtl : values.ttl;
    if (!isTable(line)) lastTtl = ttl;
    rows.push({ line: at + 1, values: { ...values, ttl }, isMasterLine: !isTable(line) });
  }
  return { kind: "rows", rows, hasComments };
}

/** The record of a text that is one line; undefined where it is not. */
export function rowOfText(text: string, fieldCount: FieldCount): RowValues | undefined {
  const pasted = readPaste(text.trim(), fieldCount);
  return pasted.kind === "rows" && pasted.rows.length === 1 ? pasted.rows[0]?.values : undefined;
}

/** The line of a master file as a row, so that one that is refused can be corrected in the sheet. */
export function rowOfLine(text: string, line: number, fieldCount: FieldCount): PastedRow | undefined {
  const lines = text.split(/\r?\n/).map((each) => readLine(each).text);
  const values = readRow(lines[line - 1] ?? "", fieldCount);
  if (!values) return undefined;
  const ttl = values.ttl || impliedTtl(lines.slice(0, line - 1), fieldCount);
  // Behind $ORIGIN, a name is relative to what that says.
  const isMasterLine = !lines.slice(0, line).some((each) => /^\$ORIGIN\s/i.test(each));
  return { line, values: { ...values, ttl }, isMasterLine };
}

/** The TTL of a record without one: that of $TTL (RFC 2308 §4), or else the last before it (RFC 1035 §5.1). */
function impliedTtl(before: readonly string[], fieldCount: FieldCount): string {
  const directive = before.map((line) => /^\$TTL\s+(\S+)/i.exec(line)?.[1]).findLast(Boolean);
  // A line that begins with a blank has the owner of the line before.
  const ttlOf = (line: string) => readRow(line.replace(/^\s/, "@ "), fieldCount)?.ttl;
  return directive ?? before.map(ttlOf).findLast(Boolean) ?? "";
}

/** The text with these lines, from 1, empty, so that the numbers of the others stay. */
export function withoutLines(text: string, lines: ReadonlySet<number>): string {
  return text
    .split(/\r?\n/)
    .map((line, at) => (lines.has(at + 1) ? "" : line))
    .join("\n");
}
