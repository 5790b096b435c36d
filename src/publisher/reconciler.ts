/**
 * A term of office: what is done between taking it and losing it. Everything follows from the database, which is compared with what
 * the secondaries were last seen to serve; nothing is queued, so nothing is lost with the process.
 *
 * - A pass, at every nudge and every 200 ms, reads the changes committed since the last one and pursues their zones.
 * - A sweep, on taking office, with a new secondary and every minute, compares every zone with every secondary: it finds what no
 *   pass told, and looks again at what was not seen for ten minutes, or not in this term.
 * - The catalog is compared with the domains after a pass that saw domains come or go, or when its revision moved.
 * Without secondaries nothing is done at all, and no catalog is founded.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type Catalog, catalogRevision, ensureCatalog, reconcileCatalog } from "../secondary/catalog.ts";
import {
  catalogFollowers,
  changesSince,
  committedSerial,
  correspondents,
  forgetDeleted,
  latestChange,
  storeSightings,
  zoneExists,
  zonesDue,
} from "../secondary/sighting.ts";
import type { Session } from "../session/session.ts";
import { Journal } from "./change-poller.ts";
import type { Log } from "./log.ts";
import { Correspondence, type Desk } from "./secondary-worker.ts";
import { Ledger } from "./sighting-buffer.ts";
import { UdpSockets } from "./udp-client.ts";

const pollMs = 200;
/** Passes are at least so far apart. */
const restMs = 5;
const readSecondariesMs = 1000;
const sweepMs = 60_000;
const lookAgainMs = 600_000;
/** Zones that one sweep takes up per secondary. */
const sweepMost = 20_000;
const catalogRestMs = 50;

export class Term {
  readonly #number: number;
  readonly #session: () => Session;
  readonly #log: Log;
  readonly #desk: Desk & { readonly sockets: UdpSockets; readonly ledger: Ledger };
  readonly #correspondences = new Map<number, Correspondence>();
  readonly #journal: Journal;
  readonly #over = new AbortController();
  #wake: () => void = () => {};
  #nudged = true;
  #secondariesReadAt = 0;
  #sweptAt = 0;
  #revision = -1;
  #catalog: Catalog | undefined;
  #reconciling: Promise<void> | undefined;
  #reconcileAgain = false;
  #holds = false;
  #running: Promise<void> | undefined;

  constructor(number: number, session: () => Session, log: Log, onLost: () => void) {
    this.#number = number;
    this.#session = session;
    this.#log = log;
    this.#journal = new Journal((id, gaps, limit) => changesSince(session(), id, gaps, limit));
    const ledger = new Ledger((seen, contacts) => storeSightings(session(), number, seen, contacts), {
      lost: onLost,
      error: (error) => log.warn({ err: error }, "sightings could not be written; they are kept"),
    });
    this.#desk = {
      sockets: new UdpSockets(sourceOf(session().policy.primary.address)),
      ledger,
      committed: (domainId) => committedSerial(session(), domainId),
      exists: (zone) => zoneExists(session(), zone),
    };
  }

  start(): void {
    this.#running = this.#run();
  }

  nudge(): void {
    this.#nudged = true;
    this.#wake();
  }

  async end(): Promise<void> {
    this.#over.abort();
    this.#wake();
    this.#desk.ledger.close();
    for (const correspondence of this.#correspondences.values()) correspondence.close();
    this.#desk.sockets.close();
    await this.#running;
    await this.#reconciling;
  }

  async #run(): Promise<void> {
    const { signal } = this.#over;
    while (!signal.aborted) {
      try {
        await this.#pass(await this.#nudgeOrPoll());
        await sleep(restMs);
      } catch (error) {
        if (!signal.aborted) this.#log.warn({ err: error }, "a pass of the publisher failed; it tries again");
        this.#sweptAt = 0;
        await sleep(1000, undefined, { signal }).catch(() => {});
      }
    }
  }

  /** Waits for a nudge or the time to poll; answers whether it was a nudge. */
  async #nudgeOrPoll(): Promise<boolean> {
    if (!this.#nudged && !this.#over.signal.aborted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pollMs);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    const wasNudged = this.#nudged;
    this.#nudged = false;
    return wasNudged;
  }

  async #pass(wasNudged: boolean): Promise<void> {
    const changes = this.#correspondences.size > 0 ? await this.#journal.next() : [];
    for (const correspondence of this.#correspondences.values())
      for (const change of changes) correspondence.pursue(change);
    if (changes.some(({ isMembership }) => isMembership)) this.#reconcile();
    if (this.#over.signal.aborted) return;
    if ((wasNudged && changes.length === 0) || Date.now() - this.#secondariesReadAt > readSecondariesMs)
      await this.#readSecondaries();
    if (this.#correspondences.size > 0 && Date.now() - this.#sweptAt > sweepMs) await this.#sweep();
  }

  /** Begins and ends correspondences; a new or changed secondary calls for a sweep. */
  async #readSecondaries(): Promise<void> {
    const [secondaries, followers, revision] = [
      await correspondents(this.#session()),
      await catalogFollowers(this.#session()),
      await catalogRevision(this.#session()),
    ];
    if (this.#over.signal.aborted) return;
    this.#secondariesReadAt = Date.now();
    const known = this.#correspondences;
    for (const [id, correspondence] of known) {
      if (secondaries.some((secondary) => secondary.id === id && isSame(secondary, correspondence.secondary))) continue;
      correspondence.close();
      known.delete(id);
    }
    for (const secondary of secondaries.filter(({ id }) => !known.has(id))) {
      known.set(secondary.id, new Correspondence(this.#desk, secondary, followers.includes(secondary.id)));
      this.#sweptAt = 0;
    }
    if (revision === this.#revision || secondaries.length === 0) return;
    this.#revision = revision;
    this.#reconcile();
  }

  async #sweep(): Promise<void> {
    this.#journal.begin(await latestChange(this.#session()));
    const staleBefore = new Date(Date.now() - lookAgainMs);
    for (const [id, correspondence] of [...this.#correspondences]) {
      const limit = sweepMost;
      const due = await zonesDue(this.#session(), id, { term: this.#number, staleBefore, limit });
      if (this.#over.signal.aborted || this.#correspondences.get(id) !== correspondence) return;
      for (const { isBehind, ...target } of due) correspondence.pursue(target, !isBehind);
    }
    await forgetDeleted(this.#session());
    this.#sweptAt = Date.now();
    this.#reconcile();
  }

  /** Compares the catalog with the domains: one comparison at a time, and a rest after each that grows with its length. */
  #reconcile(): void {
    this.#reconcileAgain = true;
    this.#reconciling ??= this.#reconcileAll().finally(() => {
      this.#reconciling = undefined;
      if (this.#reconcileAgain && !this.#over.signal.aborted) this.#reconcile();
    });
  }

  async #reconcileAll(): Promise<void> {
    const { signal } = this.#over;
    while (this.#reconcileAgain && !signal.aborted) {
      this.#reconcileAgain = false;
      const begun = Date.now();
      try {
        this.#catalog ??= await ensureCatalog(this.#session(), this.#session().policy.catalogZone);
        const { changed, more, hold } = await reconcileCatalog(this.#session(), this.#catalog);
        if (hold && !this.#holds)
          this.#log.warn({ ...hold }, "the catalog would lose many zones at once; held back until confirmCatalog");
        this.#holds = hold !== undefined;
        if (more) this.#reconcileAgain = true;
        if (changed) this.nudge();
      } catch (error) {
        if (signal.aborted) return;
        this.#log.error({ err: error }, "the catalog could not be brought in line; it is tried again");
        this.#catalog = undefined;
        this.#reconcileAgain = true;
        await sleep(1000, undefined, { signal }).catch(() => {});
      }
      await sleep(Math.max(catalogRestMs, 2 * (Date.now() - begun)), undefined, { signal }).catch(() => {});
    }
  }
}

/** Packets leave from the address that the name server listens on, when others can reach it there. */
function sourceOf(address: string): string | undefined {
  return /^(127\.|0\.0\.0\.0$|::1?$)/.test(address) ? undefined : address;
}

function isSame(a: object, b: object): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
