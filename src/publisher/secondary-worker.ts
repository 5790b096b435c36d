/**
 * Worker of one secondary: its deliveries, the two queues of packets to it, and whether it is silent. A secondary that
 * leaves several requests in a row without a response gets one packet at a time; when it responds again, everything
 * that was put off is due at once.
 */
import type { SecondaryEndpoint } from "../secondary/endpoint.ts";
import type { Observation, Target } from "../secondary/sighting.ts";
import { Delivery, type DeliveryHost } from "./delivery.ts";
import { type NotifyResult, notify } from "./notify.ts";
import type { SightingBuffer } from "./sighting-buffer.ts";
import { type ProbeResult, probeSoa } from "./soa-probe.ts";
import { type Priority, type Task, TaskQueue } from "./task-queue.ts";
import type { UdpSockets } from "./udp-client.ts";

/** What all workers share. */
export interface WorkerDeps {
  readonly sockets: UdpSockets;
  readonly buffer: SightingBuffer;
  /** The committed serial of a domain now; undefined when it is deleted. */
  committedSerial(domainId: number): Promise<number | undefined>;
  zoneExists(zone: string): Promise<boolean>;
}

/** Packets in flight to one secondary, of each queue. */
const maxPacketsInFlight = 50;
/** Requests in a row without a response after which a secondary counts as silent. */
const silentAfter = 3;

export class SecondaryWorker implements DeliveryHost {
  readonly secondary: SecondaryEndpoint;
  readonly #deps: WorkerDeps;
  /** By domain. */
  readonly #deliveries = new Map<number, Delivery>();
  readonly #notifies = new TaskQueue(() => this.#maxInFlight);
  readonly #probes = new TaskQueue(() => this.#maxInFlight);
  /** Whether the secondary was observed to serve the catalog. */
  #followsCatalog: boolean;
  /** Requests in a row without a response. */
  #unanswered = 0;
  #isClosed = false;

  constructor(deps: WorkerDeps, secondary: SecondaryEndpoint, followsCatalog: boolean) {
    this.#deps = deps;
    this.secondary = secondary;
    this.#followsCatalog = followsCatalog;
  }

  /**
   * Delivers a zone as it is committed now; with `verifyOnly`, a zone that the secondary is believed to serve. Does
   * nothing once the worker is closed: changes may still be read while the publisher stops.
   */
  deliver(target: Target, { verifyOnly = false }: { readonly verifyOnly?: boolean } = {}): void {
    if (this.#isClosed) return;
    if (target.isCatalog && !this.secondary.key && this.secondary.keyError === undefined) return;
    if (target.isDeleted && !this.#followsCatalog) {
      this.#drop(target.domainId);
      return;
    }
    const running = this.#deliveries.get(target.domainId);
    if (running) {
      if (!verifyOnly) running.retarget(target);
      return;
    }
    // A row before the first probe: until the secondary refuses the deleted zone, it may still serve it.
    if (target.isDeleted) this.#deps.buffer.add(notYetObserved(this.secondary.id, target));
    this.#deliveries.set(target.domainId, new Delivery(this, target, { verifyOnly }));
  }

  close(): void {
    this.#isClosed = true;
    for (const domainId of [...this.#deliveries.keys()]) this.#drop(domainId);
  }

  #drop(domainId: number): void {
    this.#deliveries.get(domainId)?.close();
    this.#deliveries.delete(domainId);
  }

  get #isSilent(): boolean {
    return this.#unanswered >= silentAfter;
  }

  get #maxInFlight(): number {
    return this.#isSilent ? 1 : maxPacketsInFlight;
  }

  get secondaryId(): number {
    return this.secondary.id;
  }

  get takesNotify(): boolean {
    return this.secondary.notify;
  }

  async notify(target: Target, timeoutMs: number): Promise<NotifyResult> {
    const notifiedAt = new Date();
    const result = await notify(this.#deps.sockets, this.secondary, target.zone, timeoutMs);
    this.#countUnanswered(result.outcome !== "silent");
    this.#deps.buffer.addContact(this.secondary.id, {
      ...(result.outcome === "unknown" && this.#ignores(target) ? {} : { notifiedAt, notifyAnswer: result.message }),
      ...tsigContact(result.tsigError),
    });
    return result;
  }

  async probe(target: Target, timeoutMs: number): Promise<ProbeResult> {
    const queriedAt = new Date();
    const result = await probeSoa(this.#deps.sockets, this.secondary, target, timeoutMs);
    this.#countUnanswered(result.kind !== "silent");
    this.#deps.buffer.addContact(this.secondary.id, {
      ...(result.kind === "refused" && this.#ignores(target) ? {} : { queriedAt, queryAnswer: result.message }),
      ...tsigContact(result.kind === "failed" ? result.tsigError : undefined),
    });
    return result;
  }

  /** Whether it does not follow the catalog, and so rightly refuses it: no answer to show in place of a zone's. */
  #ignores(target: Target): boolean {
    return target.isCatalog && !this.#followsCatalog;
  }

  #countUnanswered(hasResponded: boolean): void {
    const wasSilent = this.#isSilent;
    this.#unanswered = hasResponded ? 0 : this.#unanswered + 1;
    if (hasResponded && wasSilent) for (const delivery of this.#deliveries.values()) delivery.wake();
  }

  queueNotify(task: Task): void {
    this.#notifies.add(task, "high");
  }

  queueProbe(task: Task, priority: Priority): void {
    this.#probes.add(task, priority);
  }

  dequeue(task: Task): void {
    this.#notifies.remove(task);
    this.#probes.remove(task);
  }

  committedSerial(domainId: number): Promise<number | undefined> {
    return this.#deps.committedSerial(domainId);
  }

  zoneExists(zone: string): Promise<boolean> {
    return this.#deps.zoneExists(zone);
  }

  onObserved(observation: Observation, target: Target): void {
    if (target.isCatalog && observation.seenAt) this.#followsCatalog = observation.serial !== null;
    this.#deps.buffer.add(observation);
  }

  onDelivered(delivery: Delivery): void {
    this.#drop(delivery.target.domainId);
  }
}

function notYetObserved(secondaryId: number, { domainId, zone }: Target): Observation {
  return { secondaryId, domainId, zone, serial: null, isRefused: false, isAhead: false, seenAt: null, lastError: null };
}

function tsigContact(tsigError: string | undefined) {
  return tsigError === undefined ? {} : { tsigErrorAt: new Date(), tsigError };
}
