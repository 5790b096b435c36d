/**
 * The journal tail: follows the changes of all zones as they are committed. A process has one for each database, shared by all followers.
 *
 * A change gets its id before it is committed, so a lower id may appear after a higher one. Committed changes are delivered at once.
 * Missing lower ids (journal-holes.ts) belong to open or rolled-back transactions; they are read again each time.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Pool } from "pg";
import type { Session } from "../session/session.ts";
import { table } from "../sql/columns.ts";
import { type Carrier, runText } from "../sql/sql.ts";
import { idStep } from "../sql/typed-ids.ts";
import { Change, ChangeKind } from "./change.ts";
import { Domain } from "./domain.ts";
import { JournalHoles } from "./journal-holes.ts";

/** A committed change, with the state of its zone when the change was read. */
export interface JournalChange {
  readonly changeId: number;
  readonly domainId: number;
  readonly zone: string;
  /** The zone's serial; of a deleted zone, the last one. */
  readonly serial: number;
  readonly isDeleted: boolean;
  readonly isMembership: boolean;
  readonly isCatalog: boolean;
  /** The id of the change set, or else the actor. */
  readonly source: string;
  readonly since: number;
}

/** Runs a statement outside of any transaction; a row has its columns by name. */
export type JournalQuery = <Row extends object>(text: string, values: readonly unknown[]) => Promise<Row[]>;

type Row = JournalChange & { readonly createdAt: string };

const c = table(Change, "c");
const d = table(Domain, "d");
const maxBatchRows = 5000;

/**
 * After a longer pause than this, ms, the tail starts again: it does not read what was committed meanwhile, and anything may have
 * changed.
 */
const maxPauseMs = 30_000;

/** The most zones kept for a follower that does not read. With more, the follower learns only that anything may have changed. */
const maxKept = 100_000;

/** At the start: how many times, and at what interval in ms, the writers are checked before the ones still open become a vague hole. */
const [firstLooks, firstLookMs] = [5, 20];

/** The interval between two checks of the writers, ms; while there is a vague hole, every read checks them. */
const lookMs = 200;

const columns = `${c.columns("id", "domainId", "zone", "kind", "serial", "createdAt", "changeSetId", "actor")}`;

/** $1 is the last known change, $2 the last known id, $3 and $4 the bounds of the holes, $5 the most rows after $2. */
const rowsText = `
  select c.id as "changeId", c."domainId", c.zone, coalesce(${d.serial}, c.serial) as serial, ${d.id} is null as "isDeleted",
    c.kind <> '${ChangeKind.EDIT}' as "isMembership", ${d.id} is not null and ${d.userId} is null as "isCatalog",
    coalesce(c."changeSetId"::text, c.actor) as source,
    (extract(epoch from c."createdAt") * 1000)::float8 as since, c."createdAt"::text as "createdAt"
  from (
    select ${columns} from ${c} where ${c.id} = $1
    union all (select ${columns} from ${c} where ${c.id} > $2 order by ${c.id} limit $5)
    union all select ${columns} from unnest($3::bigint[], $4::bigint[]) hole(low, high) join ${c} on ${c.id} between hole.low and hole.high
  ) c left join ${d} on ${d.id} = c."domainId"`;

/** The last id that was taken, committed or not. */
const lastIdText = `select case when is_called then last_value else last_value - ${idStep} end as id from change_id_seq`;

const lastChangeText = `select ${c.id} as "changeId", ${c.zone}, ${c.createdAt}::text as "createdAt" from ${c} order by ${c.id} desc limit 1`;

/** The locks of open transactions that may have written the journal. */
const locksOfWriters = `(select * from pg_locks
  where locktype = 'relation' and mode = 'RowExclusiveLock' and relation = '${table(Change)}'::regclass
    and database = (select oid from pg_database where datname = current_database())) w`;

const writersText = `select virtualtransaction as writer from ${locksOfWriters} order by writer`;

/** The start of the oldest of these transactions, as far as PostgreSQL shows it; null without one. */
export const oldestWriter = `(select min(xact_start) from ${locksOfWriters} join pg_stat_activity using (pid))`;

export class JournalTail {
  readonly #query: JournalQuery;
  readonly #now: () => number;
  readonly #followers = new Set<JournalFollower>();
  #last: number | undefined;
  /** The last known change. When it is missing in a later read, another history was restored. */
  #witness: Pick<Row, "changeId" | "zone" | "createdAt"> | undefined;
  #holes = new JournalHoles();
  #readAt = 0;
  #lookedAt = 0;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  /** `now` returns milliseconds that never decrease. */
  constructor(query: JournalQuery, now = () => performance.now()) {
    this.#query = query;
    this.#now = now;
  }

  /** Every change up to this id was delivered, and none will be committed later; 0 while unknown. */
  get settled(): number {
    return Math.min(this.#last ?? 0, this.#holes.first - idStep);
  }

  async follow(): Promise<JournalFollower> {
    await this.read();
    const follower = new JournalFollower(this, () => this.#followers.delete(follower));
    this.#followers.add(follower);
    return follower;
  }

  /**
   * Delivers to the followers what was committed before this call. All calls during a read share the next one. Changes that were read
   * before a failure stay with the followers.
   */
  read(): Promise<void> {
    this.#next ??= this.#running.then(() => {
      const reading = this.#read();
      this.#running = reading.catch(() => {});
      return reading;
    });
    return this.#next;
  }

  async #read(): Promise<void> {
    const isStart = this.#last === undefined || this.#now() - this.#readAt > maxPauseMs;
    try {
      if (!isStart && this.#isLookDue) await this.#look();
    } finally {
      // From here on, callers need the next read.
      this.#next = undefined;
    }
    await (isStart ? this.#start() : this.#readOn());
    this.#readAt = this.#now();
  }

  async #start(): Promise<void> {
    this.#last = undefined;
    this.#lose();
    const [{ id: last } = { id: 0 }] = await this.#query<{ id: number }>(lastIdText, []);
    const holes = new JournalHoles(last, await this.#writers());
    for (let look = 0; holes.hasVague && look < firstLooks; look += 1) {
      await pause(firstLookMs);
      holes.look(await this.#writers());
      holes.take(last, []);
    }
    [this.#witness] = await this.#query<Row>(lastChangeText, []);
    [this.#last, this.#holes] = [last, holes];
  }

  get #isLookDue(): boolean {
    const { first, hasVague } = this.#holes;
    return hasVague || (Number.isFinite(first) && this.#now() - this.#lookedAt >= lookMs);
  }

  /** Checks which writers have ended. It runs before the rows are read, so their rows are among those. */
  async #look(): Promise<void> {
    const writers = await this.#writers();
    this.#lookedAt = this.#now();
    if (this.#holes.look(writers)) this.#lose();
  }

  #lose(): void {
    for (const follower of this.#followers) follower.lose();
  }

  async #readOn(): Promise<void> {
    for (;;) {
      const [last, witness, { ranges }] = [this.#last as number, this.#witness, this.#holes];
      const values = [witness?.changeId ?? 0, last, ranges.map(({ low }) => low), ranges.map(({ high }) => high)];
      const rows = await this.#query<Row>(rowsText, [...values, maxBatchRows]);
      if (witness && !rows.some((row) => isSame(row, witness))) return this.#start();
      const changes = rows
        .filter(({ changeId }) => changeId > last || changeId !== witness?.changeId)
        .toSorted((a, b) => a.changeId - b.changeId);
      const ids = changes.map(({ changeId }) => changeId);
      this.#holes.take(last, ids);
      this.#last = Math.max(last, ids.at(-1) ?? last);
      if (this.#last > last) this.#witness = changes.at(-1);
      for (const follower of this.#followers) for (const change of changes) follower.add(change);
      if (ids.filter((id) => id > last).length < maxBatchRows) return;
    }
  }

  async #writers(): Promise<string[]> {
    return (await this.#query<{ writer: string }>(writersText, [])).map(({ writer }) => writer);
  }
}

export class JournalFollower {
  readonly #tail: JournalTail;
  readonly close: () => void;
  /** The undelivered changes by domain; undefined when anything may have changed. */
  #changes: Map<number, JournalChange> | undefined = new Map();

  constructor(tail: JournalTail, close: () => void) {
    this.#tail = tail;
    this.close = close;
  }

  /**
   * Returns the changes since the last call, only the latest for each zone. Returns undefined when single changes are unknown and
   * anything may have changed: after a long pause, or when another history was restored.
   */
  async read(): Promise<readonly JournalChange[] | undefined> {
    await this.#tail.read();
    const changes = this.#changes;
    this.#changes = new Map();
    return changes && [...changes.values()];
  }

  add(change: JournalChange): void {
    if (!this.#changes) return;
    const isMembership = change.isMembership || this.#changes.get(change.domainId)?.isMembership === true;
    this.#changes.set(change.domainId, isMembership === change.isMembership ? change : { ...change, isMembership });
    if (this.#changes.size > maxKept) this.lose();
  }

  lose(): void {
    this.#changes = undefined;
  }
}

const isSame = (row: Row, { changeId, zone, createdAt }: Pick<Row, "changeId" | "zone" | "createdAt">) =>
  row.changeId === changeId && row.zone === zone && row.createdAt === createdAt;

const names = new Map([rowsText, lastIdText, lastChangeText, writersText].map((text, at) => [text, `journal${at}`]));

export const queryOf =
  (pool: Pool): JournalQuery =>
  async <Row extends object>(text: string, values: readonly unknown[]) =>
    (await pool.query<Row>({ name: names.get(text), text, values: [...values] })).rows;

const tails = new WeakMap<object, JournalTail>();

/**
 * The journal tail of a session's database. The first call for a database sets its `query`; without one, the tail uses the session's
 * connections.
 */
export function journalTail({ em }: Pick<Session, "em">, query?: JournalQuery): JournalTail {
  const driver = em.getDriver();
  const tail = tails.get(driver) ?? new JournalTail(query ?? onConnectionsOf({ em: em.fork() }));
  tails.set(driver, tail);
  return tail;
}

const onConnectionsOf =
  (carrier: Carrier): JournalQuery =>
  (text, values) =>
    runText(carrier, text, values);
