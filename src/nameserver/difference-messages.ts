/** The messages of differences (IXFR, RFC 1995 §4), packed for one client. Names are compressed as in any answer. */
import { Flag, Section } from "../dns/message/header.ts";
import type { MessageWriter } from "../dns/message/message-writer.ts";
import { type Name, parseName, zoneNameWire } from "../dns/name.ts";
import { resource } from "./answer.ts";
import type { RequestContext } from "./request-context.ts";
import { fullMessage } from "./zone/zone-packer.ts";
import type { ServedRecord, ServedZone } from "./zone/zone-reader.ts";

export interface SealedMessage {
  readonly octets: Uint8Array;
  readonly records: number;
  readonly isLast: boolean;
}

/** The messages: the SOA, the records of the journal, the SOA again. */
export async function* differences(
  request: RequestContext,
  zone: ServedZone,
  soa: ServedRecord,
  rows: Iterable<readonly ServedRecord[]> | AsyncIterable<readonly ServedRecord[]>,
): AsyncGenerator<SealedMessage> {
  const packer = new MessagePacker(request, zoneNameWire(zone.zone));
  yield* packer.add(soa);
  for await (const some of rows) for (const row of some) yield* packer.add(row);
  yield* packer.add(soa);
  yield packer.take(true);
}

class MessagePacker {
  readonly #request: RequestContext;
  readonly #apex: Name;
  #writer: MessageWriter;
  #owner = "@";
  #name: Name;

  constructor(request: RequestContext, apex: Name) {
    this.#request = request;
    this.#apex = apex;
    this.#name = apex;
    this.#writer = request.begin(Flag.AA);
  }

  /** Adds a record; yields the earlier message when it is full. */
  *add(row: ServedRecord): Generator<SealedMessage> {
    const record = resource(this.#nameOf(row.owner), row);
    if (this.#writer.length >= fullMessage) yield this.take();
    if (this.#writer.add(Section.ANSWER, record)) return;
    yield this.take();
    if (!this.#writer.add(Section.ANSWER, record)) throw new Error(`a record at ${row.owner} fits into no message`);
  }

  /** Returns the message of the records since the last message. */
  take(isLast = false): SealedMessage {
    const records = this.#writer.count(Section.ANSWER);
    const octets = this.#request.seal(this.#writer);
    this.#writer = this.#request.begin(Flag.AA);
    return { octets, records, isLast };
  }

  /** Records of one owner are consecutive: its name is parsed once. */
  #nameOf(owner: string): Name {
    if (owner !== this.#owner) {
      this.#owner = owner;
      this.#name = owner === "@" ? this.#apex : parseName(owner, this.#apex);
    }
    return this.#name;
  }
}
