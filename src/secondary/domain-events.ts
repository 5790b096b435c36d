/**
 * Events of zones: committed changes, and the states of their publication. Of several changes of a zone between two polls only the last is
 * an event; after an interruption the present state follows. An event may repeat; none is lost. Limitations: only a client that watches the
 * one zone sees that it stops being LIVE without a change, or that a change from before the stream becomes LIVE or LATE.
 */

import type { Session } from "../session/session.ts";
import { table } from "../sql/columns.ts";
import { sql } from "../sql/sql.ts";
import { Change, type ChangeRow, changesByIds } from "../zone/change.ts";
import { changesOfDomains, lastChangesAfter } from "../zone/change-list.ts";
import { type JournalFollower, journalTail, oldestWriter } from "../zone/journal-tail.ts";
import { isOver, type PublicationRow } from "./publication.ts";
import { type Detail, differs, sleep, watchDomain } from "./publication-wait.ts";
import { type PublicationWatch, publicationWatch } from "./publication-watch.ts";

/** A stream that begins after `cursor`, the id of a change, continues with the unsent events and publications that have not ended. */
export interface DomainEventRow {
  readonly cursor: number;
  readonly change: ChangeRow;
  readonly publication: PublicationRow;
}

/** `gone` is aborted when the client has left; `confirm` throws once its key is revoked; `detail` says what is an event. */
interface Watcher {
  readonly gone: AbortSignal;
  readonly confirm: () => Promise<unknown>;
  readonly detail?: Detail;
}

/** The present state of a zone, then each change of it. Throws NOT_FOUND as soon as the session does not see the zone. */
export async function eventsOfZone(
  session: Session,
  zone: string,
  { gone, confirm, detail }: Watcher,
): Promise<AsyncGenerator<DomainEventRow>> {
  const publications = await watchDomain(session, zone, gone, confirm, detail);
  return (async function* events() {
    for await (const publication of publications) {
      const [page] = await changesOfDomains(session, [publication.id], {}, { first: 1, order: "CREATED_DESC" });
      const change = page?.rows[0];
      if (change) yield { cursor: change.id, change, publication };
    }
  })();
}

const c = table(Change, "c");

/**
 * How far back the first cursor goes, seconds. This is longer than an operation takes to read, and longer than the gap between the time of
 * a change and the assignment of its id.
 */
const cursorOverlap = 10;

/** A cursor for the present: it is older than any change that an operation beginning now may miss. */
export async function presentCursor(session: Session): Promise<number> {
  const rows = await sql<{ id: number }>`select ${c.id} as id from ${c}
    where ${c.createdAt} < least(now(), ${sql.raw(oldestWriter)}) - make_interval(secs => ${cursorOverlap})
    order by ${c.id} desc limit 1`.run(session);
  return rows[0]?.id ?? 1;
}

const catchUpRows = 1000;

/** The pause between two reads of the journal, ms, and the reads after which the client's key is checked. */
const [pollMs, pollsPerRound] = [200, 5];

interface Pending {
  readonly change: ChangeRow;
  /** The last publication that was read, and the one in the last event. */
  publication?: PublicationRow | undefined;
  shown?: PublicationRow | undefined;
  ignore: () => void;
}

/** The events of all zones that the session sees, from now on or after the change `after`. */
export async function* eventsOfAllZones(
  session: Session,
  after: number | undefined,
  { gone, confirm, detail = "state" }: Watcher,
): AsyncGenerator<DomainEventRow> {
  const zones = new AllZones(session, after);
  try {
    await zones.begin();
    while (!gone.aborted) {
      await confirm();
      await zones.readChanges();
      for await (const { change, publication } of stillVisible(session, zones.takeEvents(detail), confirm))
        yield { cursor: zones.cursorAfter(change), change, publication };
      await zones.wait(gone);
    }
  } finally {
    zones.end();
  }
}

type Moved = Omit<DomainEventRow, "cursor">;

/**
 * How many events are checked together, and for how long they may be sent after the check, ms. The time is limited because a client may
 * stop reading in between.
 */
const [checkedTogether, checkedForMs] = [100, 1000];

/** Yields the events whose zones the session sees when they are sent. Throws what `confirm` throws. */
async function* stillVisible(
  session: Session,
  events: readonly Moved[],
  confirm: Watcher["confirm"],
): AsyncGenerator<Moved> {
  for (let next = 0; next < events.length; ) {
    await confirm();
    const piece = events.slice(next, next + checkedTogether);
    const visible = await changesByIds(
      session,
      piece.map(({ change }) => change.id),
    );
    const visibleIds = new Set(visible.map(({ id }) => id));
    const end = performance.now() + checkedForMs;
    for (const event of piece) {
      if (performance.now() > end) break;
      next += 1;
      if (visibleIds.has(event.change.id)) yield event;
    }
  }
}

class AllZones {
  readonly #session: Session;
  readonly #after: number | undefined;
  readonly #watch: PublicationWatch;
  readonly #pending = new Map<number, Pending>();
  /** Those whose publication differs since the last event. */
  readonly #moved = new Set<Pending>();
  #journal: JournalFollower | undefined;
  #newIds: number[] = [];
  /** The stream is complete up to the change `#known`; changes after `#since` are still to be read. */
  #known: number | undefined;
  #since: number | undefined;
  /** The lowest id of a pending change, which a client reads again after an interruption to learn its end. */
  #leastPending = Number.POSITIVE_INFINITY;
  #wake: () => void = () => {};

  constructor(session: Session, after: number | undefined) {
    this.#session = session;
    this.#after = after;
    this.#watch = publicationWatch(session);
    [this.#known, this.#since] = [after, after];
  }

  async begin(): Promise<void> {
    this.#journal = await journalTail(this.#session).follow();
    this.#known ??= journalTail(this.#session).settled || (await presentCursor(this.#session));
  }

  end(): void {
    this.#journal?.close();
    for (const each of this.#pending.values()) each.ignore();
  }

  async readChanges(): Promise<void> {
    const ids = this.#newIds;
    this.#newIds = [];
    if (ids.length > 0) this.#add(await changesByIds(this.#session, ids));
    while (this.#since !== undefined) {
      let from: number | undefined = this.#since;
      this.#since = undefined;
      while (from !== undefined) {
        const changes: ChangeRow[] = await lastChangesAfter(this.#session, from, catchUpRows);
        this.#add(changes);
        from = changes.length === catchUpRows ? changes.at(-1)?.id : undefined;
      }
    }
  }

  #add(changes: readonly ChangeRow[]): void {
    for (const change of changes) {
      const before = this.#pending.get(change.domainId);
      if (before && before.change.id >= change.id) continue;
      before?.ignore();
      const each: Pending = { change, ignore: () => {} };
      this.#pending.set(change.domainId, each);
      each.ignore = this.#watch.watch(change.id, (publication) => {
        each.publication = publication;
        this.#moved.add(each);
        this.#wake();
      });
    }
  }

  /** The events of publications that differ, in the order of their changes. One that has ended is not watched any more. */
  takeEvents(detail: Detail): Moved[] {
    if (this.#moved.size === 0) return [];
    const moved = [...this.#moved].filter((each) => this.#pending.get(each.change.domainId) === each);
    this.#moved.clear();
    for (const { change, publication } of moved) if (isOver(publication)) this.#pending.delete(change.domainId);
    this.#leastPending = Number.POSITIVE_INFINITY;
    for (const { change } of this.#pending.values()) this.#leastPending = Math.min(this.#leastPending, change.id);
    const events = moved.flatMap((each) => {
      const { change, publication, shown } = each;
      each.shown = publication;
      return publication && differs(publication, shown, detail) ? [{ change, publication }] : [];
    });
    return events.toSorted((a, b) => a.change.id - b.change.id);
  }

  /** The cursor for a client that has all events up to this change. */
  cursorAfter({ id }: ChangeRow): number {
    return Math.max(Math.min(id, this.#known ?? id, this.#leastPending - 1), this.#after ?? 0);
  }

  get #hasCome(): boolean {
    return this.#newIds.length > 0 || this.#moved.size > 0 || this.#since !== undefined;
  }

  /** Waits until there is something new, a second at most. All streams share the reads of the journal, at the same times. */
  async wait(gone: AbortSignal): Promise<void> {
    for (let polls = 0; polls < pollsPerRound && !gone.aborted; polls += 1) {
      const woken = new AbortController();
      this.#wake = () => woken.abort();
      if (this.#hasCome) this.#wake();
      await sleep(pollMs - (performance.now() % pollMs), AbortSignal.any([gone, woken.signal]));
      await this.#readJournal();
      if (this.#hasCome) return;
    }
  }

  async #readJournal(): Promise<void> {
    const changes = await this.#journal?.read();
    const { settled } = journalTail(this.#session);
    if (!changes) this.#since ??= this.#known;
    else if (this.#since === undefined && settled > 0) this.#known = settled;
    this.#newIds = (changes ?? []).map(({ changeId }) => changeId);
  }
}
