/**
 * The walk of a secondary through all zones, by domain id and in pages, so that no statement reads all of them:
 *
 * - To catch up, it looks for the zones that are behind, without a pause: at the start, for a new secondary, and when the journal missed
 *   changes. When zones gave up their places meanwhile, it catches up again.
 * - On its rounds it looks for the copies to be verified, too. A round takes 50 minutes, or less where there are few zones; the first
 *   round of a term goes as fast as the copies are probed.
 */

/** A part of the walk: `limit` zones after the domain with the id `after`. */
export interface Page {
  readonly after: number;
  readonly limit: number;
  readonly isRound: boolean;
}

/** What a page had. */
export interface Passed {
  /** The number of its zones. */
  readonly count: number;
  /** How many of them were due. */
  readonly due: number;
  /** The id of its last domain; null where no page follows. */
  readonly last: number | null;
}

interface Load {
  readonly deliveries: number;
  /** The deliveries of zones that are not known to be behind. */
  readonly verifications: number;
  readonly isSilent: boolean;
}

/** All times in ms. */
const stepMs = 2000;
const longestRoundMs = 3_000_000;
const shortestRoundMs = 60_000;
const catchUpMs = 60_000;
/** The pause before a page that has to wait is looked at again. */
const waitMs = 200;
const pageSize = 1000;
const smallestPage = 40;
const maxDeliveries = 20_000;
/** With more verifications a round waits; with more deliveries a silent secondary does not catch up. */
const fewDeliveries = 2000;

export class ZoneWalk {
  /** The id of the last domain of the catching up; undefined when it has ended. */
  #caughtUpTo: number | undefined = 0;
  /** When it began. */
  #catchUpAt = Number.NEGATIVE_INFINITY;
  #hasGivenUp = false;
  #givenUpAt: number | undefined;
  #lacksRoom = false;
  #lookAt = 0;
  readonly #round = { after: 0, count: 0, beganAt: 0, stepAt: 0, size: pageSize, isFirst: true };

  /** When its last page was passed. */
  passedAt = Number.NEGATIVE_INFINITY;

  /** Whether zones wait for the places of others. */
  get lacksRoom(): boolean {
    return this.#lacksRoom;
  }

  get isCatchingUp(): boolean {
    return this.#caughtUpTo !== undefined;
  }

  /** When the first of the zones that gave up their places was found to be behind. */
  get givenUpAt(): number | undefined {
    return this.#givenUpAt;
  }

  catchUp(): void {
    this.#caughtUpTo = 0;
  }

  /** A zone that was found to be behind at this time gave up its place. */
  giveUp(at: number): void {
    this.#hasGivenUp = true;
    this.#givenUpAt = Math.min(this.#givenUpAt ?? at, at);
  }

  /** The next page, where one is due. `now` is the time of performance.now(). */
  next(now: number, loadOf: () => Load): Page | undefined {
    if (this.#hasGivenUp && !this.isCatchingUp && now - this.#catchUpAt > catchUpMs) this.catchUp();
    const { after, size, stepAt } = this.#round;
    if (now < this.#lookAt || (now < stepAt && !this.isCatchingUp)) return undefined;
    const { deliveries, verifications, isSilent } = loadOf();
    this.#lacksRoom = deliveries + Math.max(pageSize, size) > maxDeliveries;
    const mayVerify = !this.#lacksRoom && !isSilent && verifications < fewDeliveries;
    const mayCatchUp = !this.#lacksRoom && !(isSilent && deliveries >= fewDeliveries);
    if (mayVerify && now >= stepAt) return { after, limit: size, isRound: true };
    if (mayCatchUp && this.#caughtUpTo !== undefined)
      return { after: this.#caughtUpTo, limit: pageSize, isRound: false };
    this.#lookAt = now + waitMs;
    return undefined;
  }

  passed(page: Page, passed: Passed, now: number): void {
    this.passedAt = now;
    if (page.isRound) this.#passedOnRound(page, passed, now);
    else this.#passedCatchingUp(page, passed, now);
  }

  #passedCatchingUp({ after }: Page, { last }: Passed, now: number): void {
    if (after === 0) {
      this.#catchUpAt = now;
      this.#hasGivenUp = false;
    }
    this.#caughtUpTo = last ?? undefined;
    if (last === null && !this.#hasGivenUp) this.#givenUpAt = undefined;
  }

  #passedOnRound({ after, limit }: Page, { count, due, last }: Passed, now: number): void {
    const round = this.#round;
    if (after === 0) Object.assign(round, { count: 0, beganAt: now });
    round.count += count;
    round.after = last ?? 0;
    round.stepAt = now + (round.isFirst ? (stepMs * due) / limit : stepMs);
    if (last !== null) return;
    round.isFirst = false;
    round.stepAt = Math.max(round.stepAt, round.beganAt + shortestRoundMs);
    round.size = Math.max(smallestPage, Math.ceil((round.count * stepMs) / longestRoundMs));
  }
}
