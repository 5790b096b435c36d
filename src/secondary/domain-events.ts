/**
 * Events of zones: a change that was committed, and how its publication goes on. Level-triggered: of several changes of a zone between two
 * polls the last is an event, and after an interruption the present state follows, so that an event may come twice and none is missing.
 * Limitations: that a zone is no longer LIVE without a change of it, as when a secondary is added, is an event only for who watches that
 * zone; and so is that a change from before the stream becomes LIVE or LATE.
 */
import { sql } from "kysely";
import { connection, type Session } from "../session/session.ts";
import { table } from "../sql/columns.ts";
import { Change, type ChangeRow, changesByIds } from "../zone/change.ts";
import { changesOfDomains, lastChangesAfter } from "../zone/change-list.ts";
import { changeFeed } from "./change-feed.ts";
import { type PublicationRow, PublicationState } from "./publication.ts";
import { type Detail, differs, readerOf, sleep, watchDomain } from "./publication-wait.ts";

/** An event; after `cursor`, the id of a change, events continue: those that were not sent, and those whose publication goes on. */
export interface DomainEventRow {
  readonly cursor: number;
  readonly change: ChangeRow;
  readonly publication: PublicationRow;
}

/**
 * Who watches: `gone` is aborted when the client has left, `confirm` throws once its key is revoked; `detail` is what of a
 * publication is an event.
 */
export interface Watcher {
  readonly gone: AbortSignal;
  readonly confirm: () => Promise<unknown>;
  readonly detail?: Detail;
}

/** The events of one zone: its present state, then each change of it. Ends with NOT_FOUND when the session does not see the zone any more. */
export async function eventsOfZone(
  session: Session,
  zone: string,
  { gone, confirm, detail }: Watcher,
): Promise<AsyncGenerator<DomainEventRow>> {
  const publications = await watchDomain(session, zone, gone, confirm, detail);
  return (async function* events() {
    for await (const publication of publications) {
      const [page] = await changesOfDomains(session, [publication.id], {}, { first: 1, order: "NEWEST" });
      const change = page?.rows[0];
      if (change) yield { cursor: change.id, change, publication };
    }
  })();
}

const c = table(Change, "c");

/** How far a cursor goes back: longer than an operation reads, and than a change takes from its id to its commit, seconds. */
const cursorOverlap = 10;

/** Returns a cursor that is older than every change which an operation that begins now may not read. */
export async function presentCursor(session: Session): Promise<number> {
  const { rows } = await sql<{ id: number }>`select ${c.id} as id from ${c}
    where ${c.createdAt} < now() - make_interval(secs => ${cursorOverlap}) order by ${c.id} desc limit 1`.execute(
    connection(session),
  );
  return rows[0]?.id ?? 1;
}

/** Zones whose events are caught up with in one query. */
const catchUpRows = 1000;

/** Between two polls of publications: at first, then growing to the maximum. */
const [firstPollMs, maxPollMs, pollGrowth] = [20, 1000, 1.5];

/** The last change of a zone whose publication goes on, and the publication that was an event. */
interface Pending {
  readonly change: ChangeRow;
  shown?: PublicationRow;
}

const isOver = (publication: PublicationRow | undefined) =>
  publication?.state !== PublicationState.PENDING && publication?.state !== PublicationState.LATE;

/** The events of all zones that the session sees, from now on or from those after the change of an id. */
export async function* eventsOfAllZones(
  session: Session,
  after: number | undefined,
  { gone, confirm, detail = "state" }: Watcher,
): AsyncGenerator<DomainEventRow> {
  const pending = new Map<number, Pending>();
  const reader = readerOf(session, "change");
  let [newIds, settled, wake]: [number[], number, () => void] = [[], 0, () => {}];
  const ignore = changeFeed(session).listen(session, (ids, upTo) => {
    settled = upTo;
    if (ids.length === 0) return;
    newIds.push(...ids);
    wake();
  });
  const add = (changes: readonly ChangeRow[]) => {
    for (const change of changes) pending.set(change.domainId, { change });
  };
  try {
    for (let last = after; last !== undefined; ) {
      const changes = await lastChangesAfter(session, last, catchUpRows);
      add(changes);
      last = changes.length === catchUpRows ? changes.at(-1)?.id : undefined;
    }
    for (let wait = firstPollMs; !gone.aborted; wait = Math.min(wait * pollGrowth, maxPollMs)) {
      await confirm();
      const ids = newIds;
      newIds = [];
      if (ids.length > 0) add(await changesByIds(session, ids));
      const watched = [...pending.values()];
      const publications = await Promise.all(watched.map(({ change }) => reader.load(change.id)));
      // What goes on follows again after an interruption, so that its end is not missed.
      const unfinished = watched.filter((_, at) => !isOver(publications[at])).map(({ change }) => change.id);
      for (const [at, each] of watched.entries()) {
        const publication = publications[at];
        const { change, shown } = each;
        if (isOver(publication) && pending.get(change.domainId) === each) pending.delete(change.domainId);
        if (!publication || !differs(publication, shown, detail)) continue;
        each.shown = publication;
        wait = firstPollMs;
        // The zone may have left the session's sight since.
        if ((await changesByIds(session, [change.id])).length === 0) continue;
        // Before the feed has read anything, nothing is known to be settled but what the client has.
        const settledId = Math.min(change.id, settled || (after ?? change.id));
        const cursor = [...unfinished, ...newIds].reduce((least, id) => Math.min(least, id - 1), settledId);
        yield { cursor: Math.max(cursor, after ?? 0), change, publication };
      }
      if (newIds.length > 0) continue;
      const woken = new AbortController();
      wake = () => woken.abort();
      await sleep(pending.size > 0 ? wait : maxPollMs, AbortSignal.any([gone, woken.signal]));
    }
  } finally {
    ignore();
  }
}
