/**
 * The work of the leader during its term. All of it follows from a comparison of the database with the last observations of the
 * secondaries:
 *
 * - At every nudge, and every 200 ms, it delivers the zones of the changes committed since the last poll. A nudge without a change may mean
 *   a new or changed secondary; it then reads the secondaries, ten times a second at most.
 * - It walks through all zones of each secondary (zone-walk.ts), delivers those that are behind, which finds changes that polling missed,
 *   and verifies those that were not observed for ten minutes or in this term.
 * - It triggers the catalog reconciler for the domains that were created or deleted, and for all when it begins to follow the journal, when
 *   the catalog's revision moved, and every hour.
 *
 * Without secondaries it does nothing, and creates no catalog.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { Logger } from "pino";
import { catalogRevision } from "../secondary/catalog-zone.ts";
import { secondaryEndpoints } from "../secondary/endpoint.ts";
import { evidenceReader } from "../secondary/evidence.ts";
import { lateLimit } from "../secondary/publication.ts";
import { isCurrentTerm, storeSightings, type Term } from "../secondary/record-sightings.ts";
import { joinedSecondaries, noteJoined } from "../secondary/registry.ts";
import { mayRaiseIn } from "../secondary/restore.ts";
import type { SecondaryState } from "../secondary/secondary.ts";
import { catalogFollowers, zoneExists, zonesDue } from "../secondary/sighting.ts";
import { transfersSince } from "../secondary/transferred-zone.ts";
import { committedContent } from "../secondary/zone-content.ts";
import type { Session } from "../session/session.ts";
import { Pieces } from "../turns/long-work.ts";
import { type JournalFollower, journalTail } from "../zone/journal-tail.ts";
import { CatalogReconciler } from "./catalog-reconciler.ts";
import { sourceOf, UdpSockets } from "./packets/udp-client.ts";
import { SecondaryWorker, type WorkerDeps } from "./secondary-worker.ts";
import { Raises } from "./serial-raises.ts";
import { SightingBuffer } from "./sighting-buffer.ts";
import { TransferPoller } from "./transfer-poller.ts";
import type { Page } from "./zone-walk.ts";

const pollMs = 200;
const minPauseMs = 5;
/** The pause between two reads of the secondaries, ms; the shorter one after a nudge without a change. */
const readSecondariesMs = 1000;
const readNudgedMs = 100;
/** The walk verifies a zone without an observation for this time, ms. */
const staleAfterMs = 600_000;
const retryDelayMs = 1000;
/** No revision of the catalog: a comparison is due. */
const noRevision = -1;

interface ReconcilerOptions {
  readonly term: Term;
  readonly session: () => Session;
  readonly log: Logger;
  /** Called when a newer term has begun, or a backup was restored. */
  readonly onSuperseded: () => void;
}

export class Reconciler {
  readonly #term: Term;
  readonly #session: () => Session;
  readonly #log: Logger;
  readonly #sockets: UdpSockets;
  readonly #buffer: SightingBuffer;
  #journal: JournalFollower | undefined;
  readonly #transfers: TransferPoller;
  #transfersReadAt = Number.NEGATIVE_INFINITY;
  readonly #onSuperseded: () => void;
  readonly #catalog: CatalogReconciler;
  readonly #raises: Raises;
  readonly #workerDeps: WorkerDeps;
  readonly #workers = new Map<number, SecondaryWorker>();
  readonly #stopped = new AbortController();
  #running: Promise<void> | undefined;
  #isNudged = true;
  /** Whether there was a nudge without a change of a zone since the last read of the secondaries. */
  #isReadDue = true;
  #wake: () => void = () => {};
  /** In ms of performance.now(). */
  #secondariesReadAt = Number.NEGATIVE_INFINITY;
  #catalogRevision = noRevision;

  constructor({ term, session, log, onSuperseded }: ReconcilerOptions) {
    this.#term = term;
    this.#session = session;
    this.#log = log;
    this.#onSuperseded = onSuperseded;
    this.#sockets = new UdpSockets(sourceOf(session().policy.primary.address));
    this.#buffer = new SightingBuffer(
      (observations, contacts) => storeSightings(session(), term, observations, contacts),
      {
        onSuperseded,
        onError: (error) => log.warn({ err: error }, "could not store sightings; retrying"),
      },
    );
    this.#transfers = new TransferPoller((since, limit) => transfersSince(session(), since, limit));
    this.#catalog = new CatalogReconciler({ session, log, onChanged: () => this.nudge() });
    this.#raises = new Raises(session, log);
    this.#workerDeps = {
      sockets: this.#sockets,
      buffer: this.#buffer,
      term: term.number,
      evidence: evidenceReader(session),
      raises: this.#raises,
      committedContent: (domainId) => committedContent(session(), domainId),
      zoneExists: (zone) => zoneExists(session(), zone),
      onDoubted: ({ name }, { zone, lastError }) =>
        log.warn(
          { secondary: name, zone, problem: lastError },
          "a secondary serves what this database did not give it",
        ),
      log,
      lateLimit: () => lateLimit(session()).getTime(),
    };
  }

  start(): void {
    this.#running = this.#run();
  }

  nudge(): void {
    this.#isNudged = true;
    this.#wake();
  }

  states(): SecondaryState[] {
    const now = performance.now();
    return [...this.#workers.values()].map((worker) => worker.state(now));
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    this.#wake();
    const catalogStopped = this.#catalog.stop();
    this.#buffer.close();
    for (const worker of this.#workers.values()) worker.close();
    this.#sockets.close();
    await this.#running;
    this.#journal?.close();
    await catalogStopped;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      try {
        await this.#reconcile(await this.#nudgeOrPoll());
        await sleep(minPauseMs);
      } catch (error) {
        if (!signal.aborted) this.#log.warn({ err: error }, "publication failed; retrying");
        this.#compareAll();
        await sleep(retryDelayMs, undefined, { signal }).catch(() => {});
      }
    }
  }

  /** Returns whether it was a nudge. */
  async #nudgeOrPoll(): Promise<boolean> {
    if (!this.#isNudged && !this.#stopped.signal.aborted) {
      await new Promise<void>((resolve) => {
        const waitMs = this.#isReadDue ? readNudgedMs : pollMs;
        const timer = setTimeout(resolve, this.#nextPage() ? 0 : waitMs);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    const wasNudged = this.#isNudged;
    this.#isNudged = false;
    return wasNudged;
  }

  async #reconcile(wasNudged: boolean): Promise<void> {
    const hasChanges = await this.#pollChanges();
    if (this.#stopped.signal.aborted) return;
    // Without secondaries no change is read, so that every nudge may mean a new one.
    if (wasNudged && !hasChanges) this.#isReadDue = true;
    const pauseMs = this.#isReadDue ? readNudgedMs : readSecondariesMs;
    if (performance.now() - this.#secondariesReadAt > pauseMs) await this.#readSecondaries();
    const next = this.#nextPage();
    if (next) await this.#walk(...next);
    if (performance.now() - this.#transfersReadAt > pollMs) await this.#pollTransfers();
  }

  /** Returns whether there were changes. */
  async #pollChanges(): Promise<boolean> {
    if (this.#workers.size === 0 || !this.#journal) return false;
    const changes = await this.#journal.read();
    if (!changes) {
      this.#compareAll();
      return false;
    }
    const bySource = Map.groupBy(changes, ({ isCatalog, source }) => (isCatalog ? "catalog" : source));
    const pieces = new Pieces();
    // A source with few zones waits for none with many.
    for (const [source, zones] of [...bySource].toSorted(([, a], [, b]) => a.length - b.length))
      for (const worker of this.#workers.values())
        await worker.deliverFrom(source, zones, pieces, ({ isMembership }) => isMembership);
    const members = changes.filter(({ isMembership }) => isMembership);
    if (members.length > 0) this.#catalog.trigger(members.map(({ zone }) => zone));
    return changes.length > 0;
  }

  async #pollTransfers(): Promise<void> {
    if (![...this.#workers.values()].some(({ isBehind }) => isBehind)) return;
    this.#transfersReadAt = performance.now();
    for (const { secondaryId, ...target } of await this.#transfers.poll())
      this.#workers.get(secondaryId)?.transferred(target);
  }

  async #readSecondaries(): Promise<void> {
    // Concurrently, because changes wait meanwhile.
    const [isCurrent, secondaries, read] = await Promise.all([
      isCurrentTerm(this.#session(), this.#term),
      secondaryEndpoints(this.#session()),
      this.#workers.size > 0 ? this.#readStandings() : undefined,
    ]);
    if (!isCurrent) return this.#onSuperseded();
    this.#secondariesReadAt = performance.now();
    this.#isReadDue = false;
    if (this.#workers.size === 0 && secondaries.length === 0) return;
    // Before the comparisons: what is committed after them is read.
    this.#journal ??= await journalTail(this.#session()).follow();
    const [mayRaise, followers, joined, revision] = read ?? (await this.#readStandings());
    if (this.#stopped.signal.aborted) return;
    for (const worker of this.#workers.values()) worker.watch(this.#secondariesReadAt);
    if (mayRaise && !this.#raises.mayRaise) for (const worker of this.#workers.values()) worker.wake();
    this.#raises.mayRaise = mayRaise;
    for (const [id, worker] of this.#workers) {
      if (secondaries.some((each) => each.id === id && isDeepStrictEqual(each, worker.secondary))) continue;
      worker.close();
      this.#workers.delete(id);
    }
    for (const secondary of secondaries.filter(({ id }) => !this.#workers.has(id)))
      this.#workers.set(
        secondary.id,
        new SecondaryWorker(
          this.#workerDeps,
          secondary,
          followers.flatMap(({ secondaryId, catalogId }) => (secondaryId === secondary.id ? [catalogId] : [])),
        ),
      );
    await this.#lookForJoined(joined);
    if (secondaries.length === 0) return this.#endJournal();
    if (revision === this.#catalogRevision && !this.#catalog.isDue) return;
    this.#catalogRevision = revision;
    this.#catalog.trigger();
  }

  /** The comparison for the next secondary finds the changes in between. */
  #endJournal(): void {
    this.#journal?.close();
    this.#journal = undefined;
    this.#compareAll();
  }

  async #lookForJoined(joined: ReadonlyMap<number, number>): Promise<void> {
    for (const [id, worker] of this.#workers) worker.joinedAt = joined.get(id);
    const now = this.#secondariesReadAt;
    const due = [...this.#workers].flatMap(([id, worker]) => (worker.isJoiningDue(now) ? [id] : []));
    if (due.length === 0) return;
    for (const secondary of await noteJoined(this.#session(), due))
      this.#log.info({ secondary }, "a secondary has all zones; from now on they wait for it");
  }

  #readStandings() {
    const session = this.#session();
    return Promise.all([
      mayRaiseIn(session, this.#term.number),
      catalogFollowers(session),
      joinedSecondaries(session),
      catalogRevision(session),
    ]);
  }

  #compareAll(): void {
    this.#catalogRevision = noRevision;
    for (const worker of this.#workers.values()) worker.walk.catchUp();
  }

  /** The secondary whose turn it is, and its next page; undefined while no page is due. */
  #nextPage(): [SecondaryWorker, Page] | undefined {
    const now = performance.now();
    for (const worker of [...this.#workers.values()].toSorted((a, b) => a.walk.passedAt - b.walk.passedAt)) {
      const page = worker.nextPage(now);
      if (page) return [worker, page];
    }
    return undefined;
  }

  /** Delivers the zones of a page that are behind at a secondary, and on a round verifies those without a recent observation. */
  async #walk(worker: SecondaryWorker, page: Page): Promise<void> {
    const staleBefore = page.isRound ? new Date(Date.now() - staleAfterMs) : undefined;
    const { zones, count, last } = await zonesDue(this.#session(), worker.secondary.id, {
      ...page,
      term: this.#term.number,
      staleBefore,
    });
    if (this.#stopped.signal.aborted) return;
    const { behind = [], stale = [] } = Object.groupBy(zones, ({ isBehind }) => (isBehind ? "behind" : "stale"));
    const pieces = new Pieces();
    await worker.deliverFrom("comparison", behind, pieces, ({ isAbsent }) => isAbsent);
    for (const zone of stale) {
      worker.deliver(zone, "verify");
      await pieces.next();
    }
    worker.walk.passed(page, { count, due: zones.length, last }, performance.now());
  }
}
