/**
 * The work of a request and its turns: every request carries its flow along, which is its user or an administrator's key, through all that it
 * awaits, so that whatever is scarce can be shared fairly between them, however many keys a user makes. Scarce are four things, each with a
 * fair queue: the event loop with PostgreSQL's attention (`request`), processors for statements that may read whole tables (`search`), the
 * connections of searches by plans, which are ended soon (`find`), and connections that are kept for as long as a client takes to send or
 * read a zone (`file`). Together they leave database connections to the service's own work.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate } from "node:timers/promises";
import { Refusal } from "../errors.ts";
import { type EndTurn, FairQueue } from "./fair-queue.ts";
import { Places, tooMany } from "./places.ts";

/** What a turn is for. */
export type Kind = "request" | "search" | "find" | "file";

/** Searches by plans at a time, which wait for nobody for long: of all flows, and of one. */
const finding = { turns: 4, turnsOfFlow: 3 };

/** How long one waits for a turn, ms; a search or a file takes its time. */
const patienceMs = { request: 10_000, share: 30_000 };

/** What the turns are divided by: connections to the database, and requests in progress of one flow (0: any number). */
export interface TurnLimits {
  readonly connections: number;
  readonly requestsOfFlow: number;
}

/** The turns of a service. */
export class Turns {
  readonly queues: Readonly<Record<Kind, FairQueue>>;
  /** The requests in progress of each flow. */
  readonly requests: Places;
  /** The streams of each flow. */
  readonly streams: Places;

  constructor({ connections, requestsOfFlow }: TurnLimits) {
    const part = Math.max(1, Math.floor(connections / 5));
    const tooLong = () => unavailable("The service is busy with other requests", 5);
    this.requests = new Places(requestsOfFlow, "requests of this key or its user");
    const inProgress = (flow: string) => this.requests.taken(flow);
    const half = Math.ceil(requestsOfFlow / 2);
    // One that takes longer than `ms` is joined by the next, so that one which hangs holds up nobody else.
    const share = (limit: number, what: string, ms: number) =>
      new FairQueue({
        turns: part,
        turnsOfFlow: Math.max(1, part - 1),
        young: { turns: 1, ms },
        inProgress,
        patienceMs: patienceMs.share,
        tooLong,
        ...(limit > 0 && { waitingOfFlow: limit, tooMany: () => tooMany(limit, `${what} of this key or its user`) }),
      });
    this.queues = {
      request: new FairQueue({
        turns: connections + part,
        turnsOfFlow: Math.max(1, connections - part),
        // Each may read in two connections at a time.
        turnsOfOthers: Math.max(1, Math.floor(connections / 3)),
        young: { turns: 3, ms: 20 },
        burstMs: 2,
        inProgress,
        patienceMs: patienceMs.request,
        tooLong,
      }),
      search: share(half, "searches and counts", 500),
      find: new FairQueue({ ...finding, inProgress, patienceMs: patienceMs.share, tooLong }),
      file: share(half, "zone files", 2000),
    };
    this.streams = new Places(half, "streams of this key or its user");
  }
}

/** The refusal of what waited too long; `what` is a clause. */
export function unavailable(what: string, retryAfter: number): Refusal {
  return new Refusal("UNAVAILABLE", `${what}; try again in ${retryAfter} s.`, { details: { retryAfter } });
}

const clientHasLeft = () => unavailable("The client has left", 1);

/** A request, from the moment its flow is known. */
export class Work {
  readonly #turns: Turns;
  /** The user, or the administrator's key, that it is done for. */
  readonly flow: string;
  #end: EndTurn | undefined;
  #isLight = false;
  /** How much of it goes on outside of the turn, and whether the turn is taken again after that. */
  #away = 0;
  #comesBack = false;
  #isOver = false;
  #leaveStreams: (() => void) | undefined;

  constructor(turns: Turns, flow: string) {
    this.#turns = turns;
    this.flow = flow;
  }

  /** Waits for the turn of the request, unless it has that; returns false when its client has left meanwhile. */
  async begin(waitMs?: number): Promise<boolean> {
    if (this.#isLight) this.giveUp();
    this.#end ??= await this.#turns.queues.request.acquire(this.flow, waitMs);
    if (this.#isOver) this.giveUp();
    return !this.#isOver;
  }

  /** Begins a turn that takes no connection of the pool, if it may begin now, unless the request has a turn. */
  beginLight(): boolean {
    if (this.#end) return true;
    this.#end = this.#turns.queues.request.tryAcquire(this.flow, "light");
    this.#isLight = this.#end !== undefined;
    return this.#isLight;
  }

  /** Waits for such a turn; returns false when its client has left meanwhile. */
  async awaitLight(): Promise<boolean> {
    this.#end = await this.#turns.queues.request.acquire(this.flow, undefined, "light");
    this.#isLight = true;
    if (this.#isOver) this.giveUp();
    return !this.#isOver;
  }

  /** Gives the turn up for good, if it has one. */
  giveUp(): void {
    this.#end?.();
    this.#end = undefined;
    this.#isLight = false;
    this.#comesBack = false;
  }

  /** Makes it a stream, which has no turn while its client reads; TOO_MANY_REQUESTS when its flow has too many. */
  becomeStream(): void {
    if (!this.#isOver) this.#leaveStreams ??= this.#turns.streams.take(this.flow);
    this.giveUp();
  }

  /** Ends the work: it takes no turn any more. */
  end(): void {
    this.#isOver = true;
    this.#leaveStreams?.();
    this.giveUp();
  }

  /** Runs something that waits for others, without the turn; a wait ends with the turn taken again, however long that takes. */
  async outside<Result>(run: () => Promise<Result>): Promise<Result> {
    if (this.#end) {
      this.giveUp();
      this.#comesBack = true;
    }
    this.#away += 1;
    try {
      return await run();
    } finally {
      this.#away -= 1;
      if (this.#away === 0 && this.#comesBack) {
        this.#comesBack = false;
        await this.begin(Number.POSITIVE_INFINITY);
      }
    }
  }

  /** Runs something in a turn of its own kind, outside of the request's. */
  async inTurn<Result>(kind: Exclude<Kind, "request">, run: () => Promise<Result>): Promise<Result> {
    return this.outside(async () => {
      const end = await this.#turns.queues[kind].acquire(this.flow);
      try {
        if (this.#isOver) throw clientHasLeft();
        return await run();
      } finally {
        end();
      }
    });
  }

  /** Lets others go first between two pieces of long work. */
  async pause(): Promise<void> {
    await setImmediate();
    if (this.#end || this.#isOver) return;
    (await this.#turns.queues.request.acquire(this.flow, Number.POSITIVE_INFINITY))();
  }

  /** Runs a part of a request that has given its turn up in a turn of the request. */
  async part<Result>(run: () => Promise<Result>): Promise<Result> {
    if (!(await this.begin())) throw clientHasLeft();
    try {
      return await run();
    } finally {
      this.giveUp();
    }
  }
}

const running = new AsyncLocalStorage<Work>();

/** Runs something as a piece of work. */
export function doWork<Result>(work: Work, run: () => Result): Result {
  return running.run(work, run);
}

/** The flow that the running work is done for; outside of every request it is the service itself. */
export function currentFlow(): string {
  return running.getStore()?.flow ?? "the service";
}

/** Gives the turn of the running work up for good: what is left is to send the answer, and to read parts of it in turns of their own. */
export function giveUpTurn(): void {
  running.getStore()?.giveUp();
}

/** Makes the running work a stream, whose parts take turns; TOO_MANY_REQUESTS when its flow has too many. */
export function becomeStream(): void {
  running.getStore()?.becomeStream();
}

/** Runs something that waits for others, without the turn of the running work. */
export function outOfTurn<Result>(run: () => Promise<Result>): Promise<Result> {
  const work = running.getStore();
  return work ? work.outside(run) : run();
}

/** Runs a statement or a file of the running work in a turn of this kind. */
export function inTurn<Result>(kind: Exclude<Kind, "request">, run: () => Promise<Result>): Promise<Result> {
  const work = running.getStore();
  return work ? work.inTurn(kind, run) : run();
}

/** Runs a part of a stream in a turn of the running work. */
export function partInTurn<Result>(run: () => Promise<Result>): Promise<Result> {
  const work = running.getStore();
  return work ? work.part(run) : run();
}

/** Lets others go first between two pieces of the running work; a piece takes the event loop for some milliseconds. */
export function pause(): Promise<void> {
  return running.getStore()?.pause() ?? setImmediate();
}
