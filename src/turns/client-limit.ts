/** Limits the work in progress of each client; more is refused at once. Limitation: each instance counts for itself. */
import { Refusal } from "../errors.ts";

export class Places {
  readonly #taken = new Map<string, number>();
  readonly #limit: number;
  readonly #what: string;

  /** `limit` 0 is any number; `what` names the contents of the places, such as "requests of this address". */
  constructor(limit: number, what: string) {
    this.#limit = limit;
    this.#what = what;
  }

  taken(client: string): number {
    return this.#taken.get(client) ?? 0;
  }

  /** Takes a place, and returns a function that frees it, called once; throws TOO_MANY_REQUESTS when all are taken. */
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

export function tooMany(count: number, what: string): Refusal {
  const message = `${count} ${what} are in progress; wait for their answers before you send more.`;
  return new Refusal("TOO_MANY_REQUESTS", message, { details: { retryAfter: 1 } });
}
