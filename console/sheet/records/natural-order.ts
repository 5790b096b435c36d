/** The order of a sheet: the apex first, then owners in natural order (`host2` before `host10`), types, and data. */
import type { StoredRow } from "./row.ts";

/** A text whose plain comparison is natural order: each number is preceded by its length. */
export function naturalKey(text: string): string {
  return text.toLowerCase().replace(/\d+/g, (digits) => {
    const plain = digits.replace(/^0+(?=\d)/, "");
    return String.fromCharCode(0x30 + Math.min(plain.length, 60)) + plain;
  });
}

const firstTypes = ["SOA", "NS"];

const typeKey = (type: string) => (firstTypes.includes(type) ? String(firstTypes.indexOf(type)) : `9${type}`);

export interface OrderedRow extends StoredRow {
  readonly order: string;
}

export function ordered(row: StoredRow): OrderedRow {
  const owner = row.owner === "@" ? "" : naturalKey(row.owner);
  const { id, owner: name, type, ttl, rdata, changed } = row;
  return { id, owner: name, type, ttl, rdata, changed, order: `${owner}\0${typeKey(type)}\0${naturalKey(rdata)}` };
}

export function compareOrder(a: OrderedRow, b: OrderedRow): number {
  return a.order < b.order ? -1 : a.order > b.order ? 1 : 0;
}
