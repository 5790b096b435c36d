/**
 * Stores checked changes. One that comes alone is stored at once; those that come while others are being stored wait for these, a few ms,
 * and are stored together, by one statement and one commit. Only finish-change.ts and change sets call it.
 */

import type { Asking } from "../../session/audit-note.ts";
import type { Session } from "../../session/session.ts";
import { allowTimeFor } from "../../session/transaction.ts";
import { table } from "../../sql/columns.ts";
import type { SingleStatements } from "../../sql/single-statement.ts";
import { mayBeCommitted, type Way, waitedForLock, writeRows } from "../../sql/single-statement.ts";
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

/** A stored change, and the ids given to the records added without one in memory, in their order. */
export interface StoredChange {
  readonly change: ChangeRow;
  readonly insertedIds: readonly number[];
  /** How many records the zone has after it. */
  readonly recordCount: number;
}

/**
 * Stores a change if the domain's serial and user are those that it was made for; otherwise throws StaleZone, and
 * nothing is stored. What is stored are the serial, the records, the change, and the versions of records that it ends;
 * every part of the statement sees the records as they were before it.
 */
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

/** Stores a change on a pipelined connection, with others if it may be grouped; where it would wait for a lock, on one of the pool. */
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
 * Stores changes of different zones together: all of them create their domains, or none. Undefined stands for one whose domain is not as it
 * was read any more: nothing of it is stored.
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
  // Whoever locks several domains does so in the order of their names.
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

/** How many records a change has at most that is stored with others: a larger one gains nothing by it, and they would wait for it. */
const maxGroupedRecords = 64;

/** How many records a change, or a group, has at most whose statement others may wait for. */
const maxPipelinedRecords = 400;

/** How many rows a change writes, about: two are its own and that of its domain. */
const sizeOf = ({ difference: { removed, added } }: CheckedChange) => 2 + removed.length + added.length;

/** A change that waits for its group. */
interface Grouped {
  readonly session: Session;
  readonly change: CheckedChange;
}

type ChangeGrouping = Grouping<Grouped, StoredChange | undefined>;

/** The groups of a process: changes that create their domains have another statement. */
const groupings = new WeakMap<SingleStatements, Readonly<Record<"creations" | "edits", ChangeGrouping>>>();

function groupingOf(singles: SingleStatements, { created }: CheckedChange): ChangeGrouping {
  const both = groupings.get(singles) ?? { creations: newGrouping(), edits: newGrouping() };
  groupings.set(singles, both);
  return created ? both.creations : both.edits;
}

/** Groups under way at a time: while one is being committed, the next one is already being carried out. */
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
    // One change that cannot be stored, or waits for a lock, keeps none of the others back.
    mayRunSingly: (error) => !mayBeCommitted(error),
  });
}

const d = table(Domain, "d");
const r = table(ZoneRecord, "r");
const c = table(Change, "c");
const v = table(ChangeRecord, "v");
const x = table(DeletedDomain, "x");

/**
 * Closes a domain: its records go into the journal as removed, its last serial is kept under the name, and the domain
 * is deleted.
 */
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
      insert into ${x} (${x.names("id", "zone", "serial", "userId", "deletedAt", "labels", "template", "review")})
      select ${id}::bigint, ${zone}, ${serial}::bigint, ${userId}::bigint, ${by.at}::timestamptz, ${d.columns("labels", "template", "review")} from ${d} where ${d.id} = ${id}
    )
    select ${changeColumns} from change_row c`;
  const change = (await query.run(db))[0] as ChangeRow;
  await sql`delete from ${d} where ${d.id} = ${id}`.run(db);
  return change;
}
