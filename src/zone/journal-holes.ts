/**
 * Holes: ids that are missing in the journal below the last id that was read. A writer of the journal locks its table before it takes an
 * id, and holds the lock until its rows are visible. A hole is given up once every transaction that held the lock when the hole was first
 * checked has ended, and the hole was read once more. The age of a hole does not matter.
 */
import { idStep } from "../sql/typed-ids.ts";

/** The ids from `low` to `high`, inclusive. */
interface Hole {
  readonly low: number;
  readonly high: number;
  /** Whether the missing ids are unknown. A vague hole is not read; when one of its writers ends, anything may have changed. */
  readonly isVague: boolean;
  /** The transactions that held the lock at the first check and are still open; undefined before the first check. */
  readonly writers: readonly string[] | undefined;
}

/** The most holes that are read each time; more are merged into one vague hole. */
const maxHoles = 1000;

export class JournalHoles {
  #holes: readonly Hole[];

  /** `writers` are open transactions that may have taken unknown ids up to `last`. */
  constructor(last = 0, writers: readonly string[] = []) {
    this.#holes = writers.length > 0 ? [{ low: idStep, high: last, isVague: true, writers }] : [];
  }

  get first(): number {
    return this.#holes[0]?.low ?? Number.POSITIVE_INFINITY;
  }

  get hasVague(): boolean {
    return this.#holes.some(({ isVague }) => isVague);
  }

  get ranges(): readonly Pick<Hole, "low" | "high">[] {
    return this.#holes.filter(({ isVague }) => !isVague);
  }

  /**
   * Updates the writers of holes to those that still hold the lock. Returns whether a writer of a vague hole has ended: anything may then
   * have changed.
   */
  look(writers: readonly string[]): boolean {
    const before = this.#holes;
    this.#holes = before.map((hole) => ({ ...hole, writers: common(hole.writers ?? writers, writers) }));
    return this.#holes.some(
      ({ isVague, writers: open }, at) => isVague && open?.length !== before[at]?.writers?.length,
    );
  }

  /** Removes ids that were read from the holes, and adds the gaps above `last`; `ids` ascend. */
  take(last: number, ids: readonly number[]): void {
    const open = this.#holes.filter(({ writers }) => writers?.length !== 0);
    const above = { low: last + idStep, high: ids.at(-1) ?? last, isVague: false, writers: undefined };
    this.#holes = bounded(missingIn([...open, above], ids));
  }
}

const common = (some: readonly string[], others: readonly string[]) => some.filter((each) => others.includes(each));

/** The holes without these ids; both lists are sorted. */
function missingIn(holes: readonly Hole[], ids: readonly number[]): Hole[] {
  let at = 0;
  const next = () => ids[at] ?? Number.POSITIVE_INFINITY;
  const missing: Hole[] = [];
  for (const hole of holes) {
    let { low } = hole;
    // Skips ids of holes that were given up.
    while (next() < low) at += 1;
    for (; next() <= hole.high; at += 1) {
      if (next() > low) missing.push({ ...hole, low, high: next() - idStep });
      low = next() + idStep;
    }
    if (low <= hole.high) missing.push({ ...hole, low });
  }
  return missing;
}

function bounded(holes: readonly Hole[]): readonly Hole[] {
  const [first, last] = [holes[0], holes.at(-1)];
  if (!first || !last || holes.length <= maxHoles) return holes;
  return [{ low: first.low, high: last.high, isVague: true, writers: undefined }];
}
