/**
 * A limited number of concurrent turns, shared between flows, such as networks or keys. Flows are served in rounds, one turn each; one
 * without a turn in the last round comes first. turns/fair-queue.ts counts the time of turns, which is mostly the client's in a transfer.
 */

/** Further calls have no effect. */
export type EndTurn = () => void;

type Waiter = (end: EndTurn) => void;

export class FairTurns {
  readonly #turnsOfFlow: number;
  #free: number;
  /** The number of turns so far, and of the last turn of each flow of the last round, oldest first. */
  #given = 0;
  readonly #lastTurns = new Map<string, number>();
  readonly #running = new Map<string, number>();
  /** The waiting requests by flow; first the flows without a turn in the last round. */
  readonly #overdue = new Map<string, Waiter[]>();
  readonly #round = new Map<string, Waiter[]>();

  constructor(turns: number, turnsOfFlow: number) {
    this.#free = turns;
    this.#turnsOfFlow = turnsOfFlow;
  }

  acquire(flow: string): Promise<EndTurn> {
    if (this.#free > 0 && this.#mayRun(flow)) return Promise.resolve(this.#begin(flow));
    return new Promise((resolve) => {
      const waiters = this.#overdue.get(flow) ?? this.#round.get(flow);
      if (waiters) waiters.push(resolve);
      else (this.#lastTurns.has(flow) ? this.#round : this.#overdue).set(flow, [resolve]);
    });
  }

  #mayRun(flow: string): boolean {
    return (this.#running.get(flow) ?? 0) < this.#turnsOfFlow;
  }

  #begin(flow: string): EndTurn {
    this.#free -= 1;
    this.#given += 1;
    this.#running.set(flow, (this.#running.get(flow) ?? 0) + 1);
    this.#lastTurns.delete(flow);
    this.#lastTurns.set(flow, this.#given);
    this.#forgetEarlierRounds();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#end(flow);
    };
  }

  /** A round has one turn for each waiting flow. */
  #forgetEarlierRounds(): void {
    const start = this.#given - this.#round.size - this.#overdue.size;
    for (const [flow, turn] of this.#lastTurns) {
      if (turn >= start) return;
      this.#lastTurns.delete(flow);
    }
  }

  #end(flow: string): void {
    this.#free += 1;
    const running = (this.#running.get(flow) ?? 0) - 1;
    if (running > 0) this.#running.set(flow, running);
    else this.#running.delete(flow);
    while (this.#free > 0 && (this.#serveNext(this.#overdue) || this.#serveNext(this.#round)));
  }

  /** Gives a turn to the first flow below its maximum, if any. */
  #serveNext(flows: Map<string, Waiter[]>): boolean {
    for (const [flow, waiters] of flows) {
      const waiter = this.#mayRun(flow) ? waiters.shift() : undefined;
      if (!waiter) continue;
      flows.delete(flow);
      if (waiters.length > 0) this.#round.set(flow, waiters);
      waiter(this.#begin(flow));
      return true;
    }
    return false;
  }
}

/** One secondary gets at most half of the turns. All other clients together get half, at least one, and one user half of that. */
export class TransferTurns {
  readonly #all: FairTurns;
  readonly #others: FairTurns;

  constructor(turns: number) {
    const others = Math.max(1, Math.floor(turns / 2));
    this.#all = new FairTurns(turns, Math.ceil(turns / 2));
    this.#others = new FairTurns(others, Math.ceil(others / 2));
  }

  async acquire(holder: string, isSecondary: boolean): Promise<EndTurn> {
    if (isSecondary) return this.#all.acquire(holder);
    const endShare = await this.#others.acquire(holder);
    const endTurn = await this.#all.acquire("others");
    return () => {
      endTurn();
      endShare();
    };
  }
}
