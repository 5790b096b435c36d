/** What every zone has at its apex, SOA and NS, as one row of the sheet. */
import { plainOwner } from "../../parts/text/names.ts";
import { ttlWords } from "../records/row.ts";
import type { SheetRow } from "./view.ts";

/** The SOA and NS with which the rows begin; none where one of them is edited. */
export function apexOf(rows: readonly SheetRow[], zone: string): readonly SheetRow[] {
  const isOther = ({ values: { owner, type } }: SheetRow) =>
    plainOwner(owner, zone) !== "@" || !["SOA", "NS"].includes(type.trim().toUpperCase());
  const end = rows.findIndex(isOther);
  const apex = end < 0 ? rows : rows.slice(0, end);
  const isWhole = apex.length > 1 && apex[0]?.values.type === "SOA" && apex.every(({ state }) => state === "stored");
  return isWhole ? apex : [];
}

/** The rows with those of the apex as one, which has the key of the SOA. */
export function folded(rows: readonly SheetRow[], apex: readonly SheetRow[]): readonly SheetRow[] {
  const [soa, ...servers] = apex;
  if (!soa) return rows;
  const rdata = servers.map(({ values }) => values.rdata).join(" ");
  return [{ ...soa, values: { ...soa.values, type: "SOA NS", rdata } }, ...rows.slice(apex.length)];
}

/** What a folded SOA says: `serial 7 · refresh 3 h · negative answers 1 h`. */
export function soaWords({ rdata, ttl }: { readonly rdata: string; readonly ttl: number }): string {
  const [serial, refresh, , , minimum] = rdata.split(" ").slice(2);
  // A negative answer is kept no longer than the SOA itself (RFC 2308 §5).
  const negative = Math.min(ttl, Number(minimum));
  return `serial ${serial} · refresh ${shortWords(Number(refresh))} · negative answers ${shortWords(negative)}`;
}

const shortWords = (seconds: number) => ttlWords(seconds).replace(/(?<= \w)\w+/, "");
