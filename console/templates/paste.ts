/**
 * Text that is pasted into the records of a template, as rows: what a sheet takes, and a whole master file (RFC 1035 §5), in which owners and
 * names of data below its zone become relative, since a template is for any zone. Files with a second `$ORIGIN`, `$INCLUDE` or `$GENERATE` are
 * not read.
 */
import { type FieldCount, linesOf, outsideQuotes, readLines, readPaste, wholeLines } from "../sheet/clipboard/paste.ts";
import type { RowValues } from "../sheet/records/row.ts";

/** A name relative to a zone that it is at or below. */
function relative(name: string, zone: string): string {
  if (name.toLowerCase() === zone) return "@";
  return name.toLowerCase().endsWith(`.${zone}`) ? name.slice(0, -zone.length - 1) : name;
}

/** The rows of a text; undefined where it is not read. */
export function pastedRecords(text: string, fieldCount: FieldCount): readonly RowValues[] | undefined {
  const lines = wholeLines(linesOf(text));
  const [origins, ttls] = ["ORIGIN", "TTL"].map((name) =>
    lines.flatMap((line) => new RegExp(`^\\$${name}\\s+(\\S+)`, "i").exec(line)?.[1] ?? []),
  ) as [string[], string[]];
  if (origins.length > 1 || ttls.length > 1) return undefined;
  const pasted = readPaste(text, fieldCount);
  const records = lines.filter((line) => !/^\$(ORIGIN|TTL)\s/i.test(line));
  const read = "rows" in pasted ? pasted.rows : readLines(records, fieldCount);
  if (read.some(({ type, rdata }) => !/^[A-Z][A-Z0-9-]*$/.test(type) || rdata === "")) return undefined;
  const rows = read.map((values) => ({ ...values, ttl: values.ttl || (ttls[0] ?? "") }));
  const zone = (origins[0] ?? rows.find(({ type }) => type === "SOA")?.owner ?? "").toLowerCase();
  if (!zone.endsWith(".")) return rows;
  return rows.map(({ owner, rdata, ...row }) => ({
    ...row,
    owner: relative(owner, zone),
    rdata: rdata.replace(outsideQuotes('[^\\s"]+'), (word) => relative(word, zone)),
  }));
}
