/**
 * Delivers one zone to one secondary: sends NOTIFY and polls the SOA until the committed serial is served. Both run
 * independently of each other:
 *
 *     NOTIFY:  due -> sent -> acknowledged       done, until the serial moves on or the zone is not transferred
 *                        \--> unknown            the zone is not there: the secondary learns of it from the catalog
 *                        \--> failed, silent     due again, with back-off
 *     PROBE:   due -> sent -> current            the delivery is complete
 *                        \--> behind, refused, failed, silent     due again, with back-off
 *                        \--> unknown            the zone's serial is raised past the one that is served
 *                        \--> unverified         its content is compared, in turn
 *
 * The first NOTIFY is sent at once; while the serial keeps moving, the next ones follow at least `notifySpacingMs`
 * apart. A delivery that only verifies sends no NOTIFY: it probes, and becomes an ordinary delivery when the secondary
 * turns out to be behind. A deleted zone is current when the secondary refuses it, or serves a later zone of the same
 * name; no NOTIFY is sent for it.
 *
 * What a secondary serves is current when it is proven to be what is committed (proof.ts). Where the operator wants to
 * confirm a restored backup, NOTIFY waits for a probe that shows a copy of ours, or none, and nothing is raised before that.
 */
import { compareSerial, type Serial, serial, serialIsGreater } from "../dns/serial.ts";
import type { Observation } from "../secondary/observation.ts";
import type { Served } from "../secondary/proof.ts";
import type { Target } from "../secondary/sighting.ts";
import { beginSpan, type Span } from "../trace/span.ts";
import type { ContentComparison } from "./content-comparison.ts";
import {
  type Finding,
  inconclusive,
  ofDeletedZone,
  ofDifference,
  ofProven,
  ofServed,
  type Proven,
  type Raise,
  type RaiseState,
  unprovenText,
  withoutSerial,
} from "./finding.ts";
import type { NotifyResult } from "./notify.ts";
import type { ProbeResult } from "./soa-probe.ts";
import type { Priority, Task } from "./task-queue.ts";

/** What a delivery needs of the worker that runs it. */
export interface DeliveryHost {
  readonly secondaryId: number;
  /** The name of the secondary. */
  readonly name: string;
  readonly takesNotify: boolean;
  readonly isIndirect: boolean;
  /** Whether zones may be published to secondaries that serve what is not proven to be ours. */
  readonly mayRaise: boolean;
  notify(target: Target, timeoutMs: number): Promise<NotifyResult>;
  probe(target: Target, timeoutMs: number): Promise<ProbeResult>;
  queueNotify(task: Task): void;
  queueProbe(task: Task, priority: Priority): void;
  /** Removes a task from the queue that it is in. */
  dequeue(task: Task): void;
  /** What is proven by a serial that is served; undefined for a deleted domain. */
  prove(domainId: number, served: Served): Promise<Proven | undefined>;
  /** Whether the secondary was never given a zone, nor observed to serve it; false for a deleted domain. */
  isAbsent(domainId: number): Promise<boolean>;
  /** Raises the serial of a zone, unless that is held or was done. */
  raise(target: Target, raise: Raise): RaiseState;
  /** Compares the copy of a zone with ours. */
  compareContent(target: Target): Promise<ContentComparison>;
  /** Queues a comparison of content, within a budget. */
  queueComparison(task: Task): void;
  zoneExists(zone: string): Promise<boolean>;
  onObserved(observation: Observation, target: Target, isDoubtful: boolean): void;
  onDelivered(delivery: Delivery): void;
}

const notifySpacingMs = 200;
/** An observation that equals the last one is written again only after this time. */
const repeatObservationMs = 60_000;
/** An acknowledged NOTIFY is sent again when the zone is still behind after this time. */
const renotifyMs = 10_000;
/** Serials that are remembered until they are served, with the time since when. */
const maxUnserved = 100;
/** The number of tries at which the back-off has reached its maximum. */
const maxBackOffTries = 20;

/** The wait before try `tries`: 50 ms, growing to 30 s, a quarter more or less at random. */
function backOff(tries: number): number {
  return Math.min(30_000, 50 * 1.6 ** Math.min(tries, maxBackOffTries)) * (0.75 + Math.random() / 2);
}

/** How long try `tries` waits for a response: 500 ms, growing to 2 s. */
const responseTimeoutMs = (tries: number) => Math.min(2000, 500 * 2 ** Math.min(tries, 4));

export class Delivery {
  target: Target;
  readonly #host: DeliveryHost;
  #verifyOnly: boolean;
  #closed = false;
  #notify: "due" | "sent" | "acknowledged" | "unknown" | "off" = "off";
  #notifyTries = 0;
  /** When the last NOTIFY was sent, ms of performance.now(). */
  #notifiedAt = Number.NEGATIVE_INFINITY;
  #notifyTimer: NodeJS.Timeout | undefined;
  #probeTries = 0;
  #probeTimer: NodeJS.Timeout | undefined;
  /** When the next probe is due, ms of performance.now(). */
  #probeAt = Number.POSITIVE_INFINITY;
  #lastObserved = { text: "", at: 0 };
  /** Whether NOTIFY waits for a probe that shows a copy of ours, or none. */
  #isUncleared = false;
  /** What the last probe showed. */
  #served: Served | undefined;
  /** Since when the target is due, ms of performance.now(); undefined while it is only verified. */
  #dueSince: number | undefined;
  /** The serials that were due and are not proven to be served, the first one first, and since when. */
  #unserved: { readonly serial: Serial; readonly at: number }[] = [];
  #span: Span | undefined;

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

  /** Since when the secondary is behind the target, ms of performance.now(); undefined when it is not known to be. */
  get dueSince(): number | undefined {
    return this.#dueSince;
  }

  /** Since when the secondary does not serve something that was committed, ms of performance.now(); whatever was committed since. */
  get behindSince(): number | undefined {
    return this.#unserved[0]?.at ?? this.#dueSince;
  }

  /** The secondary responds again after a silence: whatever waits for its back-off is due now. */
  wake(): void {
    this.#probeTries = 0;
    this.#scheduleProbe(backOff(0));
    if (this.#notify === "due") this.#notifyNow();
  }

  close(): void {
    this.#closed = true;
    this.#endSpan(false);
    clearTimeout(this.#notifyTimer);
    clearTimeout(this.#probeTimer);
    for (const task of [this.#probe, this.#sendNotify, this.#compareContent]) this.#host.dequeue(task);
  }

  #start(): void {
    this.#verifyOnly = false;
    this.#dueSince = performance.now();
    if (this.#unserved.length < maxUnserved)
      this.#unserved.push({ serial: serial(this.target.serial), at: this.#dueSince });
    this.#beginSpan();
    this.#probeTries = 0;
    this.#scheduleProbe(backOff(0));
    if (this.target.isDeleted || !this.#host.takesNotify) {
      clearTimeout(this.#notifyTimer);
      this.#notify = "off";
      this.#isUncleared = false;
    } else {
      if (this.#notify !== "due") this.#notifyTries = 0;
      this.#isUncleared = !this.#host.mayRaise;
      if (!this.#isUncleared) this.#notifyNow();
    }
  }

  #beginSpan(): void {
    const { zone, serial, isDeleted } = this.target;
    const attributes = { "zonesmith.zone": zone, "zonesmith.serial": serial, "zonesmith.deleted": isDeleted };
    const secondary = { "zonesmith.secondary": this.#host.name };
    this.#span ??= beginSpan("deliver zone", { isRoot: true, attributes: { ...attributes, ...secondary } });
  }

  #endSpan(isDelivered: boolean): void {
    this.#span?.end({ attributes: { "zonesmith.delivered": isDelivered } });
    this.#span = undefined;
  }

  #notifyNow(): void {
    const isSending = this.#notify === "sent";
    this.#notify = "due";
    if (isSending) return; // #sendNotify sends the next one when it has its response.
    const wait = Math.max(0, this.#notifiedAt + notifySpacingMs - performance.now());
    clearTimeout(this.#notifyTimer);
    if (wait === 0) this.#host.queueNotify(this.#sendNotify);
    else this.#notifyTimer = setTimeout(() => this.#host.queueNotify(this.#sendNotify), wait);
  }

  readonly #sendNotify = async (): Promise<void> => {
    if (this.#closed || this.#notify !== "due") return;
    this.#notify = "sent";
    this.#notifiedAt = performance.now();
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
    const at = performance.now() + ms;
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
    if (this.#closed) return;
    const finding = await this.#findingOf(result, target).catch(() => inconclusive(null));
    if (!this.#closed) this.#conclude(finding, target);
  };

  async #findingOf(result: ProbeResult, target: Target): Promise<Finding> {
    if (result.kind !== "serial") {
      const isAbsent = result.kind === "unloaded" && (await this.#host.isAbsent(target.domainId));
      return withoutSerial(result, target, isAbsent);
    }
    this.#served = result;
    const targetSerial = serial(target.serial);
    if (target.isDeleted) {
      const isLater = compareSerial(result.serial, targetSerial) === 1;
      return ofDeletedZone(result.serial, isLater && (await this.#host.zoneExists(target.zone)));
    }
    const proven = await this.#host.prove(target.domainId, result);
    return proven ? ofServed(result, proven, targetSerial) : inconclusive(null);
  }

  readonly #compareContent = async (): Promise<void> => {
    if (this.#closed) return;
    const { target } = this;
    const compared = await this.#host.compareContent(target);
    if (!this.#closed) this.#conclude(this.#findingOfContent(compared, target), target);
  };

  #findingOfContent(compared: ContentComparison, target: Target): Finding {
    if (compared.kind === "equal") return ofProven(compared.served.serial, compared.committed, serial(target.serial));
    if (compared.kind === "different") return ofDifference(compared.served, compared.committed, compared.message);
    // A signer whose content cannot be read is given a transfer, which proves what it serves.
    if (compared.kind === "refused" && !this.#host.isIndirect && this.#served)
      return ofDifference(this.#served, serial(target.serial), compared.message);
    return inconclusive(compared.message);
  }

  /** Stores a finding and does what follows from it. */
  #conclude(finding: Finding, target: Target): void {
    const { comparison, raise, isUnproven, provenSerial } = finding;
    if (provenSerial !== null)
      this.#unserved = this.#unserved.filter((each) => serialIsGreater(each.serial, provenSerial));
    const state = raise ? this.#host.raise(target, raise) : this.#host.mayRaise ? "behind" : "held";
    this.#observe(finding, isUnproven && comparison !== "unverified" ? state : undefined);
    const isDelivered = comparison === (this.target.isDeleted ? "refused" : "current");
    if (isDelivered && target === this.target) {
      this.#endSpan(true);
      this.#host.onDelivered(this);
      return;
    }
    if (comparison === "unverified") this.#host.queueComparison(this.#compareContent);
    const waits = comparison === "unknown" || comparison === "unverified" || (isUnproven && state === "held");
    if (this.#verifyOnly && !waits && comparison !== "inconclusive") {
      this.#start();
      return;
    }
    this.#scheduleProbe(waits ? backOff(maxBackOffTries) : backOff(this.#probeTries++));
    if (waits || this.#verifyOnly || comparison === "inconclusive") return;
    const hasZoneNow = comparison === "behind" && this.#notify === "unknown";
    const isOverdue = this.#notify === "acknowledged" && performance.now() - this.#notifiedAt > renotifyMs;
    if (hasZoneNow || isOverdue || this.#isUncleared) this.#notifyNow();
    this.#isUncleared = false;
  }

  #observe(finding: Finding, state: RaiseState | "behind" | undefined): void {
    const { target } = this;
    const { comparison, serial: served, provenSerial, isUnproven } = finding;
    const observation: Observation = {
      secondaryId: this.#host.secondaryId,
      domainId: target.domainId,
      zone: target.zone,
      serial: served,
      provenSerial,
      isUnproven,
      isHeld: state === "held",
      isRefused: comparison === "refused",
      seenAt: comparison === "inconclusive" ? null : new Date(),
      lastError: state ? unprovenText(finding, state, this.#host.isIndirect) : finding.error,
    };
    const { seenAt, ...content } = observation;
    const text = JSON.stringify([content, target.isDeleted]);
    if (text === this.#lastObserved.text && performance.now() - this.#lastObserved.at < repeatObservationMs) return;
    this.#lastObserved = { text, at: performance.now() };
    this.#host.onObserved(observation, target, finding.isDoubtful);
  }
}
