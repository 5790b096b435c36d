/** The rows of a sheet: a record as it is stored, and what a person wrote into the cells of a row. */
import { plainOwner } from "../../parts/text/names.ts";

export interface StoredRow {
  readonly id: string;
  /** Relative to the zone; `@` is the apex. */
  readonly owner: string;
  readonly type: string;
  /** Seconds. */
  readonly ttl: number;
  readonly rdata: string;
  /** The last change that added or edited it; undefined where it was not asked for, or is older than the journal. */
  readonly changed?: LastChange | undefined;
}

export interface LastChange {
  readonly id: string;
  readonly at: string;
  /** The user, or else the key. */
  readonly by: string;
}

/** The texts of the cells, as they were written. An empty TTL is that of the RRset. */
export interface RowValues {
  readonly owner: string;
  readonly type: string;
  readonly ttl: string;
  readonly rdata: string;
}

export type Column = keyof RowValues;

export const columns: readonly Column[] = ["owner", "type", "ttl", "rdata"];

export const columnLabels: Readonly<Record<Column, string>> = {
  owner: "Name",
  type: "Type",
  ttl: "TTL",
  rdata: "Data",
};

/** The column of a name of the API or of an address. */
export const columnOf = (name: string | null | undefined): Column | undefined =>
  columns.find((column) => column === name);

export function valuesOf({ owner, type, ttl, rdata }: Omit<StoredRow, "id">): RowValues {
  return { owner, type, ttl: String(ttl), rdata };
}

export function isSameValues(a: RowValues, b: RowValues): boolean {
  return columns.every((column) => a[column] === b[column]);
}

/** The name of an RRset: owner and type, which share one TTL (RFC 2181 §5). */
export function rrsetOf({ owner, type }: { owner: string; type: string }, zone: string): string {
  return `${plainOwner(owner, zone)} ${type.trim().toUpperCase()}`;
}

const unitSeconds: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** Seconds of a TTL as it was written: `300`, `5m`, `1h30m`, `1d`; undefined when it is not a TTL. */
export function parseTtl(text: string): number | undefined {
  const compact = text.replace(/\s/g, "").toLowerCase();
  if (/^\d+$/.test(compact)) return inRange(Number(compact));
  if (!/^(\d+[smhdw])+$/.test(compact)) return undefined;
  const parts = [...compact.matchAll(/(\d+)([smhdw])/g)];
  return inRange(parts.reduce((sum, [, count, unit]) => sum + Number(count) * (unitSeconds[unit ?? ""] ?? 0), 0));
}

const inRange = (seconds: number) => (seconds <= 2 ** 31 - 1 ? seconds : undefined);

const longUnits: readonly (readonly [seconds: number, name: string])[] = [
  [604_800, "week"],
  [86_400, "day"],
  [3600, "hour"],
  [60, "minute"],
];

/** A TTL with its unit where that is shorter: `1 hour`, `90 minutes`, `61 seconds`. */
export function ttlWords(seconds: number): string {
  const [size, name] = longUnits.find(([unit]) => seconds >= unit && seconds % unit === 0) ?? [1, "second"];
  const count = seconds / size;
  return `${count} ${name}${count === 1 ? "" : "s"}`;
}
