/**
 * A fair queue: a limited number of turns, shared between flows (users and administrators' keys). A modest flow has few requests in
 * progress. The next turn goes to a modest flow if there is one, and among equals to the flow that was served least (start-time fair
 * queueing). So a flow with one request never waits behind a hundred of another flow. The requests of one flow keep their order.
 */

/** Ends the turn; called once. */
export type EndTurn = () => void;

/** A light turn uses no database connection: it counts as a young turn, not as one of the concurrent turns. */
type Weight = "light" | "full";

export interface FairQueueOptions {
  readonly turns: number;
  readonly turnsOfFlow?: number;
  /** The most concurrent turns of all flows that are not modest, while several flows have work; by default all. */
  readonly turnsOfOthers?: number;
  /**
   * The most young turns while several flows have work; by default any number. A turn is young for its first `ms`, while it competes for
   * the processor; a longer turn waits for something else. While modest flows have had turns recently, the other flows share one young
   * turn.
   */
  readonly young?: { readonly turns: number; readonly ms: number };
  /**
   * For how many ms full turns may begin in one iteration of the event loop; by default without a limit. Without a limit, work that never
   * waits, such as refusing a document, would be done for all requests of a flow that have arrived before a request of another flow is even
   * read.
   */
  readonly burstMs?: number;
  /** The requests in progress of a flow, in the queue or elsewhere; by default those in the queue. */
  readonly inProgress?: (flow: string) => number;
  readonly waitingOfFlow?: number;
  readonly tooMany?: () => Error;
  readonly patienceMs: number;
  readonly tooLong: () => Error;
  readonly now?: () => number;
}

/** The cost of a turn besides its time, ms, so that turns of no measurable time count too. */
const costOfTurnMs = 1;

/** The most ms by which a flow falls behind for its used time; after about that time it gets a turn again. */
const maxDebtMs = 1000;

const maxIdleFlows = 1000;

const modestRequests = 4;

/** How long after a turn of a modest flow its next turn is expected, ms. */
const modestPauseMs = 200;

interface Flow {
  readonly name: string;
  readonly waiting: { readonly weight: Weight; readonly take: (end: EndTurn) => void }[];
  requests: number;
  running: number;
  /** The cost of its turns so far, ms, on the scale of the queue's virtual time. */
  served: number;
}

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
  #busy = 0;
  /** The served time of the flow that got the last turn, before it. A new flow starts there. */
  #virtualTime = 0;
  /** When the first full turn began in this iteration of the event loop; undefined before one. */
  #burst: number | undefined;
  #lastModest = Number.NEGATIVE_INFINITY;

  constructor(options: FairQueueOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  get isIdle(): boolean {
    return this.#busy === 0;
  }

  /** Waits for a turn; throws when the flow has too many waiting requests, or after `patienceMs`. */
  async acquire(name: string, patienceMs = this.#options.patienceMs, weight: Weight = "full"): Promise<EndTurn> {
    const flow = this.#enter(name);
    if (this.#mayRun(flow, weight)) return this.#begin(flow, weight);
    const { waitingOfFlow, tooMany } = this.#options;
    if (!tooMany || waitingOfFlow === undefined || flow.waiting.length < waitingOfFlow)
      return this.#wait(flow, patienceMs, weight);
    this.#leave(flow);
    throw tooMany();
  }

  tryAcquire(name: string, weight: Weight = "full"): EndTurn | undefined {
    const flow = this.#enter(name);
    if (this.#mayRun(flow, weight)) return this.#begin(flow, weight);
    this.#leave(flow);
    return undefined;
  }

  #enter(name: string): Flow {
    const flow = this.#flows.get(name) ?? { name, waiting: [], requests: 0, running: 0, served: 0 };
    flow.requests += 1;
    if (flow.requests > 1) return flow;
    this.#flows.set(name, flow);
    this.#busy += 1;
    flow.served = Math.max(flow.served, this.#virtualTime);
    return flow;
  }

  /** Removes a request from a flow, and forgets an idle flow whose served time does not matter any more. */
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

  /** Counts a turn as young for `young.ms`; the returned function ends that earlier. */
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

  /** Modest flows come first while other flows have a turn; otherwise the flow that was served least comes first. */
  #isBefore(one: Flow, other: Flow): boolean {
    const [isFirst, isSecond] = [this.#isModest(one), this.#isModest(other)];
    if (isFirst !== isSecond && this.#ofOthers.running > 0) return isFirst;
    return one.served < other.served;
  }
}
