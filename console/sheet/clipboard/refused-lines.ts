/** Lines of a master file that the service refused, as rows, so that they can be corrected in the sheet; and the file without them. */
import { readLine } from "../../parts/text/master-line.ts";
import type { RowValues } from "../records/row.ts";
import { type FieldCount, readLines } from "./paste.ts";

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
