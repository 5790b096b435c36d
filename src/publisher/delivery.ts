/**
 * Delivers one zone to one secondary: sends NOTIFY and polls the SOA until the committed serial is served. Both run
 * independently of each other:
 *
 *     NOTIFY:  due -> sent -> acknowledged       done, until the serial moves on or the zone is not transferred
 *                        \--> unknown            the zone is not there: the secondary learns of it from the catalog
 *                        \--> failed, silent     due again, with back-off
 *     PROBE:   due -> sent -> current            the delivery is complete
 *                        \--> behind, refused, failed, silent, ahead     due again, with back-off
 *
 * The first NOTIFY is sent at once; while the serial keeps moving, the next ones follow at least `notifySpacingMs`
 * apart. A delivery that only verifies sends no NOTIFY: it probes, and becomes an ordinary delivery when the secondary
 * turns out to be behind. A deleted zone is current when the secondary refuses it, or serves a later zone of the same
 * name; no NOTIFY is sent for it.
 *
 * Ahead: the secondary serves a serial past the committed one, which it did not get from us, as after a database was
 * restored from a backup. A secondary that signs the zone may run ahead, by `maxSignerLead` at most. Limitation: a
 * signer whose serials do not count on from ours (unixtime) may compare as behind, and is then never LIVE. Limitation:
 * the serial of a signer that runs ahead does not show which of our changes it contains, so that a change may be
 * reported as LIVE before the signer has transferred it.
 */
import { compareSerial, type Serial, serial } from "../dns/serial.ts";
import type { Observation, Target } from "../secondary/sighting.ts";
import type { NotifyResult } from "./notify.ts";
import type { ProbeResult } from "./soa-probe.ts";
import type { Priority, Task } from "./task-queue.ts";

/** What a delivery needs of the worker that runs it. */
export interface DeliveryHost {
  readonly secondaryId: number;
  readonly takesNotify: boolean;
  notify(target: Target, timeoutMs: number): Promise<NotifyResult>;
  probe(target: Target, timeoutMs: number): Promise<ProbeResult>;
  queueNotify(task: Task): void;
  queueProbe(task: Task, priority: Priority): void;
  /** Removes a task from the queue that it is in. */
  dequeue(task: Task): void;
  /** The committed serial now; undefined when the domain is deleted. */
  committedSerial(domainId: number): Promise<number | undefined>;
  zoneExists(zone: string): Promise<boolean>;
  onObserved(observation: Observation, target: Target): void;
  onDelivered(delivery: Delivery): void;
}

const notifySpacingMs = 200;
/** How far the serial of a secondary that signs may be past the committed one. */
const maxSignerLead = 100_000;
/** An observation that equals the last one is written again only after this time. */
const repeatObservationMs = 60_000;
/** An acknowledged NOTIFY is sent again when the zone is still behind after this time. */
const renotifyMs = 10_000;
/** The number of tries at which the back-off has reached its maximum. */
const maxBackOffTries = 20;

/** The wait before try `tries`: 50 ms, growing to 30 s, a quarter more or less at random. */
function backOff(tries: number): number {
  return Math.min(30_000, 50 * 1.6 ** Math.min(tries, maxBackOffTries)) * (0.75 + Math.random() / 2);
}

/** How long try `tries` waits for a response: 500 ms, growing to 2 s. */
const responseTimeoutMs = (tries: number) => Math.min(2000, 500 * 2 ** Math.min(tries, 4));

/** What the secondary serves compared with the target; inconclusive when the probe says nothing about the zone. */
type Comparison = "current" | "behind" | "ahead" | "refused" | "inconclusive";

export class Delivery {
  target: Target;
  readonly #host: DeliveryHost;
  #verifyOnly: boolean;
  #closed = false;
  #notify: "due" | "sent" | "acknowledged" | "unknown" | "off" = "off";
  #notifyTries = 0;
  /** When the last NOTIFY was sent, ms since the epoch. */
  #notifiedAt = 0;
  #notifyTimer: NodeJS.Timeout | undefined;
  #probeTries = 0;
  #probeTimer: NodeJS.Timeout | undefined;
  /** When the next probe is due, ms since the epoch. */
  #probeAt = Number.POSITIVE_INFINITY;
  #lastObserved = { text: "", at: 0 };

  /** With `verifyOnly`, nothing is sent but probes of low priority until the secondary is found to be behind. */
  constructor(host: DeliveryHost, target: Target, { verifyOnly }: { readonly verifyOnly: boolean }) {
    this.#host = host;
    this.target = target;
    this.#verifyOnly = verifyOnly;
    if (verifyOnly) host.queueProbe(this.#probe, "low");
    else this.#start();
  }

  /** Delivers what was committed since: a new serial, or the deletion of the zone. */
  retarget(target: Target): void {
    if (this.target.serial === target.serial && this.target.isDeleted === target.isDeleted && !this.#verifyOnly) return;
    this.target = target;
    this.#start();
  }

  /** The secondary responds again after a silence: whatever waits for its back-off is due now. */
  wake(): void {
    this.#probeTries = 0;
    this.#scheduleProbe(backOff(0));
    if (this.#notify === "due") this.#notifyNow();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#notifyTimer);
    clearTimeout(this.#probeTimer);
    this.#host.dequeue(this.#probe);
    this.#host.dequeue(this.#sendNotify);
  }

  #start(): void {
    this.#verifyOnly = false;
    this.#probeTries = 0;
    this.#scheduleProbe(backOff(0));
    if (this.target.isDeleted || !this.#host.takesNotify) {
      clearTimeout(this.#notifyTimer);
      this.#notify = "off";
    } else {
      if (this.#notify !== "due") this.#notifyTries = 0;
      this.#notifyNow();
    }
  }

  #notifyNow(): void {
    const isSending = this.#notify === "sent";
    this.#notify = "due";
    if (isSending) return; // #sendNotify sends the next one when it has its response.
    const wait = Math.max(0, this.#notifiedAt + notifySpacingMs - Date.now());
    clearTimeout(this.#notifyTimer);
    if (wait === 0) this.#host.queueNotify(this.#sendNotify);
    else this.#notifyTimer = setTimeout(() => this.#host.queueNotify(this.#sendNotify), wait);
  }

  readonly #sendNotify = async (): Promise<void> => {
    if (this.#closed || this.#notify !== "due") return;
    this.#notify = "sent";
    this.#notifiedAt = Date.now();
    const { outcome } = await this.#host.notify(this.target, responseTimeoutMs(this.#notifyTries));
    if (this.#closed || this.target.isDeleted) return;
    if ((this.#notify as string) === "due") return this.#notifyNow(); // the serial moved on meanwhile
    if (outcome === "acknowledged" || outcome === "unknown") {
      this.#notify = outcome;
      return;
    }
    this.#notify = "due";
    this.#notifyTimer = setTimeout(() => this.#host.queueNotify(this.#sendNotify), backOff(this.#notifyTries++ + 3));
  };

  /** Makes a probe due after `ms`, unless one is due sooner. */
  #scheduleProbe(ms: number): void {
    const at = Date.now() + ms;
    if (at >= this.#probeAt) return;
    clearTimeout(this.#probeTimer);
    this.#probeAt = at;
    this.#probeTimer = setTimeout(() => this.#host.queueProbe(this.#probe, this.#verifyOnly ? "low" : "high"), ms);
  }

  readonly #probe = async (): Promise<void> => {
    if (this.#closed) return;
    clearTimeout(this.#probeTimer);
    this.#probeAt = Number.POSITIVE_INFINITY;
    const { target } = this;
    const result = await this.#host.probe(target, responseTimeoutMs(this.#probeTries));
    const comparison = this.#closed
      ? "inconclusive"
      : await this.#compare(result).catch((): Comparison => "inconclusive");
    if (this.#closed) return;
    this.#observe(result, comparison);
    const isDelivered = comparison === (this.target.isDeleted ? "refused" : "current");
    if (isDelivered && target === this.target) return this.#host.onDelivered(this);
    if (this.#verifyOnly && comparison !== "inconclusive") return this.#start();
    this.#scheduleProbe(comparison === "ahead" ? backOff(maxBackOffTries) : backOff(this.#probeTries++));
    const hasZoneNow = comparison === "behind" && this.#notify === "unknown";
    const isOverdue = this.#notify === "acknowledged" && Date.now() - this.#notifiedAt > renotifyMs;
    if (hasZoneNow || isOverdue) this.#notifyNow();
  };

  async #compare(result: ProbeResult): Promise<Comparison> {
    if (result.kind === "refused") return "refused";
    if (result.kind !== "serial") return "inconclusive";
    const { target } = this;
    const order = compareSerial(result.serial, serial(target.serial));
    if (target.isDeleted) return order === 1 && (await this.#host.zoneExists(target.zone)) ? "refused" : "behind";
    if (order === 0) return "current";
    if (order === -1) return "behind";
    if (result.isSigned && (result.serial - target.serial + 2 ** 32) % 2 ** 32 <= maxSignerLead) return "current";
    return this.#compareWithCommitted(result.serial);
  }

  /** Compares a serial past the target's: either it was committed meanwhile, or the secondary is ahead. */
  async #compareWithCommitted(served: Serial): Promise<Comparison> {
    const committed = await this.#host.committedSerial(this.target.domainId);
    if (committed === undefined) return "inconclusive";
    const order = compareSerial(served, serial(committed));
    return order === 0 || order === -1 ? "current" : "ahead";
  }

  #observe(result: ProbeResult, comparison: Comparison): void {
    const { target } = this;
    const observation: Observation = {
      secondaryId: this.#host.secondaryId,
      domainId: target.domainId,
      zone: target.zone,
      serial: result.kind === "serial" && comparison !== "refused" ? result.serial : null,
      isRefused: comparison === "refused",
      isAhead: comparison === "ahead",
      seenAt: comparison === "inconclusive" ? null : new Date(),
      lastError: errorOf(result, comparison, target),
    };
    const { isRefused, isAhead, lastError } = observation;
    const text = `${observation.serial} ${isRefused} ${isAhead} ${lastError} ${target.isDeleted}`;
    if (text === this.#lastObserved.text && Date.now() - this.#lastObserved.at < repeatObservationMs) return;
    this.#lastObserved = { text, at: Date.now() };
    this.#host.onObserved(observation, target);
  }
}

/** What is wrong at the secondary and how the operator corrects it; null when nothing is. */
function errorOf(result: ProbeResult, comparison: Comparison, target: Target): string | null {
  if (comparison === "ahead") {
    const problem = `It serves serial ${result.message}, which is ahead of our ${target.serial}, as after a restored backup`;
    return `${problem}, and accepts nothing older; resync the zone, which raises our serial past it.`;
  }
  if (comparison === "refused") return target.isDeleted ? null : `It does not have the zone (${result.message}).`;
  return result.kind === "serial" ? null : `${result.message[0]?.toUpperCase()}${result.message.slice(1)}.`;
}
