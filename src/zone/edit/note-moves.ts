/**
 * Moves of notes. When an edit gives the last record of an RRset another owner or type, the note of the RRset moves to the record's new
 * RRset, unless that has a note.
 */

import { table } from "../../sql/columns.ts";
import { type Sql, sql } from "../../sql/sql.ts";
import { Change } from "../change.ts";
import { RrsetNote } from "../rrset-note.ts";
import type { WorkingRecord } from "./working-copy.ts";

export interface NoteMove {
  readonly fromOwner: string;
  readonly fromType: string;
  readonly toOwner: string;
  readonly toType: string;
}

/** The moves of notes for a difference; `at` returns the records of an owner after the change. */
export function noteMoves(
  removed: readonly WorkingRecord[],
  added: readonly WorkingRecord[],
  at: (owner: string) => readonly WorkingRecord[],
): NoteMove[] {
  const before = new Map(removed.map((record) => [record.id, record]));
  const moves: NoteMove[] = [];
  const taken = new Set<string>();
  for (const to of added) {
    const from = to.id === undefined ? undefined : before.get(to.id);
    if (!from || (from.owner === to.owner && from.type === to.type)) continue;
    const ends = [`from ${from.owner} ${from.type}`, `to ${to.owner} ${to.type}`];
    if (ends.some((end) => taken.has(end)) || at(from.owner).some(({ type }) => type === from.type)) continue;
    for (const end of ends) taken.add(end);
    moves.push({ fromOwner: from.owner, fromType: from.type, toOwner: to.owner, toType: to.type });
  }
  return moves;
}

const n = table(RrsetNote, "n");
const c = table(Change, "c");

/**
 * The parts of the statement that move notes. `moves` is a JSON array of NoteMove with `n`, the index of the change; the statement's
 * `stored` has the changes.
 */
export function partsOfMoves(moves: string): Sql[] {
  const target = n.names("domainId", "owner", "type");
  return [
    sql`moves as (
      select * from json_to_recordset(${moves}::json) as (n int, "fromOwner" text, "fromType" text, "toOwner" text, "toType" text)
    )`,
    sql`placed as (
      insert into ${n} (${target}, ${n.names("text", "actor", "updatedAt")})
      select ${n.domainId}, m."toOwner", m."toType", ${n.text}, ${n.actor}, ${n.updatedAt} from stored c, moves m, ${n}
      where m.n = c.n and ${n.domainId} = ${c.domainId} and ${n.owner} = m."fromOwner" and ${n.type} = m."fromType"
      on conflict (${target}) do nothing returning ${n.domainId} as domain, ${n.owner}, ${n.type}
    )`,
    sql`moved as (
      delete from ${n} using moves m, placed p, stored c
      where m.n = c.n and p.domain = ${c.domainId} and p.owner = m."toOwner" and p.type = m."toType"
        and ${n.domainId} = p.domain and ${n.owner} = m."fromOwner" and ${n.type} = m."fromType"
    )`,
  ];
}
