/**
 * Worker of one secondary: its deliveries, the queues of packets to it, and whether it is silent. A secondary that leaves several requests
 * in a row without a response gets one packet at a time; when it responds again, all delayed tries are due at once. Comparisons of content,
 * which transfer whole zones, get a share of the time. An idle secondary is queried for a zone at intervals, so that its silence is
 * noticed.
 */
import type { Logger } from "pino";
import { serialIsGreater } from "../dns/serial.ts";
import type { SecondaryEndpoint } from "../secondary/endpoint.ts";
import { type EvidenceReader, withObservation } from "../secondary/evidence.ts";
import { type Evidence, prove, type Served } from "../secondary/proof.ts";
import { isLate } from "../secondary/publication.ts";
import { notYetObserved, type Observation } from "../secondary/record-sightings.ts";
import type { SecondaryState } from "../secondary/secondary.ts";
import type { Target } from "../secondary/sighting.ts";
import type { Pieces } from "../turns/long-work.ts";
import { Delivery, type DeliveryHost, type Pace } from "./delivery.ts";
import { PacketQueues } from "./packet-queues.ts";
import { type Committed, type ContentComparison, compareContent } from "./packets/content-comparison.ts";
import { type NotifyResult, notify } from "./packets/notify.ts";
import { type ProbeResult, probeSoa } from "./packets/soa-probe.ts";
import type { UdpSockets } from "./packets/udp-client.ts";
import type { Proven } from "./probe-meaning.ts";
import { SecondaryWatch } from "./secondary-watch.ts";
import type { Raises } from "./serial-raises.ts";
import type { SightingBuffer } from "./sighting-buffer.ts";
import { UrgentZones } from "./urgent-zones.ts";

/** The dependencies that all workers share. */
export interface WorkerDeps {
  readonly sockets: UdpSockets;
  readonly buffer: SightingBuffer;
  readonly term: number;
  readonly evidence: EvidenceReader;
  readonly raises: Raises;
  readonly committedContent: Committed["content"];
  readonly zoneExists: (zone: string) => Promise<boolean>;
  /** Called when the secondary is first observed in this term to serve data that only a lost history can have given it. */
  onDoubted(secondary: SecondaryEndpoint, observation: Observation): void;
  /** Receives the lines about silence and lateness. */
  readonly log: Pick<Logger, "warn" | "info">;
  /** The time limit of LATE, ms since 1970 (isLate in secondary/publication.ts). */
  readonly lateLimit: () => number;
}

/** The number of requests in a row without a response after which a secondary counts as silent. */
const silentAfter = 3;
/**
 * The time without an exchange after which a secondary is queried for a zone, ms; after a request without a response it is queried at once.
 */
const idleMs = 30_000;
/** The pause between two comparisons, ms. */
const compareMs = 60_000;
/** The number of deliveries up to which a comparison adds zones; it leaves out the rest. */
const maxDeliveries = 20_000;
/** The number of deliveries below which the next comparison begins early, after one that left zones out. */
const fewDeliveries = 2000;
/** The pause between two checks whether a secondary has joined, while zones are under way to it, ms: each check may read all zones. */
const joiningMs = 5000;

export class SecondaryWorker implements DeliveryHost {
  readonly secondary: SecondaryEndpoint;
  readonly queues = new PacketQueues(() => this.isSilent);
  readonly raises: Raises;
  readonly zoneExists: WorkerDeps["zoneExists"];
  /** When the secondary first had all zones, ms since 1970; undefined while it is joining. */
  joinedAt: number | undefined;
  /** The time of the last comparison, ms of performance.now(); -Infinity before the first. */
  comparedAt = Number.NEGATIVE_INFINITY;
  /** Whether the last comparison left zones out. */
  #isPartial = false;
  /** When the first of the zones that gave up their places was found to be behind, ms of performance.now(). */
  #givenUpAt: number | undefined;
  /** The time of the last check whether the secondary has joined, ms of performance.now(). */
  #joiningAt = Number.NEGATIVE_INFINITY;
  readonly #deps: WorkerDeps;
  /** By domain. */
  readonly #deliveries = new Map<number, Delivery>();
  readonly #urgent = new UrgentZones();
  #isDoubted = false;
  readonly #stopped = new AbortController();
  /** Whether the secondary was observed to serve the catalog; undefined before the first probe. */
  #followsCatalog: boolean | undefined;
  /** Requests in a row without a response. */
  #unanswered = 0;
  /** When the last request ended, ms of performance.now(). */
  #exchangedAt = 0;
  /** A zone that the secondary serves, for the query when it is idle. The catalog, which needs TCP, only when there is no other zone. */
  #served: Target | undefined;
  readonly #watch: SecondaryWatch;

  constructor(deps: WorkerDeps, secondary: SecondaryEndpoint, followsCatalog: boolean) {
    this.#deps = deps;
    this.secondary = secondary;
    this.raises = deps.raises;
    this.zoneExists = deps.zoneExists;
    this.#followsCatalog = followsCatalog || undefined;
    this.#watch = new SecondaryWatch(deps.log, secondary);
  }

  /** Logs the beginning and the end of silence and lateness, and queries an idle secondary for a zone. Called every second. */
  watch(now: number): void {
    const isDoubtful = this.#unanswered > 0 && !this.isSilent;
    if (this.#served && (isDoubtful || now - this.#exchangedAt >= idleMs)) this.deliver(this.#served, "look");
    const late = [...this.#behind()].flatMap(({ target, isLate }) => (isLate ? [target] : []));
    this.#watch.look(now, this.isSilent, late);
  }

  /**
   * Delivers a zone as it is committed now, at this pace. `isAbsent`: no copy is known at the secondary. Does nothing once the worker is
   * closed: changes may still be read while the publisher stops.
   */
  deliver(target: Target, pace: Pace, isAbsent = false): void {
    if (this.#stopped.signal.aborted) return;
    if (target.isCatalog && !this.secondary.key && this.secondary.keyError === undefined) return;
    if (target.isDeleted && target.domainId === this.#served?.domainId) this.#served = undefined;
    if (target.isDeleted && !this.#followsCatalog) {
      this.#drop(target.domainId);
      return;
    }
    const running = this.#deliveries.get(target.domainId);
    if (pace !== "verify" && pace !== "look") running?.retarget(target, pace);
    if (running) return;
    // The row exists before the first probe: until the secondary refuses the deleted zone, it may still serve it.
    if (target.isDeleted) this.#deps.buffer.add(notYetObserved(this.secondary.id, target));
    this.#deliveries.set(target.domainId, new Delivery(this, target, pace, isAbsent));
  }

  /** Delivers zones of one source as they are committed now. `isAbsent`: no copy of the zone is known at the secondary. */
  async deliverFrom<Zone extends Target>(
    source: string,
    zones: readonly Zone[],
    pieces: Pieces,
    isAbsent: (zone: Zone) => boolean = () => false,
  ): Promise<void> {
    const pace = this.#urgent.begin(source, zones);
    for (const zone of zones) {
      this.deliver(zone, pace, isAbsent(zone));
      await pieces.next();
    }
  }

  /** Called after a zone was transferred to the secondary: a probe follows soon. */
  transferred(target: Target): void {
    this.deliver(target, "verify");
    this.#deliveries.get(target.domainId)?.transferred();
  }

  close(): void {
    this.#stopped.abort();
    this.queues.close();
    this.raises.forget(this.secondary.id);
    for (const domainId of [...this.#deliveries.keys()]) this.#drop(domainId);
  }

  #drop(domainId: number): void {
    this.#deliveries.get(domainId)?.close();
    this.#deliveries.delete(domainId);
    this.#urgent.end(domainId);
  }

  /** Whether the secondary leaves requests without a response. */
  get isSilent(): boolean {
    return this.#unanswered >= silentAfter;
  }

  /**
   * Whether a comparison is due: after a minute, or earlier when the last one left zones out and few deliveries remain. For a silent
   * secondary, only when few deliveries remain.
   */
  get isComparisonDue(): boolean {
    const areFew = this.size < fewDeliveries;
    if (this.isSilent && !areFew) return false;
    return (this.#isPartial && areFew) || performance.now() - this.comparedAt > compareMs;
  }

  /** The number of zones that a comparison may add. */
  get room(): number {
    return Math.max(0, maxDeliveries - this.size);
  }

  /** Called after a comparison; `isPartial`: it left zones out. */
  compared(isPartial: boolean): void {
    this.comparedAt = performance.now();
    this.#isPartial = isPartial;
    if (!isPartial) this.#givenUpAt = undefined;
  }

  /**
   * Ends a delivery when a comparison left zones out that wait for its place; returns whether it did. A later comparison adds the zone
   * again.
   */
  giveUp(domainId: number): boolean {
    if (!this.#isPartial || this.isSilent) return false;
    const at = this.#deliveries.get(domainId)?.unserved?.at;
    if (at !== undefined) this.#givenUpAt = Math.min(this.#givenUpAt ?? at, at);
    this.#drop(domainId);
    return true;
  }

  /** Whether to check now if the secondary has joined: not when a comparison left zones out, or many deliveries remain. */
  isJoiningDue(now: number): boolean {
    if (this.joinedAt || this.#isPartial || this.size >= fewDeliveries) return false;
    if (this.size > 0 && now - this.#joiningAt < joiningMs) return false;
    this.#joiningAt = now;
    return true;
  }

  /** Returns the state of the secondary; `now` is the time of performance.now(), ms. */
  state(now: number): SecondaryState {
    let [pending, late, lagMs] = [0, 0, now - (this.#givenUpAt ?? now)];
    for (const { isLate, at } of this.#behind()) {
      if (isLate) late += 1;
      else pending += 1;
      lagMs = Math.max(lagMs, now - at);
    }
    return { name: this.secondary.name, isSilent: this.isSilent, isJoining: !this.joinedAt, pending, late, lagMs };
  }

  /** The targets that the secondary does not serve, and when that was noticed. Without the catalog where the secondary refuses it. */
  *#behind(): Generator<{ readonly target: Target; readonly isLate: boolean; readonly at: number }> {
    const limit = this.#deps.lateLimit();
    for (const { target, unserved } of this.#deliveries.values())
      if (unserved && !(target.isCatalog && this.#followsCatalog === false))
        yield { target, isLate: isLate(unserved.since, this.joinedAt, limit), at: unserved.at };
  }

  /** The number of deliveries that are not complete. */
  get size(): number {
    return this.#deliveries.size;
  }

  /** The targets of the deliveries. */
  get targets(): Target[] {
    return [...this.#deliveries.values()].map(({ target }) => target);
  }

  /** Makes all tries that wait for their back-off due now. */
  wake(): void {
    for (const delivery of this.#deliveries.values()) delivery.wake();
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
    const question = { zone: target.zone, overTcp: target.isCatalog };
    const result = await probeSoa(this.#deps.sockets, this.secondary, question, timeoutMs);
    this.#countUnanswered(result.kind !== "silent");
    this.#deps.buffer.addContact(this.secondary.id, {
      ...(result.kind === "refused" && this.#ignores(target)
        ? {}
        : { queriedAt, queryAnswer: result.message, queryZone: target.zone }),
      ...tsigContact(result.kind === "failed" ? result.tsigError : undefined),
    });
    return result;
  }

  /** Whether the secondary does not follow the catalog, so that its refusal of the catalog is no problem to show. */
  #ignores(target: Target): boolean {
    return target.isCatalog && !this.#followsCatalog;
  }

  #countUnanswered(hasResponded: boolean): void {
    this.#exchangedAt = performance.now();
    const wasSilent = this.isSilent;
    this.#unanswered = hasResponded ? 0 : this.#unanswered + 1;
    if (hasResponded && wasSilent) this.wake();
  }

  async #evidence(domainId: number): Promise<Evidence | undefined> {
    const { buffer, evidence, term } = this.#deps;
    // Read before the evidence, which then contains observations that are written meanwhile.
    const unwritten = buffer.unwritten(this.secondary.id, domainId);
    const stored = await evidence({ secondaryId: this.secondary.id, domainId });
    return stored && withObservation(stored, unwritten, term);
  }

  async prove(domainId: number, served: Served): Promise<Proven | undefined> {
    const evidence = await this.#evidence(domainId);
    if (!evidence) return undefined;
    const raised = this.raises.raisedTo(this.secondary.id, domainId);
    return {
      proof: prove(served, this.secondary, evidence, this.#deps.term),
      committed: evidence.committed,
      isRaised: raised !== undefined && serialIsGreater(raised, served.serial),
    };
  }

  async isAbsent(domainId: number): Promise<boolean> {
    const evidence = await this.#evidence(domainId);
    if (!evidence) return false;
    const { transferred, before } = evidence;
    return transferred.length === 0 && (!before || (before.serial === null && before.provenSerial === null));
  }

  async compareContent(target: Target): Promise<ContentComparison> {
    const source = { ...this.secondary, localAddress: await this.#deps.sockets.sourceFor(this.secondary) };
    const serial = async (domainId: number) =>
      (await this.#deps.evidence({ secondaryId: this.secondary.id, domainId }))?.committed;
    return compareContent(source, target, { content: this.#deps.committedContent, serial }, this.#stopped.signal);
  }

  onObserved(observation: Observation, target: Target, isDoubtful: boolean): void {
    if (target.isCatalog && observation.seenAt) this.#followsCatalog = observation.serial !== null;
    if (observation.provenSerial !== null) this.raises.proven(this.secondary.id, target.domainId);
    if (isDoubtful && !this.#isDoubted) {
      this.#isDoubted = true;
      this.#deps.buffer.addContact(this.secondary.id, { doubtedTerm: this.#deps.term });
      this.#deps.onDoubted(this.secondary, observation);
    }
    this.#deps.buffer.add(observation);
  }

  onDelivered(target: Target): void {
    if (!target.isDeleted && (!this.#served || !target.isCatalog)) this.#served = target;
    this.#drop(target.domainId);
  }
}

function tsigContact(tsigError: string | undefined) {
  return tsigError === undefined ? {} : { tsigErrorAt: new Date(), tsigError };
}
