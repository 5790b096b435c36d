/**
 * Stores checked changes. A change that comes alone is stored at once. Changes that come while others are being stored wait a few ms and
 * are then stored together, by one statement and one commit. Only finish-change.ts and change sets call this file.
 */

import type { Asking } from "../../session/audit-note.ts";
import type { Session } from "../../session/session.ts";
import { allowTimeFor } from "../../session/transaction.ts";
import { table } from "../../sql/columns.ts";
import {
  mayBeCommitted,
  type SingleStatements,
  type Way,
  waitedForLock,
  writeRows,
} from "../../sql/single-statement.ts";
import { type Carrier, sql } from "../../sql/sql.ts";
import { Grouping } from "../../turns/grouping.ts";
import { Change, ChangeKind, type ChangeRow, changeColumns, DeletedDomain } from "../change.ts";
import { ChangeRecord } from "../change-record.ts";
import { Domain, type DomainRow } from "../domain.ts";
import { ZoneRecord } from "../record.ts";
import {
  auditOf,
  type ChangeEntry,
  type CheckedChange,
  entryNames,
  type StoredTuple,
  statementFor,
  timeAfterLast,
  versionColumns,
  versionNames,
} from "./change-statement.ts";
import { StaleZone } from "./stored-zone.ts";

/** A stored change; `insertedIds` are the ids of its new records in memory, in order. */
export interface StoredChange {
  readonly change: ChangeRow;
  readonly insertedIds: readonly number[];
  readonly recordCount: number;
}

/** Stores a change; throws StaleZone, with nothing stored, when the domain is not as it was read. */
export async function storeChange(session: Session, change: CheckedChange): Promise<StoredChange> {
  const { singles, em } = session;
  const size = sizeOf(change);
  const isPipelined = singles && !em.isInTransaction() && size <= maxPipelinedRecords;
  const stored = isPipelined
    ? await storePipelined(session, change, size <= maxGroupedRecords ? groupingOf(singles, change) : undefined)
    : await storeAlone(session, change, "pool");
  if (!stored) throw new StaleZone(change.domain.zone);
  return stored;
}

/** Stores a change on a pipelined connection, with others if it may be grouped; on the pool if it would wait for a lock there. */
async function storePipelined(
  session: Session,
  change: CheckedChange,
  grouping: ChangeGrouping | undefined,
): Promise<StoredChange | undefined> {
  try {
    return await (grouping?.add({ session, change }) ?? storeAlone(session, change, "pipeline"));
  } catch (error) {
    if (!waitedForLock(error)) throw error;
    return storeAlone(session, change, "pool");
  }
}

async function storeAlone(session: Session, change: CheckedChange, way: Way): Promise<StoredChange | undefined> {
  return (await storeChanges(session, [change], way))[0];
}

/**
 * Stores changes of different zones together; either every change creates its domain or no change does. The result is undefined for a
 * change whose domain is not as it was read; that change is not stored.
 */
export async function storeChanges(
  session: Session,
  changes: readonly CheckedChange[],
  way: Way = "pool",
): Promise<readonly (StoredChange | undefined)[]> {
  const results: (StoredChange | undefined)[] = changes.map(() => undefined);
  if (session.em.isInTransaction())
    await allowTimeFor(
      session,
      changes.reduce((sum, change) => sum + sizeOf(change), 0),
    );
  // Every writer of several zones locks their domains in the order of their names.
  const ordered = changes.toSorted(({ domain: { zone: a } }, { domain: { zone: b } }) => (a < b ? -1 : 1));
  for (const [n, id, domainId, at, ids, recordCount] of await writeRows<StoredTuple, readonly CheckedChange[]>(
    session,
    statementFor(ordered),
    ordered,
    way,
  )) {
    const stored = ordered[n] as CheckedChange;
    const { at: _, ...entry } = stored.entry;
    const change = { id, domainId, zone: stored.domain.zone, ...entry, createdAt: new Date(at) };
    results[changes.indexOf(stored)] = { change, insertedIds: ids ?? [], recordCount };
  }
  return results;
}

/** The most rows of a change that is stored with others: a larger one gains nothing, and others would wait for it. */
const maxGroupedRecords = 64;

/** The most rows of a change or a group on a pipelined connection, where others wait behind its statement. */
const maxPipelinedRecords = 400;

/** About how many rows a change writes: 2 are its own row and the row of its domain. */
const sizeOf = ({ difference: { removed, added } }: CheckedChange) => 2 + removed.length + added.length;

interface Grouped {
  readonly session: Session;
  readonly change: CheckedChange;
}

type ChangeGrouping = Grouping<Grouped, StoredChange | undefined>;

/** The groupings of a process. Creations have their own, since their statement differs. */
const groupings = new WeakMap<SingleStatements, Readonly<Record<"creations" | "edits", ChangeGrouping>>>();

function groupingOf(singles: SingleStatements, { created }: CheckedChange): ChangeGrouping {
  const both = groupings.get(singles) ?? { creations: newGrouping(), edits: newGrouping() };
  groupings.set(singles, both);
  return created ? both.creations : both.edits;
}

/** While one group is committed, the next one already runs. */
const groupsAtATime = 2;

function newGrouping(): ChangeGrouping {
  return new Grouping({
    atATime: groupsAtATime,
    maxSize: maxPipelinedRecords,
    sizeOf: ({ change }) => sizeOf(change),
    keyOf: ({ change }) => change.domain.zone,
    run: (group) => {
      const [{ session }] = group as [Grouped];
      const changes = group.map(({ change }) => change);
      return storeChanges(session, changes, "pipeline");
    },
    // After a failure each change runs singly, so that a change that cannot be stored, or waits for a lock, does not hold up the others.
    mayRunSingly: (error) => !mayBeCommitted(error),
  });
}

const d = table(Domain, "d");
const r = table(ZoneRecord, "r");
const c = table(Change, "c");
const v = table(ChangeRecord, "v");
const x = table(DeletedDomain, "x");

/** Deletes a domain: its records go into the journal as removed, and the deleted domain keeps its last serial. */
export async function storeDeletion(
  db: Carrier,
  domain: DomainRow,
  by: Pick<ChangeEntry, "actor" | "appliedBy" | "source" | "note" | "changeSetId" | "at">,
  asking: Asking,
): Promise<ChangeRow> {
  const { id, zone, serial, userId, recordCount } = domain;
  await allowTimeFor(db, recordCount);
  const query = sql<ChangeRow>`
    with change_row as (
      insert into ${c} (${entryNames})
      values (${id}::bigint, ${zone}, ${ChangeKind.DELETE}, ${serial}::bigint, ${serial}::bigint, ${by.actor}, ${by.appliedBy}, ${by.source}, ${by.note},
        ${by.changeSetId}::bigint, null, null, ${timeAfterLast(sql`${by.at}::timestamptz`, sql<number>`${id}::bigint`)})
      returning *
    ),
    ${auditOf(sql`${c.zone}, ${c.id}, ${c.createdAt}, ${asking.actor}, ${asking.keyId}::bigint, ${asking.actorUserId}::bigint,
      ${userId}::bigint, ${asking.address}, ${asking.operation}, ${c.source} from change_row c`)},
    journal as (
      insert into ${v} (${versionNames})
      select ${c.id}, row_number() over (order by ${r.position}, ${r.id}), ${versionColumns}
      from change_row c, ${r} where ${r.domainId} = ${c.domainId}
    ), last_serial as (
      insert into ${x} (${x.names("id", "zone", "serial", "userId", "deletedAt", "createdAt", "labels", "template", "review")})
      select ${id}::bigint, ${zone}, ${serial}::bigint, ${userId}::bigint, ${by.at}::timestamptz, ${d.columns("createdAt", "labels", "template", "review")} from ${d} where ${d.id} = ${id}
    )
    select ${changeColumns} from change_row c`;
  const change = (await query.run(db))[0] as ChangeRow;
  await sql`delete from ${d} where ${d.id} = ${id}`.run(db);
  return change;
}
