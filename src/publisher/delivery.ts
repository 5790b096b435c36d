/**
 * Delivers one zone to one secondary: sends NOTIFY and polls the SOA until the committed serial is served. The two run independently:
 *
 * - NOTIFY: due, sent, then acknowledged (done until the serial moves on or the zone is not transferred), unknown (the secondary learns of
 *   the zone from the catalog), or due again with back-off.
 * - PROBE: due, sent, then current (the delivery is complete), unknown (the zone's serial is raised past the served one), unverified (the
 *   content is compared), or due again with back-off.
 *
 * The pace (urgent-zones.ts): an urgent delivery is probed until the zone is served. A bulk one waits for its turn to send NOTIFY and for
 * the transfer, and is probed within a budget; where no copy is known at the secondary, no NOTIFY is sent before a probe shows that it is
 * configured to serve the zone. `verify` sends no NOTIFY, and becomes bulk when the secondary is behind.
 *
 * A deleted zone gets no NOTIFY. It is current when the secondary refuses it, or serves a later zone of the same name. Where the operator
 * confirms restored backups, NOTIFY waits for a probe that shows a proven copy or none, and no serial is raised before the confirmation.
 */
import { compareSerial, isOnWay, type Serial, serial } from "../dns/serial.ts";
import type { SecondaryEndpoint } from "../secondary/endpoint.ts";
import type { Served } from "../secondary/proof.ts";
import type { Observation } from "../secondary/record-sightings.ts";
import type { Target } from "../secondary/sighting.ts";
import { beginSpan, type Span } from "../trace/span.ts";
import type { PacketQueues } from "./packet-queues.ts";
import type { ContentComparison } from "./packets/content-comparison.ts";
import type { NotifyResult } from "./packets/notify.ts";
import type { ProbeResult } from "./packets/soa-probe.ts";
import {
  type Finding,
  inconclusive,
  ofCompared,
  ofDeletedZone,
  ofServed,
  type Proven,
  type RaiseState,
  unprovenText,
  withoutSerial,
} from "./probe-meaning.ts";
import type { Raises } from "./serial-raises.ts";
import { lastTry } from "./waiting-probes.ts";

const notifySpacingMs = 200;
/** An observation that equals the last one is written again after this time, ms. */
const repeatObservationMs = 60_000;
/** While the zone is behind, an acknowledged NOTIFY is sent again after this time, ms. */
const renotifyMs = 10_000;
const maxUnserved = 100;
/** How long a bulk NOTIFY holds its place while the zone is not transferred, ms. */
const placeMs = 2000;
/** The first try of the probes of a bulk zone after its NOTIFY: 0.8 s. */
const tryAfterNotify = 6;
/**
 * After this many temporary refusals in a row, over at least a minute, a signer that does not let us transfer its copy gets the whole zone.
 */
const maxPassing = 15;

const noProblem: Pick<Observation, "lastError" | "isHeld"> = { lastError: null, isHeld: false };
/** The wait before the next NOTIFY, ms: 200 ms to 30 s, with a random quarter more or less. */
const backOff = (tries: number) => Math.min(30_000, 200 * 1.6 ** Math.min(tries, lastTry)) * (0.75 + Math.random() / 2);
const responseTimeoutMs = (tries: number) => Math.min(2000, 500 * 2 ** Math.min(tries, 4));

/**
 * A serial that the secondary is not proven to serve: the time of its commit, ms since 1970 (`since`), and the time at which this was
 * noticed, ms of performance.now() (`at`).
 */
interface Unserved {
  readonly serial: Serial;
  readonly since: number;
  readonly at: number;
}

/** The pace of a delivery. `look`: as `verify`, but the delivery ends where it would have to compare the content. */
export type Pace = "urgent" | "bulk" | "verify" | "look";

export interface DeliveryHost {
  readonly secondary: Pick<SecondaryEndpoint, "id" | "name" | "notify" | "isIndirect">;
  readonly queues: Pick<PacketQueues, "addNotify" | "addProbe" | "addComparison" | "remove">;
  readonly raises: Pick<Raises, "mayRaise" | "raise">;
  readonly zoneExists: (zone: string) => Promise<boolean>;
  notify(target: Target, timeoutMs: number): Promise<NotifyResult>;
  probe(target: Target, timeoutMs: number): Promise<ProbeResult>;
  /** Returns what a served serial proves; undefined for a deleted domain. */
  prove(domainId: number, served: Served): Promise<Proven | undefined>;
  /** Returns whether no copy of the zone is known at the secondary; false for a deleted domain. */
  isAbsent(domainId: number): Promise<boolean>;
  compareContent(target: Target): Promise<ContentComparison>;
  onObserved(observation: Observation, target: Target, isDoubtful: boolean, isUrgent: boolean): void;
  onDelivered(target: Target): void;
  /** Ends a delivery when other zones wait for its place; returns whether it did. */
  giveUp(domainId: number): boolean;
}

export class Delivery {
  target: Target;
  readonly #host: DeliveryHost;
  #pace: Exclude<Pace, "look">;
  #isLook: boolean;
  #closed = false;
  #notify: "due" | "sent" | "acknowledged" | "unknown" | "off" = "off";
  #notifyTries = 0;
  #notifiedAt = Number.NEGATIVE_INFINITY;
  #notifyTimer: NodeJS.Timeout | undefined;
  #probeTries = 0;
  #leavePlace = () => {};
  #lastObserved = { text: "", at: 0 };
  #isUncleared = false;
  #served: Served | undefined;
  /** The problem of an unproven copy, until the content is compared again. */
  #problem = noProblem;
  /** Temporary refusals in a row to transfer the copy to us. */
  #passing = 0;
  #unserved: Unserved[] = [];
  #span: Span | undefined;

  /** `isAbsent`: no copy of the zone is known at the secondary. */
  constructor(host: DeliveryHost, target: Target, pace: Pace, isAbsent: boolean) {
    this.#host = host;
    this.target = target;
    this.#isLook = pace === "look";
    this.#pace = pace === "look" ? "verify" : pace;
    if (this.#pace === "verify") host.queues.addProbe(this.#probe, 0, false);
    else this.#start(isAbsent);
  }

  retarget(target: Target, pace: "urgent" | "bulk"): void {
    this.#isLook = false;
    if (this.target.serial === target.serial && this.target.isDeleted === target.isDeleted && this.#pace !== "verify")
      return;
    this.target = target;
    this.#pace = pace;
    this.#start(false);
  }

  transferred(): void {
    this.#isLook = false;
    this.#leavePlace();
    this.#probeTries = 0;
    this.#host.queues.addProbe(this.#probe, 0, true);
  }

  /** The first unserved serial; undefined when the secondary is not known to be behind. */
  get unserved(): Unserved | undefined {
    return this.#unserved[0];
  }

  /** Makes the tries that wait for their back-off due now. */
  wake(): void {
    this.#probeTries = 0;
    this.#queueProbe(0);
    if (this.#notify === "due") this.#notifyNow();
  }

  get #isUrgent(): boolean {
    return this.#pace === "urgent";
  }

  #queueProbe(tries: number): void {
    this.#host.queues.addProbe(this.#probe, tries, this.#isUrgent);
  }

  close(): void {
    this.#closed = true;
    this.#endSpan(false);
    clearTimeout(this.#notifyTimer);
    this.#leavePlace();
    for (const task of [this.#probe, this.#sendNotify, this.#compareContent]) this.#host.queues.remove(task);
  }

  #start(isAbsent: boolean): void {
    if (this.#unserved.length < maxUnserved)
      this.#unserved.push({ serial: serial(this.target.serial), since: this.target.since, at: performance.now() });
    this.#beginSpan();
    const hasNotify = !this.target.isDeleted && this.#host.secondary.notify;
    const isUnknown = isAbsent && !this.#isUrgent;
    this.#probeTries = this.#isUrgent || isUnknown || !hasNotify ? 0 : tryAfterNotify;
    this.#queueProbe(this.#probeTries);
    this.#isUncleared = false;
    if (!hasNotify || isUnknown) {
      clearTimeout(this.#notifyTimer);
      this.#notify = hasNotify ? "unknown" : "off";
    } else {
      if (this.#notify !== "due") this.#notifyTries = 0;
      this.#isUncleared = !this.#host.raises.mayRaise;
      if (!this.#isUncleared) this.#notifyNow();
    }
  }

  #beginSpan(): void {
    const { zone, serial, isDeleted } = this.target;
    const attributes = { "zonesmith.zone": zone, "zonesmith.serial": serial, "zonesmith.deleted": isDeleted };
    const secondary = { "zonesmith.secondary": this.#host.secondary.name };
    this.#span ??= beginSpan("deliver zone", { isRoot: true, attributes: { ...attributes, ...secondary } });
  }

  #endSpan(isDelivered: boolean): void {
    this.#span?.end({ attributes: { "zonesmith.delivered": isDelivered } });
    this.#span = undefined;
  }

  #notifyNow(): void {
    const isSending = this.#notify === "sent";
    this.#notify = "due";
    if (isSending) return; // #sendNotify sends the next NOTIFY after the response.
    const wait = Math.max(0, this.#notifiedAt + notifySpacingMs - performance.now());
    clearTimeout(this.#notifyTimer);
    if (wait === 0) this.#host.queues.addNotify(this.#sendNotify, this.#isUrgent);
    else this.#notifyIn(wait);
  }

  #notifyIn(ms: number): void {
    this.#notifyTimer = setTimeout(() => this.#host.queues.addNotify(this.#sendNotify, this.#isUrgent), ms);
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
      if (outcome === "unknown") return;
      this.#notifyTimer = setTimeout(() => this.#queueProbe(0), renotifyMs);
      return this.#isUrgent ? undefined : this.#awaitTransfer();
    }
    this.#notify = "due";
    this.#notifyIn(backOff(this.#notifyTries++));
  };

  /** Holds the place of this bulk NOTIFY until the zone is transferred, or for `placeMs`. */
  async #awaitTransfer(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#leavePlace = resolve;
    const timer = setTimeout(resolve, placeMs);
    await promise;
    clearTimeout(timer);
  }

  readonly #probe = async (): Promise<void> => {
    if (this.#closed) return;
    const { target } = this;
    const result = await this.#host.probe(target, responseTimeoutMs(this.#probeTries));
    if (this.#closed) return;
    const finding = await this.#findingOf(result, target).catch(() => inconclusive(null));
    if (this.#closed) return;
    if (this.#isLook && finding.comparison === "unverified") return this.#host.onDelivered(target);
    this.#conclude(finding, target);
    if (finding.comparison === "unverified" && !this.#closed) this.#host.queues.addComparison(this.#compareContent);
  };

  async #findingOf(result: ProbeResult, target: Target): Promise<Finding> {
    if (result.kind !== "serial") {
      // The secondary is configured to serve the zone, and has no copy.
      if (result.kind === "unloaded" && this.#notify === "unknown" && !target.isDeleted) this.#notifyNow();
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
    const { target } = this;
    const served = this.#served;
    if (this.#closed || target.isDeleted || !served) return;
    const compared = await this.#host.compareContent(target);
    if (this.#closed || this.target.isDeleted) return;
    const hasRefused = compared.kind === "refused" && !this.#host.secondary.isIndirect;
    this.#passing = hasRefused ? this.#passing + 1 : 0;
    const isUnreadable = hasRefused && (!compared.mayPass || this.#passing >= maxPassing);
    const finding = ofCompared(compared, served, serial(target.serial), isUnreadable);
    this.#conclude(finding, target);
    if (finding.comparison === "unverified" && !this.#closed) this.#queueProbe(this.#probeTries++);
  };

  #conclude(finding: Finding, target: Target): void {
    const { comparison, raise, isUnproven, provenSerial } = finding;
    const last = serial(this.target.serial);
    if (provenSerial !== null)
      this.#unserved = this.#unserved.filter((each) => !isOnWay(provenSerial, each.serial, last));
    const { raises, secondary } = this.#host;
    const state = raise ? raises.raise(secondary.id, target, raise) : raises.mayRaise ? "behind" : "held";
    this.#observe(finding, isUnproven && comparison !== "unverified" ? state : undefined);
    const isDelivered = comparison === (this.target.isDeleted ? "refused" : "current");
    if (isDelivered && target === this.target) {
      this.#endSpan(true);
      this.#leavePlace();
      this.#host.onDelivered(target);
      return;
    }
    const waits = comparison === "unknown" || (isUnproven && state === "held");
    const isUnverified = comparison === "unverified";
    if (this.#pace === "verify" && !waits && !isUnverified && comparison !== "inconclusive") {
      this.#pace = "bulk";
      this.#start(comparison === "refused");
      return;
    }
    if (waits && !isUnverified && target === this.target) this.#probeTries = Math.max(this.#probeTries, lastTry);
    if (this.#probeTries > lastTry && this.#host.giveUp(target.domainId)) return;
    this.#queueProbe(isUnverified ? lastTry : this.#probeTries++);
    if (waits || isUnverified || this.#pace === "verify" || comparison === "inconclusive") return;
    const hasZoneNow = comparison === "behind" && this.#notify === "unknown";
    const isOverdue = this.#notify === "acknowledged" && performance.now() - this.#notifiedAt > renotifyMs;
    if (hasZoneNow || isOverdue || this.#isUncleared) this.#notifyNow();
    this.#isUncleared = false;
  }

  #observe(finding: Finding, state: RaiseState | "behind" | undefined): void {
    const { target } = this;
    const { comparison, provenSerial, isUnproven, error } = finding;
    const lastError = state ? unprovenText(finding, state, this.#host.secondary.isIndirect) : error;
    // A serial that is far ahead can also come from a lost history, by an SOA edit with `force`; it is therefore held too.
    const isHeld = state === "held" || (state === "far" && !this.#host.raises.mayRaise);
    const problem = comparison === "unverified" && error === null ? this.#problem : { lastError, isHeld };
    if (comparison !== "inconclusive") this.#problem = isUnproven ? problem : noProblem;
    const content: Omit<Observation, "seenAt"> = {
      ...{ secondaryId: this.#host.secondary.id, domainId: target.domainId, zone: target.zone },
      ...{ serial: finding.serial, provenSerial, isUnproven, ...problem },
      isRefused: comparison === "refused",
    };
    const text = JSON.stringify([content, target.isDeleted]);
    if (text === this.#lastObserved.text && performance.now() - this.#lastObserved.at < repeatObservationMs) return;
    this.#lastObserved = { text, at: performance.now() };
    const seenAt = comparison === "inconclusive" ? null : new Date();
    this.#host.onObserved({ ...content, seenAt }, target, finding.isDoubtful, this.#isUrgent);
  }
}
