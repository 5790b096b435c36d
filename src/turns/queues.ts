/**
 * Work and its turns. A request carries its flow (its user, or an administrator's key) through everything that it awaits, so that scarce
 * resources are shared fairly between flows, however many keys a user has. Each of four resources has a fair queue: the event loop with
 * PostgreSQL (`request`), processors for statements that may read whole tables (`search`), connections for the short searches of plans
 * (`find`), and connections that are held while a client sends or reads a zone (`file`). Together they leave connections for the
 * service's own work.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate } from "node:timers/promises";
import { Refusal } from "../errors.ts";
import { Places, tooMany } from "./client-limit.ts";
import { type EndTurn, FairQueue } from "./fair-queue.ts";

export type Kind = "request" | "search" | "find" | "file";

/** The most concurrent searches of plans, which are short: of all flows, and of one. */
const finding = { turns: 4, turnsOfFlow: 3 };

/** How long work waits for a turn, ms; `share` is for searches and files. */
const patienceMs = { request: 10_000, share: 30_000 };

export class Turns {
  readonly queues: Readonly<Record<Kind, FairQueue>>;
  readonly requests: Places;
  readonly streams: Places;

  /** `connections` are those of the database; `requestsOfFlow` are the most requests in progress of one flow, 0: any number. */
  constructor({ connections, requestsOfFlow }: { readonly connections: number; readonly requestsOfFlow: number }) {
    const part = Math.max(1, Math.floor(connections / 5));
    const tooLong = () => unavailable("The service is busy with other requests", 5);
    this.requests = new Places(requestsOfFlow, "requests of this key or its user");
    const inProgress = (flow: string) => this.requests.taken(flow);
    const half = Math.ceil(requestsOfFlow / 2);
    // After `ms` another turn may begin, so that hanging work does not hold up the rest.
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
        // A request may use two connections concurrently.
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

/** The refusal of work that waited too long; `what` is a clause. */
export function unavailable(what: string, retryAfter: number): Refusal {
  return new Refusal("UNAVAILABLE", `${what}; try again in ${retryAfter} s.`, { details: { retryAfter } });
}

const clientHasLeft = () => unavailable("The client has left", 1);

export class Work {
  readonly #turns: Turns;
  readonly flow: string;
  #end: EndTurn | undefined;
  #isLight = false;
  /** How many parts run outside of the turn, and whether the request takes its turn again after them. */
  #away = 0;
  #comesBack = false;
  #isOver = false;
  #leaveStreams: (() => void) | undefined;

  constructor(turns: Turns, flow: string) {
    this.#turns = turns;
    this.flow = flow;
  }

  /** Waits for the turn of the request, unless it has one; returns false when the client has left meanwhile. */
  async begin(waitMs?: number): Promise<boolean> {
    if (this.#isLight) this.giveUp();
    this.#end ??= await this.#turns.queues.request.acquire(this.flow, waitMs);
    if (this.#isOver) this.giveUp();
    return !this.#isOver;
  }

  /** Begins a light turn, which uses no connection of the pool, if it may begin now; returns whether the request has a turn. */
  beginLight(): boolean {
    if (this.#end) return true;
    this.#end = this.#turns.queues.request.tryAcquire(this.flow, "light");
    this.#isLight = this.#end !== undefined;
    return this.#isLight;
  }

  async awaitLight(): Promise<boolean> {
    this.#end = await this.#turns.queues.request.acquire(this.flow, undefined, "light");
    this.#isLight = true;
    if (this.#isOver) this.giveUp();
    return !this.#isOver;
  }

  giveUp(): void {
    this.#end?.();
    this.#end = undefined;
    this.#isLight = false;
    this.#comesBack = false;
  }

  /** Makes the request a stream, which has no turn while its client reads; throws TOO_MANY_REQUESTS when its flow has too many. */
  becomeStream(): void {
    if (!this.#isOver) this.#leaveStreams ??= this.#turns.streams.take(this.flow);
    this.giveUp();
  }

  end(): void {
    this.#isOver = true;
    this.#leaveStreams?.();
    this.giveUp();
  }

  /** Runs a function that waits for other work, without the turn. Afterwards it takes the turn again, without a time limit. */
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

  /** Runs a function in a turn of this kind, without the request's turn. */
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

  async pause(): Promise<void> {
    await setImmediate();
    if (this.#end || this.#isOver) return;
    (await this.#turns.queues.request.acquire(this.flow, Number.POSITIVE_INFINITY))();
  }

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

export function doWork<Result>(work: Work, run: () => Result): Result {
  return running.run(work, run);
}

/** The flow of the running work; the service itself outside of requests. */
export function currentFlow(): string {
  return running.getStore()?.flow ?? "the service";
}

/** Gives up the turn of the running work for good: it only sends its answer, whose parts take turns of their own. */
export function giveUpTurn(): void {
  running.getStore()?.giveUp();
}

/** Makes the running work a stream, whose parts take turns; throws TOO_MANY_REQUESTS when its flow has too many. */
export function becomeStream(): void {
  running.getStore()?.becomeStream();
}

/** Runs a function that waits for other work, without the turn of the running work. */
export function outOfTurn<Result>(run: () => Promise<Result>): Promise<Result> {
  const work = running.getStore();
  return work ? work.outside(run) : run();
}

/** Runs a statement or a file transfer of the running work in a turn of this kind. */
export function inTurn<Result>(kind: Exclude<Kind, "request">, run: () => Promise<Result>): Promise<Result> {
  const work = running.getStore();
  return work ? work.inTurn(kind, run) : run();
}

export function partInTurn<Result>(run: () => Promise<Result>): Promise<Result> {
  const work = running.getStore();
  return work ? work.part(run) : run();
}

/** Pauses between two pieces of the running work; a piece uses the event loop for some milliseconds. */
export function pause(): Promise<void> {
  return running.getStore()?.pause() ?? setImmediate();
}
