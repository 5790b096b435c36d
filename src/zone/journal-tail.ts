/**
 * The end of the journal: the changes of all zones as they are committed. A process has one for each database, which its readers share.
 *
 * A change gets its id before it is committed, so that a lower id may appear after a higher one. What is committed is handed out at once.
 * The ids that are missing below it (holes) belong to transactions that are open, or that were rolled back, and are read again each time.
 * Whoever writes the journal locks its table before it takes an id, until what it wrote can be seen. So a hole is given up, not by its age,
 * but once it was read after all those have ended that had the lock after it was noticed. The locks are looked at now and then.
 */
import { setTimeout as pause } from "node:timers/promises";
import { CompiledQuery } from "kysely";
import type { Pool } from "pg";
import { connection, type Session } from "../session/session.ts";
import { table } from "../sql/columns.ts";
import { idStep } from "../sql/typed-ids.ts";
import { Change, ChangeKind } from "./change.ts";
import { Domain } from "./domain.ts";

/** A change that was committed, with its zone as it was committed when the change was read. */
export interface JournalChange {
  readonly changeId: number;
  readonly domainId: number;
  readonly zone: string;
  /** The zone's; of a deleted one, the last. */
  readonly serial: number;
  readonly isDeleted: boolean;
  /** Whether it created, deleted or restored the zone. */
  readonly isMembership: boolean;
  readonly isCatalog: boolean;
  /** Who made it: the change set, or the actor. */
  readonly source: string;
  /** When it was committed, ms since 1970. */
  readonly since: number;
}

/** Runs a statement outside of any transaction; rows by the names of their columns. */
export type JournalQuery = <Row extends object>(text: string, values: readonly unknown[]) => Promise<Row[]>;

type Row = JournalChange & { readonly createdAt: string };

/** Ids that are missing, from one to another, both included. */
interface Hole {
  readonly low: number;
  readonly high: number;
  /** Whether it is not known which of them are missing, so that they are not read: once it is given up, anything may have changed. */
  readonly isVague: boolean;
  /** The transactions that had the lock after it was noticed, less those that have ended; undefined until that is read. */
  readonly writers: readonly string[] | undefined;
}

const c = table(Change, "c");
const d = table(Domain, "d");
const maxBatchRows = 5000;

/** After a pause this long everything may have changed, instead of reading what was committed meanwhile, ms. */
const maxPauseMs = 30_000;

/** Zones that are kept for one who does not read meanwhile: beyond it, anything may have changed. */
const maxKept = 100_000;

/** How often, and after which pause, ms, it is looked whether those have ended who were writing when the tail began. */
const [firstLooks, firstLookMs] = [5, 20];

/** After which time it is looked again whether the writers have ended that holes wait for, ms; with a vague one, at each read. */
const lookMs = 200;

/** Holes that are read each time; beyond it, all become one that is vague. */
const maxHoles = 1000;

const columns = `${c.columns("id", "domainId", "zone", "kind", "serial", "createdAt", "changeSetId", "actor")}`;

/** $1 the last change known, $2 the last id known, $3 and $4 the holes, $5 the most rows after $2. */
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

/** The last id that was given, committed or not. */
const lastIdText = `select case when is_called then last_value else last_value - ${idStep} end as id from change_id_seq`;

const lastChangeText = `select ${c.id} as "changeId", ${c.zone}, ${c.createdAt}::text as "createdAt" from ${c} order by ${c.id} desc limit 1`;

/** The locks of open transactions that may have written the journal. */
const locksOfWriters = `(select * from pg_locks
  where locktype = 'relation' and mode = 'RowExclusiveLock' and relation = '${table(Change)}'::regclass
    and database = (select oid from pg_database where datname = current_database())) w`;

const writersText = `select virtualtransaction as writer from ${locksOfWriters} order by writer`;

/** Since when the oldest of them is open, as far as PostgreSQL says it; null while there is none. */
export const oldestWriter = `(select min(xact_start) from ${locksOfWriters} join pg_stat_activity using (pid))`;

export class JournalTail {
  readonly #query: JournalQuery;
  readonly #now: () => number;
  readonly #followers = new Set<JournalFollower>();
  /** The last id that is known; undefined before the start. */
  #last: number | undefined;
  /** The last change that is known, which stays where it is as long as the history is the same. */
  #witness: Pick<Row, "changeId" | "zone" | "createdAt"> | undefined;
  /** By their ids. */
  #holes: readonly Hole[] = [];
  #readAt = 0;
  #lookedAt = 0;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  /** `now` is a clock in milliseconds that never goes back. */
  constructor(query: JournalQuery, now = () => performance.now()) {
    this.#query = query;
    this.#now = now;
  }

  /** The id up to which every change was handed out that will ever be committed; 0 while that is not known. */
  get settled(): number {
    return Math.min(this.#last ?? 0, (this.#holes[0]?.low ?? Number.POSITIVE_INFINITY) - idStep);
  }

  /**
   * Follows the changes that are committed from now on. Where it is not known what some transactions write, anything may have changed once
   * all of them have ended; for one who is strict, also as each of them ends.
   */
  async follow({ isStrict = false } = {}): Promise<JournalFollower> {
    await this.read();
    const follower = new JournalFollower(this, isStrict, () => this.#followers.delete(follower));
    this.#followers.add(follower);
    return follower;
  }

  /**
   * Hands out to those who follow what was committed before this call. Those who ask while it is being read share the next read. What a
   * read that fails had read is not lost.
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
      // What is read from here on is not for those who ask later.
      this.#next = undefined;
    }
    await (isStart ? this.#start() : this.#readOn());
    this.#readAt = this.#now();
  }

  async #start(): Promise<void> {
    this.#last = undefined;
    this.#lose(() => true);
    const [last] = await this.#query<{ id: number }>(lastIdText, []);
    let writers = await this.#writers();
    for (let look = 0; writers.length > 0 && look < firstLooks; look += 1) {
      await pause(firstLookMs);
      writers = common(writers, await this.#writers());
    }
    [this.#witness] = await this.#query<Row>(lastChangeText, []);
    const high = last?.id ?? 0;
    this.#holes = writers.length > 0 ? [{ low: idStep, high, isVague: true, writers }] : [];
    this.#last = high;
  }

  get #isLookDue(): boolean {
    const isLong = this.#now() - this.#lookedAt >= lookMs;
    return this.#holes.length > 0 && (isLong || this.#holes.some(({ isVague }) => isVague));
  }

  /** Looks who has ended; before changes are read, so that what those wrote is among them. */
  async #look(): Promise<void> {
    const writers = await this.#writers();
    this.#lookedAt = this.#now();
    this.#holes = this.#holes.map((hole) => {
      const open = common(hole.writers ?? writers, writers);
      if (hole.isVague && open.length !== hole.writers?.length) this.#lose(({ isStrict }) => isStrict);
      return { ...hole, writers: open };
    });
  }

  #lose(whom: (follower: JournalFollower) => boolean): void {
    for (const follower of this.#followers) if (whom(follower)) follower.lose();
  }

  async #readOn(): Promise<void> {
    for (;;) {
      const [last, witness] = [this.#last as number, this.#witness];
      const holes = this.#holes.filter(({ isVague }) => !isVague);
      const values = [witness?.changeId ?? 0, last, holes.map(({ low }) => low), holes.map(({ high }) => high)];
      const rows = await this.#query<Row>(rowsText, [...values, maxBatchRows]);
      if (witness && !rows.some((row) => isSame(row, witness))) return this.#start();
      const changes = rows
        .filter(({ changeId }) => changeId > last || changeId !== witness?.changeId)
        .toSorted((a, b) => a.changeId - b.changeId);
      this.#take(changes);
      if (changes.filter(({ changeId }) => changeId > last).length < maxBatchRows) return;
    }
  }

  /** Takes the changes that were read above the last id, and in the holes. */
  #take(changes: readonly Row[]): void {
    const last = this.#last as number;
    const ids = changes.map(({ changeId }) => changeId);
    const end = Math.max(last, ids.at(-1) ?? last);
    const [over, open] = [this.#holes.filter(isOver), this.#holes.filter((hole) => !isOver(hole))];
    const above = { low: last + idStep, high: end, isVague: false, writers: undefined };
    this.#holes = bounded(missingIn([...open, above], ids));
    this.#last = end;
    if (end > last) this.#witness = changes.at(-1);
    for (const follower of this.#followers) for (const change of changes) follower.add(change);
    if (over.some(({ isVague }) => isVague)) this.#lose(() => true);
  }

  async #writers(): Promise<string[]> {
    return (await this.#query<{ writer: string }>(writersText, [])).map(({ writer }) => writer);
  }
}

/** One who follows the journal. */
export class JournalFollower {
  readonly #tail: JournalTail;
  /** Whether it hears at once that anything may have changed. */
  readonly isStrict: boolean;
  readonly #leave: () => void;
  /** By domain. */
  #changes = new Map<number, JournalChange>();
  #isLost = false;

  constructor(tail: JournalTail, isStrict: boolean, leave: () => void) {
    this.#tail = tail;
    this.isStrict = isStrict;
    this.#leave = leave;
  }

  /**
   * Returns the changes that were committed since the last call, of several of a zone the last; or undefined when those are not known one by
   * one, as after a long pause, or when another history was restored: anything may have changed.
   */
  async read(): Promise<readonly JournalChange[] | undefined> {
    await this.#tail.read();
    const [changes, isLost] = [this.#changes, this.#isLost];
    [this.#changes, this.#isLost] = [new Map(), false];
    return isLost ? undefined : [...changes.values()];
  }

  add(change: JournalChange): void {
    if (this.#isLost) return;
    const before = this.#changes.get(change.domainId);
    const isMembership = change.isMembership || before?.isMembership === true;
    this.#changes.set(change.domainId, { ...change, isMembership });
    if (this.#changes.size > maxKept) this.lose();
  }

  /** Anything may have changed. */
  lose(): void {
    this.#isLost = true;
    this.#changes.clear();
  }

  close(): void {
    this.#leave();
  }
}

const isSame = (row: Row, { changeId, zone, createdAt }: Pick<Row, "changeId" | "zone" | "createdAt">) =>
  row.changeId === changeId && row.zone === zone && row.createdAt === createdAt;

const common = (some: readonly string[], others: readonly string[]) => some.filter((each) => others.includes(each));

/** Whether those have ended who might have filled it. */
const isOver = ({ writers }: Hole) => writers?.length === 0;

/** What is missing in these holes besides some ids; both in their order. */
function missingIn(holes: readonly Hole[], ids: readonly number[]): Hole[] {
  let at = 0;
  return holes.flatMap((hole) => {
    const missing: Hole[] = [];
    let low = hole.low;
    for (; (ids[at] as number) <= hole.high; at += 1) {
      const id = ids[at] as number;
      if (id < low) continue;
      if (id > low) missing.push({ ...hole, low, high: id - idStep });
      low = id + idStep;
    }
    if (low <= hole.high) missing.push({ ...hole, low });
    return missing;
  });
}

/** The holes; too many as one. */
function bounded(holes: readonly Hole[]): readonly Hole[] {
  const [first, last] = [holes[0], holes.at(-1)];
  if (!first || !last || holes.length <= maxHoles) return holes;
  return [{ low: first.low, high: last.high, isVague: true, writers: undefined }];
}

const names = new Map([rowsText, lastIdText, lastChangeText, writersText].map((text, at) => [text, `journal${at}`]));

/** Statements on connections of a pool. */
export const queryOf =
  (pool: Pool): JournalQuery =>
  async <Row extends object>(text: string, values: readonly unknown[]) =>
    (await pool.query<Row>({ name: names.get(text), text, values: [...values] })).rows;

const tails = new WeakMap<object, JournalTail>();

/** Makes this the tail of a session's database. */
export const shareJournal = ({ em }: Pick<Session, "em">, tail: JournalTail) => void tails.set(em.getDriver(), tail);

/** The tail of a session's database; where none is shared, one that reads on the session's connections. */
export function journalTail({ em }: Pick<Session, "em">): JournalTail {
  const driver = em.getDriver();
  const own = { em: em.fork() };
  const query: JournalQuery = async (text, values) =>
    (await connection(own).executeQuery<never>(CompiledQuery.raw(text, [...values]))).rows;
  const tail = tails.get(driver) ?? new JournalTail(query);
  tails.set(driver, tail);
  return tail;
}
