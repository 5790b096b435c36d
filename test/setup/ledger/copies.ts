/**
 * Copies of zones at a secondary of the ledger's own, which asks for what has changed (IXFR, RFC 1995) and applies it, change by change: what
 * the differences lead to is the zone, or they lie. Each round asks from the serial of the round before.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Responder } from "../dns/responder.ts";
import { serialOf, transfer } from "../dns/transfer.ts";
import type { ClientKey } from "../dns/update-client.ts";
import type { World } from "./world.ts";

const pauseMs = 100;

const isSoa = (line: string | undefined) => line?.includes(" TYPE6 ") ?? false;

export class Copies {
  /** How often a zone was brought up to date by differences. */
  replayed = 0;
  readonly #world: World;
  readonly #responder: Responder;
  readonly #faults: string[] = [];
  readonly #zones = new Map<string, { serial: number; lines: Set<string> }>();

  private constructor(world: World, responder: Responder) {
    this.#world = world;
    this.#responder = responder;
  }

  /** Registers the secondary: differences are for those alone to whom a serial was transferred. No change waits for it. */
  static async register(world: World): Promise<Copies> {
    const key = await world.tsigKey({ name: "copies.example" });
    const responder = new Responder();
    responder.key = { name: key.name, key };
    const { address, port } = await responder.open();
    const place = { address, port, tsigKeyId: key.id, notify: false, requiredForLive: false };
    await world.mutate("createSecondary", { name: "copies", ...place }, "secondary { id }");
    return new Copies(world, responder);
  }

  close(): Promise<void> {
    return this.#responder.close();
  }

  /** Keeps the copies of zones up to date while these change; what cannot be transferred now is asked for again. */
  async follow(zones: readonly string[], stopped: AbortSignal): Promise<void> {
    while (!stopped.aborted) {
      for (const zone of zones) await this.update(zone).catch(() => {});
      await sleep(pauseMs);
    }
  }

  /** The differences that did not fit what they were applied to, which no repetition mends, since they were taken last. */
  takeFaults(): string[] {
    return this.#faults.splice(0);
  }

  /** Brings the copy of a zone up to date, and returns its lines in the form of `transfer`; `rcode n` when the service has none. */
  async update(zone: string): Promise<readonly string[]> {
    const copy = this.#zones.get(zone);
    const key = this.#responder.key?.key as ClientKey;
    const sent = await transfer(this.#world.dnsPort, zone, { key, since: copy?.serial });
    if (!isSoa(sent[0])) {
      this.#zones.delete(zone);
      this.#responder.serials.delete(zone);
      return sent;
    }
    const isWhole = sent.length > 1 && !isSoa(sent[1]);
    const lines = isWhole || !copy ? new Set(sent) : this.#applied(zone, copy.lines, sent);
    const serial = serialOf(sent);
    this.#zones.set(zone, { serial, lines });
    this.#responder.serials.set(zone, serial);
    return [...lines];
  }

  /** The lines after the differences: an old SOA begins what each removes, a new one what it adds. */
  #applied(zone: string, before: ReadonlySet<string>, sent: readonly string[]): Set<string> {
    const lines = new Set(before);
    let removes = false;
    for (const line of sent.slice(1, -1)) {
      if (isSoa(line)) removes = !removes;
      if (!removes) lines.add(line);
      else if (!lines.delete(line)) {
        this.#zones.delete(zone);
        this.#faults.push(`the differences of ${zone} remove ${line}, which is not there`);
        throw new Error(this.#faults.at(-1));
      }
    }
    if (sent.length > 1) this.replayed += 1;
    return lines;
  }
}
