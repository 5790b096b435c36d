/**
 * The records of one zone as the page knows them: up to 200,000 rows in their order, by id and by RRset, with their serial. Pages are
 * added as they arrive; a change by somebody else replaces the owners that it touched.
 */
import { compareOrder, type OrderedRow, ordered } from "./natural-order.ts";
import { rrsetOf, type StoredRow } from "./row.ts";

function countsOf<Value>(values: readonly Value[]): ReadonlyMap<Value, number> {
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** Of a zone with more records, the last change of each costs more than the records. */
const mostWithChanges = 2000;

export class Records {
  readonly zone: string;
  /** The serial that the rows are of; 0 before the first page. */
  serial = 0;
  /** How many records the zone has; undefined until it was counted. */
  total: number | undefined;
  isComplete = false;
  version = 0;
  #rows: readonly OrderedRow[] = [];
  readonly #byId = new Map<string, OrderedRow>();
  #byRrset: Map<string, OrderedRow[]> | undefined;
  #typeCounts: ReadonlyMap<string, number> | undefined;
  #ttlCounts: ReadonlyMap<number, number> | undefined;
  /** Owners with all records read, in a zone that is not complete. */
  readonly #wholeOwners = new Set<string>();

  constructor(zone: string) {
    this.zone = zone;
  }

  get rows(): readonly OrderedRow[] {
    return this.#rows;
  }

  /** Whether it is so small a zone that each record was read with its last change. */
  get hasChanges(): boolean {
    return (this.total ?? Number.POSITIVE_INFINITY) <= mostWithChanges;
  }

  get size(): number {
    return this.#rows.length;
  }

  get typeCounts(): ReadonlyMap<string, number> {
    this.#typeCounts ??= countsOf(this.#rows.map(({ type }) => type));
    return this.#typeCounts;
  }

  /** The TTL that most records have, seconds; undefined without a record. */
  get commonTtl(): number | undefined {
    this.#ttlCounts ??= countsOf(this.#rows.map(({ ttl }) => ttl));
    return [...this.#ttlCounts].toSorted(([, a], [, b]) => b - a)[0]?.[0];
  }

  get(id: string): StoredRow | undefined {
    return this.#byId.get(id);
  }

  /** The records of an RRset, named as by `rrsetOf`. */
  rrset(name: string): readonly StoredRow[] {
    // What is stored has the form of `rrsetOf` already.
    this.#byRrset ??= Map.groupBy(this.#rows, ({ owner, type }) => `${owner} ${type}`);
    return this.#byRrset.get(name) ?? [];
  }

  /** The record of an RRset with this data; its owner and type may be as they were written. */
  withData(row: Pick<StoredRow, "owner" | "type" | "rdata">): StoredRow | undefined {
    return this.rrset(rrsetOf(row, this.zone)).find(({ rdata }) => rdata === row.rdata);
  }

  hasWhole(owner: string): boolean {
    return this.isComplete || this.#wholeOwners.has(owner);
  }

  /** The id of the row that would be above such a record; null at the top. */
  placeOf(row: Omit<StoredRow, "id">): string | null {
    const { order } = ordered({ ...row, id: "" });
    let [low, high] = [0, this.#rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#rows[middle]?.order ?? "") < order) low = middle + 1;
      else high = middle;
    }
    return this.#rows[low - 1]?.id ?? null;
  }

  /** Puts rows in; a row whose id is here already takes its place. */
  put(rows: readonly StoredRow[]): void {
    const fresh = new Map(rows.map((row) => [row.id, ordered(row)]));
    const isKnown = [...fresh.keys()].some((id) => this.#byId.has(id));
    const kept = isKnown ? this.#rows.filter(({ id }) => !fresh.has(id)) : this.#rows;
    this.#set([...kept, ...fresh.values()], fresh.values());
  }

  replaceOwners(owners: ReadonlySet<string>, rows: readonly StoredRow[]): void {
    for (const owner of owners) this.#wholeOwners.add(owner);
    const ids = new Set(rows.map(({ id }) => id));
    const kept = this.#rows.filter(({ id, owner }) => !owners.has(owner) && !ids.has(id));
    const stays = new Set(kept.map(({ id }) => id));
    for (const { id } of this.#rows) if (!stays.has(id)) this.#byId.delete(id);
    const fresh = rows.map(ordered);
    this.#set([...kept, ...fresh], fresh);
  }

  replaceAll(rows: readonly StoredRow[]): void {
    this.#byId.clear();
    this.#wholeOwners.clear();
    const fresh = rows.map(ordered);
    this.#set(fresh, fresh);
  }

  #set(rows: readonly OrderedRow[], fresh: Iterable<OrderedRow>): void {
    // What was in order already costs a comparison each.
    this.#rows = rows.toSorted(compareOrder);
    for (const row of fresh) this.#byId.set(row.id, row);
    this.#byRrset = undefined;
    this.#typeCounts = undefined;
    this.#ttlCounts = undefined;
    this.version++;
  }
}
