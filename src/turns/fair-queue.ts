/**
 * A fair queue: some turns at a time, shared between flows, which are users and administrators' keys. The next turn goes to a modest flow, which has few requests
 * in progress, and among those to the one that was served least (start-time fair queueing), so that a flow with one request never waits
 * behind another's hundred, nor for its share beside sixteen of those. The requests of a flow keep their order.
 */

/** Gives a turn back; it is called once. */
export type EndTurn = () => void;

/**
 * What a turn takes: a light one takes the event loop and no connection to the database, so that it counts among those that are young
 * and not among those that there are at a time.
 */
export type Weight = "light" | "full";

export interface FairQueueOptions {
  /** Turns at a time. */
  readonly turns: number;
  /** Turns at a time of one flow; without a number, all. */
  readonly turnsOfFlow?: number;
  /** Turns at a time of all flows that are not modest, while several flows have work; without a number, all. */
  readonly turnsOfOthers?: number;
  /**
   * While several flows have work, so many turns are young at a time, which means that they began less than `ms` ago: they compete for
   * the processor. One that takes longer waits for something else. While a modest flow has turns now and then, the others have one
   * young turn together. Without it, all.
   */
  readonly young?: { readonly turns: number; readonly ms: number };
  /**
   * For how long full turns begin in one iteration of the event loop, ms; without it, for any time. Work that never waits, such as refusing
   * a document, would otherwise be done for all that has arrived before a request of another flow is read.
   */
  readonly burstMs?: number;
  /** How many requests of a flow are in progress, in the queue or elsewhere; without it, those in the queue. */
  readonly inProgress?: (flow: string) => number;
  /** How many of one flow may wait; without a number, any. */
  readonly waitingOfFlow?: number;
  /** The error for a flow that has so many waiting. */
  readonly tooMany?: () => Error;
  /** How long one may wait, ms. */
  readonly patienceMs: number;
  /** The error for one that waited too long. */
  readonly tooLong: () => Error;
  /** A clock in milliseconds that never goes back. */
  readonly now?: () => number;
}

/** What a turn costs besides its time, ms, so that turns of no measurable time are counted too. */
const costOfTurnMs = 1;

/** How far behind the others a flow may fall for the time that it took, ms: it gets a turn again after about that much of theirs. */
const maxDebtMs = 1000;

/** Flows without work that are remembered for what they have been served. */
const maxIdleFlows = 1000;

/** A flow that has so many requests in progress at most is modest. */
const modestRequests = 4;

/** How long after a turn of a modest flow its next one is expected, ms. */
const modestPauseMs = 200;

interface Flow {
  readonly name: string;
  readonly waiting: { readonly weight: Weight; readonly take: (end: EndTurn) => void }[];
  /** Those that wait or have a turn. */
  requests: number;
  running: number;
  /** What its turns so far have cost, ms, on the scale of the queue's virtual time. */
  served: number;
}

/** Turns of modest flows, or of the others. */
interface Counts {
  running: number;
  young: number;
}

export class FairQueue {
  readonly #options: FairQueueOptions;
  readonly #now: () => number;
  readonly #flows = new Map<string, Flow>();
  readonly #waiting = new Set<Flow>();
  readonly #ofModest: Counts = { running: 0, young: 0 };
  readonly #ofOthers: Counts = { running: 0, young: 0 };
  /** Flows that have a turn or wait for one. */
  #busy = 0;
  /** What the flow that got the last turn had been served then: a flow that comes now is as far. */
  #virtualTime = 0;
  /** When the first full turn began in this iteration of the event loop, where that is limited. */
  #burst: number | undefined;
  /** When a modest flow began its last turn. */
  #lastModest = Number.NEGATIVE_INFINITY;

  constructor(options: FairQueueOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Whether nobody has a turn, nor waits for one. */
  get isIdle(): boolean {
    return this.#busy === 0;
  }

  /** Waits for a turn; throws when too many of the flow wait, or it took longer than `patienceMs`. */
  async acquire(name: string, patienceMs = this.#options.patienceMs, weight: Weight = "full"): Promise<EndTurn> {
    const flow = this.#enter(name);
    if (this.#mayRun(flow, weight)) return this.#begin(flow, weight);
    const { waitingOfFlow, tooMany } = this.#options;
    if (!tooMany || waitingOfFlow === undefined || flow.waiting.length < waitingOfFlow)
      return this.#wait(flow, patienceMs, weight);
    this.#leave(flow);
    throw tooMany();
  }

  /** Takes a turn if one may begin now; otherwise undefined, and nothing waits. */
  tryAcquire(name: string, weight: Weight = "full"): EndTurn | undefined {
    const flow = this.#enter(name);
    if (this.#mayRun(flow, weight)) return this.#begin(flow, weight);
    this.#leave(flow);
    return undefined;
  }

  /** The flow of this name, which has one request more now. */
  #enter(name: string): Flow {
    const flow = this.#flows.get(name) ?? { name, waiting: [], requests: 0, running: 0, served: 0 };
    flow.requests += 1;
    if (flow.requests > 1) return flow;
    this.#flows.set(name, flow);
    this.#busy += 1;
    flow.served = Math.max(flow.served, this.#virtualTime);
    return flow;
  }

  /** Takes a request off a flow; one without any is forgotten once what it was served no longer matters, or too many are remembered. */
  #leave(flow: Flow): void {
    flow.requests -= 1;
    if (flow.requests > 0) return;
    this.#busy -= 1;
    if (flow.served <= this.#virtualTime || this.#flows.size > maxIdleFlows) this.#flows.delete(flow.name);
  }

  #isModest({ name, requests }: Flow): boolean {
    return Math.max(requests, this.#options.inProgress?.(name) ?? 0) <= modestRequests;
  }

  #mayRun(flow: Flow, weight: Weight): boolean {
    const { turns, turnsOfFlow = turns, turnsOfOthers = turns, young } = this.#options;
    const [modest, others] = [this.#ofModest, this.#ofOthers];
    const isLight = weight === "light";
    if (!isLight && this.#isBurstOver()) return false;
    if (!isLight && (modest.running + others.running >= turns || flow.running >= turnsOfFlow)) return false;
    if (this.#busy === 1) return true;
    if (this.#isModest(flow)) return !young || modest.young < young.turns;
    const isWatched = this.#now() - this.#lastModest < modestPauseMs;
    return (isLight || others.running < turnsOfOthers) && (!young || others.young < (isWatched ? 1 : young.turns));
  }

  #begin(flow: Flow, weight: Weight): EndTurn {
    const start = this.#now();
    const running = weight === "light" ? 0 : 1;
    const isModest = this.#isModest(flow);
    const counts = isModest ? this.#ofModest : this.#ofOthers;
    if (isModest) this.#lastModest = start;
    this.#virtualTime = Math.max(this.#virtualTime, flow.served);
    counts.running += running;
    flow.running += running;
    flow.served += costOfTurnMs;
    if (running > 0) this.#noteBurst(start);
    const age = this.#beginYoung(counts);
    return () => {
      age();
      counts.running -= running;
      flow.running -= running;
      flow.served = Math.min(flow.served + this.#now() - start, this.#virtualTime + maxDebtMs);
      this.#leave(flow);
      this.#next();
    };
  }

  #isBurstOver(): boolean {
    return this.#burst !== undefined && this.#now() - this.#burst >= (this.#options.burstMs ?? 0);
  }

  #noteBurst(start: number): void {
    if (this.#options.burstMs === undefined || this.#burst !== undefined) return;
    this.#burst = start;
    setImmediate(() => {
      this.#burst = undefined;
      this.#next();
    });
  }

  /** Counts a turn as young; the result ends that, if it has not ended by itself. */
  #beginYoung(counts: Counts): () => void {
    const { young } = this.#options;
    if (!young) return () => {};
    counts.young += 1;
    let timer: NodeJS.Timeout | undefined = setTimeout(() => {
      timer = undefined;
      counts.young -= 1;
      this.#next();
    }, young.ms);
    return () => {
      if (timer === undefined) return;
      clearTimeout(timer);
      counts.young -= 1;
    };
  }

  #wait(flow: Flow, patienceMs: number, weight: Weight): Promise<EndTurn> {
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        flow.waiting.splice(flow.waiting.indexOf(entry), 1);
        if (flow.waiting.length === 0) this.#waiting.delete(flow);
        this.#leave(flow);
        reject(this.#options.tooLong());
      };
      const timer = Number.isFinite(patienceMs) ? setTimeout(giveUp, patienceMs) : undefined;
      const take = (end: EndTurn) => {
        clearTimeout(timer);
        resolve(end);
      };
      const entry = { weight, take };
      flow.waiting.push(entry);
      this.#waiting.add(flow);
    });
  }

  /** Gives the free turns to those who may have them. */
  #next(): void {
    for (;;) {
      let next: Flow | undefined;
      for (const flow of this.#waiting)
        if (this.#mayRun(flow, flow.waiting[0]?.weight ?? "full") && (!next || this.#isBefore(flow, next))) next = flow;
      const entry = next?.waiting.shift();
      if (!next || !entry) return;
      this.#waiting.delete(next);
      if (next.waiting.length > 0) this.#waiting.add(next);
      entry.take(this.#begin(next, entry.weight));
    }
  }

  /** Modest flows come first while the others have a turn; then who was served least. */
  #isBefore(one: Flow, other: Flow): boolean {
    const [isFirst, isSecond] = [this.#isModest(one), this.#isModest(other)];
    if (isFirst !== isSecond && this.#ofOthers.running > 0) return isFirst;
    return one.served < other.served;
  }
}
