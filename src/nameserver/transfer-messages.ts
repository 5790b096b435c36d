/**
 * The messages of a transfer, made as fast as the client reads. A transfer from a snapshot has a minimum rate: it holds a turn, and
 * prevents vacuuming in PostgreSQL.
 */

import { setImmediate } from "node:timers/promises";
import type { Logger } from "pino";
import { Flag, Section } from "../dns/message/header.ts";
import type { MessageWriter } from "../dns/message/message-writer.ts";
import { type Name, parseName, zoneNameWire } from "../dns/name.ts";
import { resource } from "./answer.ts";
import type { NameserverHooks } from "./hooks.ts";
import type { RequestContext } from "./request-context.ts";
import { fullMessage, type TransferMessage } from "./zone/zone-packer.ts";
import type { ServedRecord, ServedZone } from "./zone/zone-reader.ts";

/** The octets that a client must read within its time limit (`slowReaderMs`): with the default of 30 s this is 1.1 Mbit/s. */
const leastRead = 4 * 1024 * 1024;
/** The same for a secondary, at 140 kbit/s: cutting it off would leave it serving an earlier zone. */
const leastReadOfSecondary = leastRead / 8;

export const leastOctets = (isSecondary: boolean) => (isSecondary ? leastReadOfSecondary : leastRead);

export interface TransferMessagesDeps {
  readonly hooks: NameserverHooks;
  readonly slowReaderMs: number;
  readonly log: Logger;
}

/** AXFR in prepared messages, or IXFR in messages that are packed for the client. */
export interface Transfer {
  readonly zone: ServedZone;
  readonly kind: "AXFR" | "IXFR";
  readonly messages: Iterable<TransferMessage> | AsyncIterable<TransferMessage>;
  /** How many octets the client must read within the time limit; without a number it may be slow. */
  readonly leastOctets?: number;
}

/** The transfer is recorded before the last message and reported after it. Throws when the client reads too slowly. */
export async function* transferMessages(
  { hooks, log, slowReaderMs }: TransferMessagesDeps,
  request: RequestContext,
  { zone, kind, messages, leastOctets }: Transfer,
): AsyncGenerator<Uint8Array> {
  const { client, key } = request;
  const { address, tls } = client;
  const start = performance.now();
  let [records, octets, unreadMs] = [0, 0, 0];
  for await (const message of messages) {
    const sealed = await slices.run(() => (kind === "AXFR" ? seal(request, message) : message.octets));
    if (message.isLast)
      await hooks.recordTransfer(zone.id, { serial: zone.serial, isWhole: kind === "AXFR" }, address, key);
    records += message.records;
    octets += sealed.length + 2;
    const since = performance.now();
    yield sealed;
    unreadMs += performance.now() - since;
    if (leastOctets !== undefined && unreadMs > slowReaderMs * (1 + octets / leastOctets))
      throw new Error("the client reads too slowly");
  }
  const ms = Math.round(performance.now() - start);
  const report = { zone: zone.zone, serial: zone.serial, kind, address, key, records, octets, ms } as const;
  log.info({ ...report, ...(tls && { tls: true }) }, "transferred");
  hooks.onTransfer?.(report);
}

function seal(request: RequestContext, { octets, records }: TransferMessage): Uint8Array {
  const writer = request.begin(Flag.AA);
  if (!writer.addPacked(Section.ANSWER, octets, records)) throw new Error("a record of the zone fits into no message");
  return request.seal(writer);
}

/** The messages of differences (RFC 1995 §4), packed for one client: the SOA, the records of the journal, the SOA again. */
export async function* differences(
  request: RequestContext,
  zone: ServedZone,
  soa: ServedRecord,
  rows: Iterable<readonly ServedRecord[]> | AsyncIterable<readonly ServedRecord[]>,
): AsyncGenerator<TransferMessage> {
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

  /** Yields the earlier message when it is full. */
  *add(row: ServedRecord): Generator<TransferMessage> {
    const record = resource(this.#nameOf(row.owner), row);
    if (this.#writer.length >= fullMessage) yield this.take();
    if (this.#writer.add(Section.ANSWER, record)) return;
    yield this.take();
    if (!this.#writer.add(Section.ANSWER, record)) throw new Error(`a record at ${row.owner} fits into no message`);
  }

  take(isLast = false): TransferMessage {
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

/** In ms; the last piece of work of a slice may exceed it. */
const sliceMs = 1;

export class Slices {
  readonly #now: () => number;
  /** Resolves when the event loop's turn with the current slice ends; undefined when no slice has begun in this turn. */
  #turn: Promise<void> | undefined;
  #since = 0;

  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** Waits until a slice has time for the work. */
  async run<Result>(piece: () => Result): Promise<Result> {
    while (this.#isOver()) await this.#turn;
    return piece();
  }

  #isOver(): boolean {
    if (this.#turn) return this.#now() - this.#since >= sliceMs;
    this.#since = this.#now();
    this.#turn = setImmediate().then(() => {
      this.#turn = undefined;
    });
    return false;
  }
}

/** All transfers share the slices: there is one event loop. */
const slices = new Slices();
