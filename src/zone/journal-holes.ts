/**
 * The ids that are missing in the journal below the last one that was read (holes). Whoever writes the journal locks its table before it
 * takes an id, and holds the lock until its rows are visible. A hole is therefore given up when every transaction that held the lock after
 * the hole was noticed has ended, and the hole was read once more. Age plays no part.
 */
import { idStep } from "../sql/typed-ids.ts";

/** The ids from `low` to `high`, both included. */
interface Hole {
  readonly low: number;
  readonly high: number;
  /** Whether only the range is known, not the missing ids. It is not read; when one of its writers ends, anything may have changed. */
  readonly isVague: boolean;
  /** The transactions that held the lock when it was first looked at, without those that have ended since; undefined before that look. */
  readonly writers: readonly string[] | undefined;
}

/** The most holes that are read each time; more become one vague hole. */
const maxHoles = 1000;

export class JournalHoles {
  /** In the order of their ids. */
  #holes: readonly Hole[];

  /** Of the ids up to `last`, it is not known which ones these open transactions have taken. */
  constructor(last = 0, writers: readonly string[] = []) {
    this.#holes = writers.length > 0 ? [{ low: idStep, high: last, isVague: true, writers }] : [];
  }

  /** The first id that may be missing; infinite without a hole. */
  get first(): number {
    return this.#holes[0]?.low ?? Number.POSITIVE_INFINITY;
  }

  get hasVague(): boolean {
    return this.#holes.some(({ isVague }) => isVague);
  }

  /** What is to be read. */
  get ranges(): readonly Pick<Hole, "low" | "high">[] {
    return this.#holes.filter(({ isVague }) => !isVague);
  }

  /** Takes the transactions that hold the lock now. Returns whether one of unknown ids has ended: anything may have changed. */
  look(writers: readonly string[]): boolean {
    const before = this.#holes;
    this.#holes = before.map((hole) => ({ ...hole, writers: common(hole.writers ?? writers, writers) }));
    return this.#holes.some(
      ({ isVague, writers: open }, at) => isVague && open?.length !== before[at]?.writers?.length,
    );
  }

  /** Takes the ids that were read in these ranges and above `last`, in their order. */
  take(last: number, ids: readonly number[]): void {
    const open = this.#holes.filter(({ writers }) => writers?.length !== 0);
    const above = { low: last + idStep, high: ids.at(-1) ?? last, isVague: false, writers: undefined };
    this.#holes = bounded(missingIn([...open, above], ids));
  }
}

const common = (some: readonly string[], others: readonly string[]) => some.filter((each) => others.includes(each));

/** Returns what is left of the holes without these ids; both are sorted. */
function missingIn(holes: readonly Hole[], ids: readonly number[]): Hole[] {
  let at = 0;
  const next = () => ids[at] ?? Number.POSITIVE_INFINITY;
  const missing: Hole[] = [];
  for (const hole of holes) {
    let { low } = hole;
    // These were in holes that are given up.
    while (next() < low) at += 1;
    for (; next() <= hole.high; at += 1) {
      if (next() > low) missing.push({ ...hole, low, high: next() - idStep });
      low = next() + idStep;
    }
    if (low <= hole.high) missing.push({ ...hole, low });
  }
  return missing;
}

/** Makes one vague hole of too many. */
function bounded(holes: readonly Hole[]): readonly Hole[] {
  const [first, last] = [holes[0], holes.at(-1)];
  if (!first || !last || holes.length <= maxHoles) return holes;
  return [{ low: first.low, high: last.high, isVague: true, writers: undefined }];
}
