/**
 * Text that is pasted into the records of a template, as rows: what a sheet takes, and a whole master file (RFC 1035 §5), in which owners and
 * names of data below its zone become relative, since a template is for any zone. Files with a second `$ORIGIN`, `$INCLUDE` or `$GENERATE` are
 * not read.
 */
import { readLine } from "../parts/text/master-line.ts";
import { type FieldCount, readPaste } from "../sheet/clipboard/paste.ts";
import type { RowValues } from "../sheet/records/row.ts";

/** Text in quotes, a character behind a backslash, or what `found` is. */
const outsideQuotes = (found: string) => new RegExp(`"(?:\\\\.|[^"\\\\])*"|\\\\.|${found}`, "g");

/** The records of a file, one a line, without comments, and each with its owner. */
function wholeLines(text: string): string[] {
  const lines: string[] = [];
  let [owner, depth] = ["@", 0];
  for (const line of text.split(/\r?\n/)) {
    const { text: kept, depth: opened } = readLine(line);
    if (depth > 0) lines.push(`${lines.pop()} ${kept.trim()}`);
    else if (kept.trim() === "") continue;
    else {
      lines.push(/^\s/.test(kept) ? `${owner} ${kept.trim()}` : kept);
      owner = /^[^\s$]\S*/.exec(kept)?.[0] ?? owner;
    }
    depth += opened;
  }
  const parentheses = (word: string) => (word === "(" || word === ")" ? " " : word);
  return lines.map((line) => line.replace(outsideQuotes("[()]"), parentheses));
}

/** A name relative to a zone that it is at or below. */
function relative(name: string, zone: string): string {
  if (name.toLowerCase() === zone) return "@";
  return name.toLowerCase().endsWith(`.${zone}`) ? name.slice(0, -zone.length - 1) : name;
}

/** The rows of a text; undefined where it is not read. */
export function pastedRecords(text: string, fieldCount: FieldCount): readonly RowValues[] | undefined {
  const lines = wholeLines(text);
  const [origins, ttls] = ["ORIGIN", "TTL"].map((name) =>
    lines.flatMap((line) => new RegExp(`^\\$${name}\\s+(\\S+)`, "i").exec(line)?.[1] ?? []),
  ) as [string[], string[]];
  if (origins.length > 1 || ttls.length > 1) return undefined;
  const plain = readPaste(text, fieldCount);
  const records = lines.filter((line) => !/^\$(ORIGIN|TTL)\s/i.test(line));
  const read = plain.kind === "rows" ? plain : readPaste(records.join("\n"), fieldCount);
  if (read.kind === "file") return undefined;
  const rows = read.rows.map(({ values }) => ({ ...values, ttl: values.ttl || (ttls[0] ?? "") }));
  const zone = (origins[0] ?? rows.find(({ type }) => type === "SOA")?.owner ?? "").toLowerCase();
  if (!zone.endsWith(".")) return rows;
  return rows.map(({ owner, rdata, ...row }) => ({
    ...row,
    owner: relative(owner, zone),
    rdata: rdata.replace(outsideQuotes('[^\\s"]+'), (word) => relative(word, zone)),
  }));
}
