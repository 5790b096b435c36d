/**
 * What the staged edits leave, by the rules of `changeRecords`: removals first, then updates, then additions; a TTL that an edit gives is
 * that of the whole RRset (RFC 2181 §5.2), and an edit without one takes that of the RRset.
 */
import type { Records } from "../records/records.ts";
import { type Column, columns, parseTtl, rrsetOf } from "../records/row.ts";
import { type ChangedEdit, type Draft, givenTtl, touchedBy } from "./draft.ts";

export interface Outcome {
  /** The TTL of each new or changed row, seconds, by key. */
  readonly ttls: ReadonlyMap<string, number>;
  /** The new TTL of records that are not edited and move with their RRset, by id. */
  readonly moved: ReadonlyMap<string, number>;
}

const noOutcome: Outcome = { ttls: new Map(), moved: new Map() };

export function outcomeOf(draft: Draft, records: Records, defaultTtl: number): Outcome {
  if (draft.edits.size === 0) return noOutcome;
  const edits = [...draft.edits.values()];
  const names = new Set(edits.flatMap((edit) => touchedBy(edit, draft.zone)));
  const sets = new Map([...names].map((name) => [name, new Map(records.rrset(name).map(({ id, ttl }) => [id, ttl]))]));
  const newTtls = new Map<string, number>();
  const firstTtl = (name: string): number | undefined => sets.get(name)?.values().next().value;
  const giveTtl = (name: string, text: string | undefined): number | undefined => {
    const ttl = text === undefined ? undefined : parseTtl(text);
    if (ttl !== undefined) newTtls.set(name, ttl);
    return ttl;
  };

  for (const edit of edits) if (edit.kind === "remove") sets.get(rrsetOf(edit.before, draft.zone))?.delete(edit.key);
  for (const edit of edits) {
    if (edit.kind !== "change") continue;
    const [from, to] = [rrsetOf(edit.before, draft.zone), rrsetOf(edit.values, draft.zone)];
    const stored = records.get(edit.key)?.ttl ?? edit.before.ttl;
    const ttl = giveTtl(to, givenTtl(edit)) ?? (from === to ? stored : firstTtl(to)) ?? stored;
    sets.get(from)?.delete(edit.key);
    sets.get(to)?.set(edit.key, ttl);
  }
  for (const edit of edits) {
    if (edit.kind !== "add") continue;
    const name = rrsetOf(edit.values, draft.zone);
    sets.get(name)?.set(edit.key, giveTtl(name, givenTtl(edit)) ?? firstTtl(name) ?? defaultTtl);
  }

  const ttls = new Map<string, number>();
  const moved = new Map<string, number>();
  for (const [name, rows] of sets)
    for (const [key, kept] of rows) {
      const ttl = newTtls.get(name) ?? kept;
      if (draft.edits.has(key)) ttls.set(key, ttl);
      else if (ttl !== records.get(key)?.ttl) moved.set(key, ttl);
    }
  return { ttls, moved };
}

export const changedColumns = ({ before, values }: ChangedEdit): Column[] =>
  columns.filter((column) => String(before[column]) !== values[column]);
