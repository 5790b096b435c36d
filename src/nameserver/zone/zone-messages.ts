/**
 * The prepared messages of zones that were transferred, kept in memory for the next secondary that requests the same
 * version. Together they take a bounded number of octets, also those that are still being collected, and those of an
 * earlier version that are still being sent. The zone that was requested least recently goes first, of those that are not being sent.
 */
import type { PreparedMessage } from "./zone-packer.ts";

/** The octets that are kept, and of these for one zone, at most. */
const defaultMaxOctets = 64 * 1024 * 1024;
const maxShareOfZone = 1 / 2;

/** What a message takes in memory besides its octets, about. */
const messageOverhead = 200;

/** A zone as it is committed. */
export interface ZoneVersion {
  readonly zoneId: number;
  /** Differs for whatever else was ever committed under the zone's id; null when that is not known. */
  readonly version: string | null;
}

interface KeptZone {
  readonly version: string;
  readonly messages: PreparedMessage[];
  octets: number;
  /** The transfers that they are lent to. */
  readers: number;
}

/** Messages that are lent to a transfer, which gives them back once (`using`). */
export interface LentMessages extends Disposable {
  readonly messages: readonly PreparedMessage[];
}

/** Takes the messages of a zone while they are sent for the first time. */
export interface Collector {
  add(message: PreparedMessage): void;
  /** Keeps the zone when all its messages were added; otherwise forgets them. */
  end(): void;
}

export class ZoneMessages {
  readonly #maxOctets: number;
  /** By zone, the one requested least recently first. */
  readonly #kept = new Map<number, KeptZone>();
  readonly #collecting = new Map<number, KeptZone>();
  #octets = 0;

  constructor(maxOctets: number = defaultMaxOctets) {
    this.#maxOctets = maxOctets;
  }

  /** How many octets the messages take. */
  get octets(): number {
    return this.#octets;
  }

  /** Lends the messages of this version of a zone; undefined when they are not kept. */
  lend({ zoneId, version }: ZoneVersion): LentMessages | undefined {
    const zone = this.#kept.get(zoneId);
    if (!zone || zone.version !== version) return undefined;
    this.#kept.delete(zoneId);
    this.#kept.set(zoneId, zone);
    zone.readers += 1;
    const giveBack = () => {
      zone.readers -= 1;
      if (this.#kept.get(zoneId) !== zone) this.#free(zone);
    };
    return { messages: zone.messages, [Symbol.dispose]: giveBack };
  }

  /** Collects the messages of a version; of one zone, one transfer at a time does. */
  collect({ zoneId, version }: ZoneVersion): Collector | undefined {
    if (version === null || this.#collecting.has(zoneId)) return undefined;
    const zone: KeptZone = { version, messages: [], octets: 0, readers: 0 };
    this.#collecting.set(zoneId, zone);
    return {
      add: (message) => {
        if (this.#collecting.get(zoneId) === zone) this.#add(zoneId, zone, message);
      },
      end: () => {
        if (this.#collecting.get(zoneId) === zone) this.#end(zoneId, zone);
      },
    };
  }

  #add(zoneId: number, zone: KeptZone, message: PreparedMessage): void {
    const octets = message.octets.length + messageOverhead;
    zone.messages.push(message);
    zone.octets += octets;
    this.#octets += octets;
    if (zone.octets > this.#maxOctets * maxShareOfZone) this.#forget(this.#collecting, zoneId);
    for (const [oldest, { readers }] of this.#kept) {
      if (this.#octets <= this.#maxOctets) return;
      if (readers === 0) this.#forget(this.#kept, oldest);
    }
    if (this.#octets > this.#maxOctets) this.#forget(this.#collecting, zoneId);
  }

  #end(zoneId: number, zone: KeptZone): void {
    if (!zone.messages.at(-1)?.isLast) {
      this.#forget(this.#collecting, zoneId);
      return;
    }
    this.#collecting.delete(zoneId);
    this.#forget(this.#kept, zoneId);
    this.#kept.set(zoneId, zone);
  }

  #forget(zones: Map<number, KeptZone>, zoneId: number): void {
    const zone = zones.get(zoneId);
    zones.delete(zoneId);
    if (zone) this.#free(zone);
  }

  /** Frees the messages of a zone that is not kept, unless they are lent. */
  #free(zone: KeptZone): void {
    if (zone.readers > 0) return;
    this.#octets -= zone.octets;
    zone.messages.length = 0;
  }
}
