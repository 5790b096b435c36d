/**
 * The messages of a transfer, made only as fast as the client reads. What comes from a snapshot has a least rate: it holds a turn, and keeps
 * PostgreSQL from vacuuming. What comes from memory has none: it holds up nobody, and a line may be slow.
 */

import { setImmediate } from "node:timers/promises";
import type { Logger } from "pino";
import { Flag, Section } from "../dns/message/header.ts";
import type { SealedMessage } from "./difference-messages.ts";
import type { NameserverHooks } from "./hooks.ts";
import type { RequestContext } from "./request-context.ts";
import type { PreparedMessage } from "./zone/zone-packer.ts";
import type { ServedZone } from "./zone/zone-reader.ts";

/** Octets that a client reads at least, on average, in the time in which it must read something: with the default of 30 s 1.1 Mbit/s. */
const leastRead = 4 * 1024 * 1024;
/** The same of a secondary: 140 kbit/s, since without the zone it serves an old one. */
const leastReadOfSecondary = leastRead / 8;

/** The octets that the client of a transfer from a snapshot must read in the time in which it must read something. */
export const leastOctets = (isSecondary: boolean) => (isSecondary ? leastReadOfSecondary : leastRead);

/** Dependencies of the messages of a transfer. */
export interface TransferMessagesDeps {
  readonly hooks: NameserverHooks;
  /** The time in which a client must read something, ms. */
  readonly slowReaderMs: number;
  readonly log: Logger;
}

/** What is transferred of a zone: the whole zone (AXFR) in prepared messages, or differences (IXFR) in sealed ones. */
export interface Transfer {
  readonly zone: ServedZone;
  readonly kind: "AXFR" | "IXFR";
  readonly messages: Iterable<PreparedMessage> | AsyncIterable<PreparedMessage | SealedMessage>;
  /** What the client must read in the time in which it must read something; without a number it may be slow. */
  readonly leastOctets?: number;
}

/**
 * The messages of a transfer, which is recorded before the last one is sent and reported after it. Throws when the client reads too slowly,
 * of the time in which messages wait for it.
 */
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

/** Makes a message for one client out of a prepared one. */
function seal(request: RequestContext, { octets, records }: PreparedMessage): Uint8Array {
  const writer = request.begin(Flag.AA);
  if (!writer.addPacked(Section.ANSWER, octets, records)) throw new Error("a record of the zone fits into no message");
  return request.seal(writer);
}

/** How long the work of one turn takes, ms; the last piece may take it beyond. */
const sliceMs = 1;

export class Slices {
  readonly #now: () => number;
  /** The end of the turn in which the last slice began; undefined when that is over. */
  #turn: Promise<void> | undefined;
  #since = 0;

  /** `now` is a clock in milliseconds that never goes back. */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** Runs a piece of work as soon as the slice of a turn has time for it. */
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

/** The messages of all transfers are made in the same slices: there is one event loop. */
const slices = new Slices();
