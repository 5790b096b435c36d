/**
 * Pasted text as rows. All lines together say which form it has: a master file (RFC 1035 §5), which the service reads; a table, its cells
 * separated by tabs, commas or semicolons (RFC 4180); records, one a line; or else values, for the cells that are selected.
 */
import { readLine } from "../../parts/text/master-line.ts";
import { parseTtl, type RowValues } from "../records/row.ts";

export type Pasted =
  | { readonly kind: "file"; readonly lines: readonly string[] }
  | { readonly kind: "values"; readonly lines: readonly string[] }
  /** In lines, names of data are relative to the zone, as in a master file; in a table they are as in the cells of the sheet. */
  | { readonly kind: "table" | "lines"; readonly rows: readonly RowValues[] };

/** The fewest values that data of a type has; 0 for a type that is not known. */
export type FieldCount = (type: string) => number;

export const fieldCountOf = (fields: readonly { readonly optional: boolean }[] | undefined): number =>
  fields ? fields.filter(({ optional }) => !optional).length || 1 : 0;

export const linesOf = (text: string) => text.split(/\r\n|\n|\r/);
const isTtl = (text: string) => /^\d/.test(text) && parseTtl(text) !== undefined;
const isTypeLike = (text: string) => /^[a-z][a-z0-9-]*$/i.test(text);
const words = (text: string) => (text.match(/"(?:\\.|[^"\\])*"|\S+/g) ?? []).length;

/** A text without what is in quotes or behind a backslash. */
const bare = (text: string) => text.replace(/"(?:\\.|[^"\\])*"|\\./g, '""');

export function readPaste(text: string, fieldCount: FieldCount): Pasted {
  const lines = linesOf(text);
  const isRecord = ({ owner, type, rdata }: RowValues) =>
    rdata !== "" && !/[\s="]/.test(owner) && (fieldCount(type) > 0 || /^TYPE\d+$/.test(type));
  const isMasterFile = lines.some(isOfMasterFile);
  for (const separator of isMasterFile ? [] : ["\t", ",", ";"]) {
    const rows = tableRows(text, separator, fieldCount);
    if (rows?.some(isRecord)) return { kind: "table", rows };
  }
  if (isMasterFile || lines.some((line) => hasSyntax(line))) return { kind: "file", lines };
  const written = lines.filter((line) => line.trim() !== "");
  const rows = readLines(written, fieldCount);
  // A record without its name has that of the line before.
  if (written.slice(1).some((line) => /^\s/.test(line)) && rows[0] && isRecord(rows[0])) return { kind: "file", lines };
  if (rows.some(isRecord) && written.every((line) => words(line) > 1)) return { kind: "lines", rows };
  return { kind: "values", lines: written.map((line) => line.trim()) };
}

/** Whether a line can be of a master file alone: a directive, a class behind the name or the TTL, or parentheses that are not closed. */
const isOfMasterFile = (line: string) =>
  /^\$(ORIGIN|TTL)\s/i.test(line) ||
  /^\S*\s+(\d\S*\s+)?(IN|CH|HS|CLASS\d+)\s/i.test(line) ||
  readLine(line).depth !== 0;

/** Whether there are parentheses or a comment outside of quotes. */
const hasSyntax = (line: string) => /[()]|(^|\s);/.test(bare(line));

type Heading = "owner" | "type" | "ttl" | "rdata" | "priority";
const headings: Readonly<Record<string, Heading>> = {
  ...{ name: "owner", owner: "owner", host: "owner", type: "type", ttl: "ttl" },
  ...{ data: "rdata", value: "rdata", content: "rdata", target: "rdata", priority: "priority", preference: "priority" },
};

/** The rows of a table; undefined where a line has no such separator. */
function tableRows(text: string, separator: string, fieldCount: FieldCount): RowValues[] | undefined {
  const table = (
    separator === "\t" ? linesOf(text).map((line) => line.split("\t").map(plainCell)) : readCsv(text, separator)
  )
    .map((cells) => cells.map((cell) => cell.trim()))
    .filter((cells) => cells.some((cell) => cell !== ""));
  if (table.length === 0 || table.some(({ length }) => length < 2)) return undefined;
  const named = table[0]?.map((cell) => headings[cell.toLowerCase()]) ?? [];
  const isHeading = named.includes("type") && named.includes("rdata");
  return table
    .slice(isHeading ? 1 : 0)
    .map((cells) => (isHeading ? rowByHeading(cells, named) : rowByPlace(cells, fieldCount)));
}

function rowByHeading(cells: readonly string[], named: readonly (Heading | undefined)[]): RowValues {
  const cellOf = (heading: Heading) => cells.filter((_, at) => named[at] === heading && cells[at] !== "").join(" ");
  return {
    owner: cellOf("owner") || "@",
    type: cellOf("type").toUpperCase(),
    ttl: cellOf("ttl"),
    rdata: [cellOf("priority"), cellOf("rdata")].filter((part) => part !== "").join(" "),
  };
}

/** A row of name, type, TTL and data, or of name, TTL, type and data; the TTL may be missing. */
function rowByPlace(cells: readonly string[], fieldCount: FieldCount): RowValues {
  const [name = "", second = "", third = "", ...rest] = cells;
  const rowOf = (type: string, ttl: string, data: readonly string[]) => ({
    owner: name || "@",
    type: type.toUpperCase(),
    ttl,
    rdata: data.filter((cell) => cell !== "").join(" "),
  });
  if ((second === "" || isTtl(second)) && isTypeLike(third)) return rowOf(third, second, rest);
  const data = rest.join(" ").trim();
  // A number beside the type is the TTL, if enough is left for the data.
  const isTtlCell =
    third === "" || (isTtl(third) && (data === "" ? rest.length > 0 : words(data) >= fieldCount(second.toUpperCase())));
  return isTtlCell ? rowOf(second, third, rest) : rowOf(second, "", [third, ...rest]);
}

/** A cell as a spreadsheet copies one that has quotation marks. */
const plainCell = (cell: string) =>
  /^".*""/.test(cell) && cell.endsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;

/** Cells by RFC 4180: what is in quotes may have separators, line ends, and quotes that are doubled. */
function readCsv(text: string, separator: string): string[][] {
  const rows: string[][] = [[]];
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|([^${separator}\\r\\n]*))(${separator}|\\r\\n|\\n|\\r|$)`, "y");
  for (let match = cell.exec(text); match; match = cell.exec(text)) {
    const [, quoted, plain = "", end] = match;
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (cell.lastIndex >= text.length && end !== separator) return rows;
    if (end !== separator) rows.push([]);
  }
  // A quote within a cell: it is not such a text.
  return [];
}

/** The records of a master file, one a line, without comments, and each with its name. */
export function wholeLines(lines: readonly string[]): string[] {
  const whole: string[] = [];
  let [owner, depth] = ["@", 0];
  for (const line of lines) {
    const { text, depth: opened } = readLine(line);
    if (depth > 0) whole.push(`${whole.pop()} ${text.trim()}`);
    else if (text.trim() === "") continue;
    else {
      whole.push(/^\s/.test(text) ? `${owner} ${text.trim()}` : text);
      owner = /^[^\s$]\S*/.exec(text)?.[0] ?? owner;
    }
    depth += opened;
  }
  const parentheses = (word: string) => (word === "(" || word === ")" ? " " : word);
  return whole.map((line) => line.replace(outsideQuotes("[()]"), parentheses));
}

/** Finds text in quotes, a character behind a backslash, or what `found` is. */
export const outsideQuotes = (found: string) => new RegExp(`"(?:\\\\.|[^"\\\\])*"|\\\\.|${found}`, "g");

/** Lines of records, each with its name; one without a TTL has that of the line before (RFC 1035 §5.1). */
export function readLines(lines: readonly string[], fieldCount: FieldCount): RowValues[] {
  let last = "";
  return lines.map((line) => {
    const row = readRecord(line, fieldCount);
    last = row.ttl || last;
    return { ...row, ttl: row.ttl || last };
  });
}

/** The record of a line, as far as it is one: the TTL is before the type, or behind it if enough is left for the data. */
function readRecord(line: string, fieldCount: FieldCount): RowValues {
  let rest = readLine(line).text.trim();
  const next = () => /^\S*/.exec(rest)?.[0] ?? "";
  const take = () => {
    const word = next();
    rest = rest.slice(word.length).trimStart();
    return word;
  };
  const owner = take();
  let ttl = "";
  for (let word = next(); isTtl(word) || /^(IN|CLASS1)$/i.test(word); word = next()) {
    if (isTtl(word)) ttl = word;
    take();
  }
  const type = take().toUpperCase();
  if (ttl === "" && isTtl(next()) && words(rest) > Math.max(1, fieldCount(type))) ttl = take();
  return { owner, type, ttl, rdata: rest };
}

/** The record of a text that is one line; undefined where it is not. */
export function rowOfText(text: string, fieldCount: FieldCount): RowValues | undefined {
  const line = text.trim();
  if (/[\r\n]/.test(line)) return undefined;
  const row = line.includes("\t") ? rowByPlace(line.split("\t"), fieldCount) : readRecord(line, fieldCount);
  return fieldCount(row.type) > 0 && row.rdata !== "" ? row : undefined;
}

/** The value of the last directive of this name. */
const directive = (lines: readonly string[], name: string) =>
  lines.map((line) => new RegExp(`^\\$${name}\\s+(\\S+)`, "i").exec(line)?.[1]).findLast(Boolean);

/** The record of a line, from 1, with its name in full where it is not relative to the zone; undefined where the line has none. */
export function rowOfLine(lines: readonly string[], line: number, fieldCount: FieldCount): RowValues | undefined {
  const texts = lines.slice(0, line).map((each) => readLine(each).text);
  const records = texts.filter((text) => text.trim() !== "" && !text.startsWith("$"));
  // A line that begins with a blank has the name of the line before.
  const named = records.map((text) => text.replace(/^(?=\s)/, "@"));
  const rows = readLines(named, fieldCount);
  const row = rows.at(-1);
  if (texts.at(-1)?.trim() === "" || !row || row.type === "" || row.rdata === "") return undefined;
  const owner = rows[records.findLastIndex((text) => !/^\s/.test(text))]?.owner ?? "@";
  const origin = directive(texts, "ORIGIN");
  const name = origin === undefined || owner.endsWith(".") ? owner : owner === "@" ? origin : `${owner}.${origin}`;
  // The TTL of $TTL (RFC 2308 §4) comes before that of the line before.
  const own = readLines(named.slice(-1), fieldCount)[0]?.ttl;
  return { ...row, owner: name, ttl: own || (directive(texts, "TTL") ?? row.ttl) };
}

/** The text with these lines, from 1, empty, so that the numbers of the others stay. */
export const withoutLines = (lines: readonly string[], left: ReadonlySet<number>): string =>
  lines.map((line, at) => (left.has(at + 1) ? "" : line)).join("\n");
