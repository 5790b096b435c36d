/**
 * The addresses of the registered secondaries as the name server knows them: asked for at every connection, so kept in
 * memory, and read from the database again now and then while they are asked for.
 */

/** How long they are used before they are read again, ms. */
const maxAgeMs = 5000;

/** `load` reads them; `now` is a clock in milliseconds that never goes back. */
export interface SecondaryAddressesOptions {
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

  /**
   * Whether a secondary is registered at an address, which is as a socket reports it. The answer may be some seconds old;
   * when the database does not answer, the last one stays.
   */
  has(address: string): boolean {
    if (this.#now() - this.#readAt >= maxAgeMs) void this.refresh();
    return this.#addresses.has(address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "").replace(/%.*$/, ""));
  }

  async refresh(): Promise<void> {
    this.#readAt = this.#now();
    this.#addresses = await this.#load().catch(() => this.#addresses);
  }
}
