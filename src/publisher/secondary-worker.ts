/**
 * The worker of one secondary: its deliveries, the queues of packets to it, and whether it is silent. After several requests without a
 * response it gets one packet at a time; when it responds again, all delayed tries are due at once. An idle secondary is queried for a zone
 * now and then, so that its silence is noticed.
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
import { type Page, ZoneWalk } from "./zone-walk.ts";

export interface WorkerDeps {
  readonly sockets: UdpSockets;
  readonly buffer: SightingBuffer;
  readonly term: number;
  readonly evidence: EvidenceReader;
  readonly raises: Raises;
  readonly committedContent: Committed["content"];
  readonly zoneExists: (zone: string) => Promise<boolean>;
  /** Called when the secondary is first observed in this term to serve data of a lost history. */
  onDoubted(secondary: SecondaryEndpoint, observation: Observation): void;
  readonly log: Pick<Logger, "warn" | "info">;
  /** Ms since 1970 (isLate in secondary/publication.ts). */
  readonly lateLimit: () => number;
}

/** Requests in a row without a response. */
const silentAfter = 3;
/** The time without an exchange after which a secondary is queried for a zone, ms. */
const idleMs = 30_000;
/** With more deliveries a secondary has not joined. */
const maxJoining = 2000;
/** The pause between two checks whether a secondary has joined, ms: each may read all zones. */
const joiningMs = 5000;

export class SecondaryWorker implements DeliveryHost {
  readonly secondary: SecondaryEndpoint;
  readonly queues = new PacketQueues(() => this.isSilent);
  readonly raises: Raises;
  readonly zoneExists: WorkerDeps["zoneExists"];
  /** Ms since 1970; undefined while the secondary is joining. */
  joinedAt: number | undefined;
  readonly walk = new ZoneWalk();
  #joiningAt = Number.NEGATIVE_INFINITY;
  readonly #deps: WorkerDeps;
  readonly #deliveries = new Map<number, Delivery>();
  readonly #urgent = new UrgentZones();
  #isDoubted = false;
  readonly #stopped = new AbortController();
  /** Whether it serves each catalog, by id; empty before the first probe of one. */
  readonly #catalogs: Map<number, boolean>;
  #unanswered = 0;
  /** In ms of performance.now(). */
  #exchangedAt = 0;
  /** A zone for the query when the secondary is idle; the catalog, which needs TCP, only when there is no other. */
  #served: Target | undefined;
  readonly #watch: SecondaryWatch;

  /** `catalogs`: the ids of those that it was seen to serve. */
  constructor(deps: WorkerDeps, secondary: SecondaryEndpoint, catalogs: readonly number[]) {
    this.#deps = deps;
    this.secondary = secondary;
    this.raises = deps.raises;
    this.zoneExists = deps.zoneExists;
    this.#catalogs = new Map(catalogs.map((id) => [id, true]));
    this.#watch = new SecondaryWatch(deps.log, secondary);
  }

  /** Undefined before the first probe of a catalog. */
  get #followsCatalog(): boolean | undefined {
    return this.#catalogs.size === 0 ? undefined : [...this.#catalogs.values()].includes(true);
  }

  /** Logs silence and lateness, and queries an idle secondary. Called every second. */
  watch(now: number): void {
    const isDoubtful = this.#unanswered > 0 && !this.isSilent;
    if (this.#served && (isDoubtful || now - this.#exchangedAt >= idleMs)) this.deliver(this.#served, "look");
    const late = [...this.#behind()].flatMap(({ target, isLate }) => (isLate ? [target] : []));
    this.#watch.look(now, this.isSilent, late);
  }

  /** `isAbsent`: no copy is known at the secondary. Does nothing once the worker is closed: changes may still be read then. */
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
    if (target.isDeleted) this.#deps.buffer.add(notYetObserved(this.secondary.id, target), true);
    this.#deliveries.set(target.domainId, new Delivery(this, target, pace, isAbsent));
  }

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

  get isSilent(): boolean {
    return this.#unanswered >= silentAfter;
  }

  nextPage(now: number): Page | undefined {
    return this.walk.next(now, () => ({
      deliveries: this.size,
      verifications: [...this.#deliveries.values()].filter(({ unserved }) => !unserved).length,
      isSilent: this.isSilent,
    }));
  }

  /** Ends a delivery when other zones wait for its place; returns whether it did. The walk finds the zone again. */
  giveUp(domainId: number): boolean {
    if (!this.walk.lacksRoom || this.isSilent) return false;
    const at = this.#deliveries.get(domainId)?.unserved?.at;
    if (at !== undefined) this.walk.giveUp(at);
    this.#drop(domainId);
    return true;
  }

  /** Whether to check now if the secondary has joined. Never while it catches up or many deliveries remain. */
  isJoiningDue(now: number): boolean {
    if (this.joinedAt || this.walk.isCatchingUp || this.size >= maxJoining) return false;
    if (this.size > 0 && now - this.#joiningAt < joiningMs) return false;
    this.#joiningAt = now;
    return true;
  }

  /** `now` is the time of performance.now(), ms. */
  state(now: number): SecondaryState {
    let [pending, late, lagMs] = [0, 0, now - (this.walk.givenUpAt ?? now)];
    for (const { isLate, at } of this.#behind()) {
      if (isLate) late += 1;
      else pending += 1;
      lagMs = Math.max(lagMs, now - at);
    }
    return { name: this.secondary.name, isSilent: this.isSilent, isJoining: !this.joinedAt, pending, late, lagMs };
  }

  /** The targets that the secondary does not serve, and when that was noticed; without the catalog where it is refused. */
  *#behind(): Generator<{ readonly target: Target; readonly isLate: boolean; readonly at: number }> {
    const limit = this.#deps.lateLimit();
    for (const { target, unserved } of this.#deliveries.values())
      if (unserved && !(target.isCatalog && this.#followsCatalog === false))
        yield { target, isLate: isLate(unserved.since, this.joinedAt, limit), at: unserved.at };
  }

  get size(): number {
    return this.#deliveries.size;
  }

  /** Whether it is known not to serve a zone as it is. */
  get isBehind(): boolean {
    for (const { unserved } of this.#deliveries.values()) if (unserved) return true;
    return false;
  }

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

  /** The refusal of the catalog by a secondary that does not follow it is no problem to show. */
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

  onObserved(observation: Observation, target: Target, isDoubtful: boolean, isUrgent: boolean): void {
    if (target.isCatalog && observation.seenAt) this.#catalogs.set(target.domainId, observation.serial !== null);
    if (observation.provenSerial !== null) this.raises.proven(this.secondary.id, target.domainId);
    if (isDoubtful && !this.#isDoubted) {
      this.#isDoubted = true;
      this.#deps.buffer.addContact(this.secondary.id, { doubtedTerm: this.#deps.term });
      this.#deps.onDoubted(this.secondary, observation);
    }
    this.#deps.buffer.add(observation, isUrgent);
  }

  onDelivered(target: Target): void {
    if (!target.isDeleted && (!this.#served || !target.isCatalog)) this.#served = target;
    this.#drop(target.domainId);
  }
}

function tsigContact(tsigError: string | undefined) {
  return tsigError === undefined ? {} : { tsigErrorAt: new Date(), tsigError };
}
