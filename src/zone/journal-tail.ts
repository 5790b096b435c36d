/**
 * The end of the journal: the changes of all zones as they are committed. A process has one for each database, which its readers share.
 *
 * A change gets its id before it is committed, so that a lower id may appear after a higher one. What is committed is handed out at once.
 * The ids that are missing below it (holes) belong to transactions that are open, or that were rolled back. Whoever writes the journal locks
 * its table before it takes an id, until what it wrote can be seen. So a hole is read again when a transaction ends that had the lock after
 * the hole was noticed, and is given up once all of those have ended: not by its age, nor by how many there are.
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

/** Ids from one to another, both included. */
interface Range {
  readonly low: number;
  readonly high: number;
}

/** Ids that are missing, and who may still fill them. */
interface Holes {
  /** Undefined: any below the id at which the tail began. */
  readonly ranges: readonly Range[] | undefined;
  /** The transactions that had the lock after the holes were noticed, less those that have ended; undefined until that is read. */
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
const [looks, lookMs] = [5, 20];

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
  readonly #followers = new Set<JournalFollower>();
  /** The last id that is known; undefined before the start. */
  #last: number | undefined;
  /** The last change that is known, which stays where it is as long as the history is the same. */
  #witness: Pick<Row, "changeId" | "zone" | "createdAt"> | undefined;
  #holes: readonly Holes[] = [];
  #readAt = 0;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(query: JournalQuery) {
    this.#query = query;
  }

  /** The id up to which every change was handed out that will ever be committed; 0 while that is not known. */
  get settled(): number {
    const lows = this.#holes.map(({ ranges }) => (ranges?.[0]?.low ?? idStep) - idStep);
    return Math.min(this.#last ?? 0, ...lows);
  }

  /** Follows the changes that are committed from now on. */
  async follow(): Promise<JournalFollower> {
    await this.read();
    const follower = new JournalFollower(this, () => this.#followers.delete(follower));
    this.#followers.add(follower);
    return follower;
  }

  /**
   * Hands out to those who follow what was committed before this call. Those who ask while it is being read share the next read. What a
   * read that fails had read is not lost.
   */
  read(): Promise<void> {
    this.#next ??= (this.#running ?? Promise.resolve()).then(() => {
      this.#next = undefined;
      const reading = this.#read();
      this.#running = reading
        .catch(() => {})
        .then(() => {
          this.#running = undefined;
        });
      return reading;
    });
    return this.#next;
  }

  async #read(): Promise<void> {
    if (this.#last === undefined || performance.now() - this.#readAt > maxPauseMs) await this.#start();
    else await this.#readOn();
    this.#readAt = performance.now();
  }

  async #start(): Promise<void> {
    this.#last = undefined;
    for (const follower of this.#followers) follower.lose();
    const [last] = await this.#query<{ id: number }>(lastIdText, []);
    let writers = await this.#writers();
    for (let look = 0; writers.length > 0 && look < looks; look += 1) {
      await pause(lookMs);
      writers = common(writers, await this.#writers());
    }
    [this.#witness] = await this.#query<Row>(lastChangeText, []);
    this.#holes = writers.length > 0 ? [{ ranges: undefined, writers }] : [];
    this.#last = last?.id ?? 0;
  }

  async #readOn(): Promise<void> {
    // Read before the changes: what those wrote who have ended is among them.
    const writers = this.#holes.length > 0 ? await this.#writers() : [];
    let due = this.#holes.filter(({ writers: before }) => !before?.every((each) => writers.includes(each)));
    for (;;) {
      const ranges = due.flatMap((holes) => holes.ranges ?? []);
      const [last, witness] = [this.#last as number, this.#witness];
      const values = [witness?.changeId ?? 0, last, ranges.map(({ low }) => low), ranges.map(({ high }) => high)];
      const rows = await this.#query<Row>(rowsText, [...values, maxBatchRows]);
      if (witness && !rows.some((row) => isSame(row, witness))) return this.#start();
      const changes = rows
        .filter(({ changeId }) => changeId > last || changeId !== witness?.changeId)
        .toSorted((a, b) => a.changeId - b.changeId);
      this.#take(changes, due, writers);
      due = [];
      if (changes.filter(({ changeId }) => changeId > last).length < maxBatchRows) return;
    }
  }

  /** Takes the changes that were read above the last id, and in the holes that were due. */
  #take(changes: readonly Row[], due: readonly Holes[], writers: readonly string[]): void {
    const last = this.#last as number;
    const ids = changes.map(({ changeId }) => changeId);
    const still = due.map((holes) => ({
      ranges: holes.ranges && missingIn(holes.ranges, ids),
      writers: common(holes.writers ?? writers, writers),
    }));
    const above = missingIn([{ low: last + idStep, high: ids.at(-1) ?? last }], ids);
    const holes = [
      ...this.#holes.filter((each) => !due.includes(each)),
      ...still,
      { ranges: above, writers: undefined },
    ];
    this.#holes = merged(holes.filter(({ ranges, writers: open }) => ranges?.length !== 0 && open?.length !== 0));
    this.#last = Math.max(last, ids.at(-1) ?? last);
    if (this.#last > last) this.#witness = changes.at(-1);
    for (const follower of this.#followers) {
      for (const change of changes) follower.add(change);
      if (due.some(({ ranges }) => ranges === undefined)) follower.lose();
    }
  }

  async #writers(): Promise<string[]> {
    return (await this.#query<{ writer: string }>(writersText, [])).map(({ writer }) => writer);
  }
}

/** One who follows the journal. */
export class JournalFollower {
  readonly #tail: JournalTail;
  readonly #leave: () => void;
  /** By domain. */
  #changes = new Map<number, JournalChange>();
  #isLost = false;

  constructor(tail: JournalTail, leave: () => void) {
    this.#tail = tail;
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

/** The ids of these ranges that are not among others; both in their order. */
function missingIn(ranges: readonly Range[], ids: readonly number[]): Range[] {
  let at = 0;
  return ranges.flatMap(({ low, high }) => {
    const missing: Range[] = [];
    let next = low;
    for (; (ids[at] as number) <= high; at += 1) {
      const id = ids[at] as number;
      if (id < next) continue;
      if (id > next) missing.push({ low: next, high: id - idStep });
      next = id + idStep;
    }
    if (next <= high) missing.push({ low: next, high });
    return missing;
  });
}

/** The holes, those as one that wait for the same transactions. */
function merged(holes: readonly Holes[]): Holes[] {
  const waiting = ({ ranges, writers }: Holes) => `${ranges !== undefined} ${writers}`;
  return [...Map.groupBy(holes, waiting).values()].map(([first, ...others]) => {
    const { ranges, writers } = first as Holes;
    const all = [ranges, ...others.map((each) => each.ranges)].flatMap((each) => each ?? []);
    return { ranges: ranges && all.toSorted((a, b) => a.low - b.low), writers };
  });
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
