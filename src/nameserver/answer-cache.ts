/**
 * Answers that are sent again while their zone is unchanged (zone/freshness.ts), to requests with the same octets after the id. Limitation:
 * a change without an entry in the journal, as by SQL, shows when an answer is read again, after about a minute.
 */

import type { Client } from "./hooks.ts";
import type { Freshness, ReadZone, Source, Ticket } from "./zone/freshness.ts";

/**
 * The least time for which an answer is kept, ms. The actual time is between this and twice this, so that not all answers are read again at
 * once.
 */
const minKeptMs = 45_000;
/** The maximum numbers; answers over TCP may be long. */
const limits = {
  udp: { entries: 100_000, octets: 48 * 1024 * 1024 },
  tcp: { entries: 10_000, octets: 16 * 1024 * 1024 },
} as const;
const maxRequestOctets = 300;
/** Octets, about. */
const entryOverhead = 250;
interface Entry {
  readonly answer: string;
  readonly source: Source;
  readonly until: number;
  readonly octets: number;
}

/** Oldest first; the oldest is removed first. */
class KeptAnswers {
  readonly #entries = new Map<string, Entry>();
  readonly #limit: { readonly entries: number; readonly octets: number };
  #octets = 0;

  constructor(limit: { readonly entries: number; readonly octets: number }) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The valid entry of a request, whatever its id. */
  find(request: Uint8Array, now: number): Entry | undefined {
    if (this.#entries.size === 0 || request.length > maxRequestOctets) return undefined;
    const key = latin1(request, 2);
    const entry = this.#entries.get(key);
    if (!entry || (entry.source.isValid && entry.until > now)) return entry;
    this.#remove(key);
    return undefined;
  }

  add(request: Uint8Array, entry: Entry): void {
    const key = latin1(request, 2);
    this.#remove(key);
    this.#entries.set(key, entry);
    this.#octets += entry.octets;
    for (const [oldest] of this.#entries) {
      if (this.size <= this.#limit.entries && this.#octets <= this.#limit.octets) return;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    this.#octets -= this.#entries.get(key)?.octets ?? 0;
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#octets = 0;
  }
}

export class AnswerCache {
  readonly #freshness: Freshness;
  readonly #kept = { udp: new KeptAnswers(limits.udp), tcp: new KeptAnswers(limits.tcp) };

  constructor(freshness: Freshness) {
    this.#freshness = freshness;
    freshness.onCleared = () => {
      this.#kept.udp.clear();
      this.#kept.tcp.clear();
    };
  }

  get size(): number {
    return this.#kept.udp.size + this.#kept.tcp.size;
  }

  /** Returns the kept answer to a request if it can be sent without a check of the journal. */
  current(protocol: Client["protocol"], request: Uint8Array): Uint8Array | undefined {
    const entry = this.#kept[protocol].find(request, this.#freshness.now());
    return entry && this.#freshness.isChecked ? answerOf(entry, request) : undefined;
  }

  async find(protocol: Client["protocol"], request: Uint8Array): Promise<Uint8Array | undefined> {
    const kept = this.#kept[protocol];
    if (!kept.find(request, this.#freshness.now())) return undefined;
    if (!(await this.#freshness.check())) return undefined;
    const entry = kept.find(request, this.#freshness.now());
    return entry && answerOf(entry, request);
  }

  /** Keeps an answer from a zone, or for a name outside our zones, unless there was a change since the ticket. */
  keep(protocol: Client["protocol"], request: Uint8Array, answer: Uint8Array, ticket: Ticket, from?: ReadZone): void {
    if (request.length > maxRequestOctets) return;
    const source = this.#freshness.sourceOf(ticket, from);
    if (!source) return;
    this.#kept[protocol].add(request, {
      answer: latin1(answer, 0),
      source,
      until: this.#freshness.now() + minKeptMs * (1 + Math.random()),
      octets: request.length + answer.length + entryOverhead,
    });
  }
}

function latin1(octets: Uint8Array, start: number): string {
  const buffer = Buffer.isBuffer(octets) ? octets : Buffer.from(octets.buffer, octets.byteOffset, octets.length);
  return buffer.toString("latin1", start);
}

function answerOf({ answer }: Entry, request: Uint8Array): Uint8Array {
  const octets = Buffer.allocUnsafe(answer.length);
  octets.write(answer, 0, "latin1");
  octets[0] = request[0] as number;
  octets[1] = request[1] as number;
  return octets;
}
