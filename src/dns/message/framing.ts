/** Messages over TCP: a length of two octets before each message (RFC 1035 §4.2.2, RFC 7766 §8). */

export function lengthPrefix(message: Uint8Array): Uint8Array {
  return Uint8Array.of(message.length >> 8, message.length & 255);
}

/** Chunks may begin and end anywhere. */
export class FrameReader {
  #highOctet: number | undefined;
  /** Undefined between messages. */
  #message: Uint8Array | undefined;
  #filled = 0;

  *push(chunk: Uint8Array): Generator<Uint8Array> {
    let at = 0;
    while (at < chunk.length) {
      const message = this.#message ?? this.#readLength(chunk[at++] as number);
      if (!message) continue;
      const part = chunk.subarray(at, at + message.length - this.#filled);
      message.set(part, this.#filled);
      this.#filled += part.length;
      at += part.length;
      if (this.#filled < message.length) continue;
      this.#message = undefined;
      yield message;
    }
  }

  /** Returns the message to fill once the length is whole. */
  #readLength(octet: number): Uint8Array | undefined {
    if (this.#highOctet === undefined) {
      this.#highOctet = octet;
      return undefined;
    }
    this.#message = new Uint8Array(this.#highOctet * 256 + octet);
    this.#highOctet = undefined;
    this.#filled = 0;
    return this.#message;
  }
}
