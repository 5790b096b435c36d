/** Rows as text: lines of a master file whose parts are separated by tabs, so that a spreadsheet takes them as cells. */

interface CopiedRow {
  readonly owner: string;
  readonly type: string;
  readonly ttl: number | string;
  readonly rdata: string;
}

/** The owner stays relative: pasted into another zone, the row is of that zone. */
export function copyText(rows: readonly CopiedRow[]): string {
  return rows.map(({ owner, type, ttl, rdata }) => `${owner}\t${ttl}\tIN\t${type}\t${rdata}\n`).join("");
}
