/** Reads and writes the octets of record data (RFC 1035 §3.2.1), with uncompressed names. */
import { Malformed } from "./malformed.ts";
import { maxNameLength, type Name } from "./name.ts";

/** Their length field has 16 bits. */
export const maxRdataLength = 65535;

/** Throws Malformed at the end of the octets. */
export class WireReader {
  readonly octets: Uint8Array;
  /** For messages. */
  field = "rdata";
  at = 0;

  constructor(octets: Uint8Array) {
    this.octets = octets;
  }

  get left(): number {
    return this.octets.length - this.at;
  }

  /** The result is a view, not a copy. */
  take(count: number): Uint8Array {
    if (count > this.left) this.refuse("the data ends too early");
    this.at += count;
    return this.octets.subarray(this.at - count, this.at);
  }

  rest(): Uint8Array {
    return this.take(this.left);
  }

  /** Of 1, 2 or 4 octets. */
  number(size: number): number {
    let value = 0;
    for (const octet of this.take(size)) value = value * 256 + octet;
    return value;
  }

  /** One octet of length, then the octets (RFC 1035 §3.3). */
  charString(): Uint8Array {
    return this.take(this.number(1));
  }

  /** Up to the end of the data. */
  list<T>(item: (reader: WireReader) => T): T[] {
    const items: T[] = [];
    while (this.left > 0) items.push(item(this));
    return items;
  }

  /** Uncompressed. */
  name(): Name {
    const start = this.at;
    for (;;) {
      const length = this.number(1);
      if (length > 63) this.refuse("a name is compressed or has a label longer than 63 octets");
      if (length === 0) break;
      this.take(length);
    }
    if (this.at - start > maxNameLength) this.refuse("a name is longer than 255 octets");
    return this.octets.subarray(start, this.at);
  }

  refuse(why: string): never {
    throw new Malformed("rdata", `${this.field}: ${why}.`, this.field);
  }
}

/** At most 65535 octets; throws Malformed beyond. */
export class WireWriter {
  // Most data fits into this small buffer, which costs almost nothing.
  #octets = new Uint8Array(64);
  #length = 0;

  bytes(octets: Uint8Array): void {
    const start = this.#reserve(octets.length);
    this.#octets.set(octets, start);
  }

  /** In 1, 2 or 4 octets. */
  number(value: number, size: number): void {
    const start = this.#reserve(size);
    let left = value;
    for (let i = size - 1; i >= 0; i -= 1) {
      this.#octets[start + i] = left % 256;
      left = Math.floor(left / 256);
    }
  }

  /** Up to 255 octets. */
  charString(octets: Uint8Array): void {
    this.number(octets.length, 1);
    this.bytes(octets);
  }

  /** A copy. */
  result(): Uint8Array {
    return this.#octets.slice(0, this.#length);
  }

  #reserve(count: number): number {
    const start = this.#length;
    const needed = start + count;
    if (needed > maxRdataLength) throw new Malformed("rdata", "The data is longer than 65535 octets.");
    if (needed > this.#octets.length) {
      const grown = new Uint8Array(Math.max(needed, 2 * this.#octets.length));
      grown.set(this.#octets.subarray(0, start));
      this.#octets = grown;
    }
    this.#length = needed;
    return start;
  }
}

export function sameOctets(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((octet, i) => octet === b[i]);
}
