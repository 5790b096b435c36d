/** The order of a sheet: the apex first, then owners in natural order (`host2` before `host10`), types, and data. */
import type { StoredRow } from "./row.ts";

/** A text whose plain comparison is natural order: each number is preceded by its length. */
export function naturalKey(text: string): string {
  return text.toLowerCase().replace(/\d+/g, (digits) => {
    const plain = digits.replace(/^0+(?=\d)/, "");
    return String.fromCharCode(0x30 + Math.min(plain.length, 60)) + plain;
  });
}

/** Types that come before others at a name. */
const firstTypes = ["SOA", "NS"];

const typeKey = (type: string) => (firstTypes.includes(type) ? String(firstTypes.indexOf(type)) : `9${type}`);

/** A row with the text it is sorted by. */
export interface OrderedRow extends StoredRow {
  readonly order: string;
}

/** The row with its place in the order of the zone. */
export function ordered(row: StoredRow): OrderedRow {
  const owner = row.owner === "@" ? "" : naturalKey(row.owner);
  const { id, owner: name, type, ttl, rdata, changed } = row;
  return { id, owner: name, type, ttl, rdata, changed, order: `${owner}\0${typeKey(type)}\0${naturalKey(rdata)}` };
}

export function compareOrder(a: OrderedRow, b: OrderedRow): number {
  return a.order < b.order ? -1 : a.order > b.order ? 1 : 0;
}

/** Two sorted lists as one. */
export function mergeSorted(left: readonly OrderedRow[], right: readonly OrderedRow[]): OrderedRow[] {
  const result: OrderedRow[] = [];
  let at = 0;
  for (const row of left) {
    for (let next = right[at]; next && compareOrder(next, row) < 0; next = right[++at]) result.push(next);
    result.push(row);
  }
  for (; at < right.length; at++) result.push(right[at] as OrderedRow);
  return result;
}
