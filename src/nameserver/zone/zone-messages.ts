/**
 * The prepared messages of transferred zones, kept in memory for the next secondary that requests the same version. Their total size is
 * limited, including messages that are still collected, and those of an earlier version that are still sent. The zone that was requested
 * least recently is removed first, unless it is being sent.
 */
import type { TransferMessage } from "./zone-packer.ts";

/** The maximum number of kept octets, of all zones and of one zone. */
const defaultMaxOctets = 64 * 1024 * 1024;
const maxShareOfZone = 1 / 2;

/** The memory of a message besides its octets, about. */
const messageOverhead = 200;

/** A committed version of a zone. */
export interface ZoneVersion {
  readonly zoneId: number;
  /** Unique among all versions that were ever committed under the zone's id; null when it is not known. */
  readonly version: string | null;
}

interface KeptZone {
  readonly version: string;
  readonly messages: TransferMessage[];
  octets: number;
  /** The number of transfers that use them. */
  readers: number;
}

/** Messages that a transfer uses and releases once (`using`). */
export interface LentMessages extends Disposable {
  readonly messages: readonly TransferMessage[];
}

/** Collects the messages of a zone while they are sent for the first time. */
export interface Collector {
  add(message: TransferMessage): void;
  /** Keeps the zone when all its messages were added; otherwise discards them. */
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

  /** The memory of the messages, octets. */
  get octets(): number {
    return this.#octets;
  }

  /** Returns the messages of this version of a zone; undefined when they are not kept. */
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

  /** Returns a collector for the messages of a version; undefined while another transfer collects the zone. */
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

  #add(zoneId: number, zone: KeptZone, message: TransferMessage): void {
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

  /** Frees the messages of a zone that is no longer kept, unless a transfer uses them. */
  #free(zone: KeptZone): void {
    if (zone.readers > 0) return;
    this.#octets -= zone.octets;
    zone.messages.length = 0;
  }
}
