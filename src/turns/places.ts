/**
 * Counts what is in progress for each client, up to a limit: nobody waits here, whoever comes too late is refused before it costs
 * anything. Limitation: each instance counts for itself.
 */
import { Refusal } from "../errors.ts";

export class Places {
  readonly #taken = new Map<string, number>();
  readonly #limit: number;
  readonly #what: string;

  /** `limit` places for each client, 0 means any number; `what` names those who take them, such as "requests of this address". */
  constructor(limit: number, what: string) {
    this.#limit = limit;
    this.#what = what;
  }

  /** How many places a client has taken. */
  taken(client: string): number {
    return this.#taken.get(client) ?? 0;
  }

  /** Takes a place; the result gives it back and is called once. TOO_MANY_REQUESTS when all are taken. */
  take(client: string): () => void {
    const taken = this.#taken.get(client) ?? 0;
    if (this.#limit > 0 && taken >= this.#limit) throw tooMany(taken, this.#what);
    this.#taken.set(client, taken + 1);
    return () => {
      const left = (this.#taken.get(client) as number) - 1;
      if (left > 0) this.#taken.set(client, left);
      else this.#taken.delete(client);
    };
  }
}

/** The refusal of what comes when `count` are in progress already. */
export function tooMany(count: number, what: string): Refusal {
  const message = `${count} ${what} are in progress; wait for their answers before you send more.`;
  return new Refusal("TOO_MANY_REQUESTS", message, { details: { retryAfter: 1 } });
}
