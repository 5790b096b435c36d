/** The addresses of registered secondaries, which the name server needs at every connection, in memory. */
import { plainAddress } from "../net/listening-address.ts";

/** How old the addresses may be before they are read again, ms. */
const maxAgeMs = 5000;

/** `load` reads the addresses; `now` is a monotonic clock in milliseconds. */
interface SecondaryAddressesOptions {
  readonly load: () => Promise<ReadonlySet<string>>;
  readonly now?: () => number;
}

export class SecondaryAddresses {
  readonly #load: () => Promise<ReadonlySet<string>>;
  readonly #now: () => number;
  #addresses: ReadonlySet<string> = new Set();
  #readAt = Number.NEGATIVE_INFINITY;

  constructor({ load, now = () => performance.now() }: SecondaryAddressesOptions) {
    this.#load = load;
    this.#now = now;
  }

  /** Whether a secondary is registered at this address of a socket. The answer may be seconds old, older if the database is silent. */
  has(address: string): boolean {
    if (this.#now() - this.#readAt >= maxAgeMs) void this.refresh();
    return this.#addresses.has(plainAddress(address));
  }

  async refresh(): Promise<void> {
    this.#readAt = this.#now();
    this.#addresses = await this.#load().catch(() => this.#addresses);
  }
}
