/**
 * The prepared messages of transferred zones, kept for the next secondary that requests the version. Their size is limited, including those
 * that are still collected or sent. The zone that was requested least recently is removed first, unless it is being sent.
 */
import type { TransferMessage } from "./zone-packer.ts";

/** Octets of all zones, and the share of one. */
const defaultMaxOctets = 32 * 1024 * 1024;
const maxShareOfZone = 1 / 2;

/** Octets of memory beside those of messages, about: most zones have one small message. */
const [zoneOverhead, messageOverhead] = [800, 200];

export interface ZoneVersion {
  readonly zoneId: number;
  /** Unique under the zone's id; null when it is not known. */
  readonly version: string | null;
}

interface KeptZone {
  readonly version: string;
  readonly messages: TransferMessage[];
  octets: number;
  readers: number;
}

/** Released once (`using`). */
interface LentMessages extends Disposable {
  readonly messages: readonly TransferMessage[];
}

interface Collector {
  add(message: TransferMessage): void;
  /** Keeps the zone when all its messages were added. */
  end(): void;
}

export class ZoneMessages {
  readonly #maxOctets: number;
  /** The one requested least recently first. */
  readonly #kept = new Map<number, KeptZone>();
  readonly #collecting = new Map<number, KeptZone>();
  #octets = 0;

  constructor(maxOctets: number = defaultMaxOctets) {
    this.#maxOctets = maxOctets;
  }

  get octets(): number {
    return this.#octets;
  }

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

  /** Undefined while another transfer collects the zone. */
  collect({ zoneId, version }: ZoneVersion): Collector | undefined {
    if (version === null || this.#collecting.has(zoneId)) return undefined;
    const zone: KeptZone = { version, messages: [], octets: zoneOverhead, readers: 0 };
    this.#octets += zoneOverhead;
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

  /** Unless a transfer uses them. */
  #free(zone: KeptZone): void {
    if (zone.readers > 0) return;
    this.#octets -= zone.octets;
    zone.messages.length = 0;
  }
}
