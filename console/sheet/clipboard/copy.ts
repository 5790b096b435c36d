/** Rows as text: lines of a master file; and as a table, which a spreadsheet takes as cells. Each has its name. */

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

const headings = ["Name", "Type", "TTL", "Data"];
const characters: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
const escaped = (text: string) => text.replace(/[&<>]/g, (character) => characters[character] ?? "");

export const tableOf = (rows: readonly CopiedRow[]): string[][] => [
  headings,
  ...rows.map(({ owner, type, ttl, rdata }) => [owner, type, String(ttl), rdata]),
];

export function copyTable(rows: readonly CopiedRow[]): string {
  const cells = tableOf(rows).map((row) => `<tr>${row.map((cell) => `<td>${escaped(cell)}</td>`).join("")}</tr>`);
  return `<table>${cells.join("")}</table>`;
}
