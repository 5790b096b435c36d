/**
 * Keeps the catalog zones equal to the set of domains (RFC 9432) while this instance leads. A comparison is of the zones that were created or
 * deleted since the last one, so that its cost does not grow with the catalog; every hour it is of all zones. One comparison changes all
 * members that differ, so that many new domains cause few changes of the catalog. The pause after a comparison grows with its duration;
 * single zones do not wait for that after one of all zones.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { ensureCatalog, reconcileCatalogs } from "../secondary/catalog-zone.ts";
import type { Session } from "../session/session.ts";

const minPauseMs = 50;
/** The pause between comparisons of all zones without a trigger, ms: over 1,000,000 members one takes about two seconds. */
const compareMs = 3_600_000;
const retryDelayMs = 1000;

interface CatalogReconcilerOptions {
  readonly session: () => Session;
  readonly log: Logger;
  readonly onChanged: () => void;
}

export class CatalogReconciler {
  readonly #session: () => Session;
  readonly #log: Logger;
  readonly #onChanged: () => void;
  readonly #stopped = new AbortController();
  #isEnsured = false;
  #isTriggered = false;
  /** The zones to compare; undefined for all. */
  #zones: Set<string> | undefined = new Set();
  /** When the last comparison of all zones began, ms of performance.now(). */
  #comparedAt = Number.NEGATIVE_INFINITY;
  #isHeldBack = false;
  #running: Promise<void> | undefined;

  constructor({ session, log, onChanged }: CatalogReconcilerOptions) {
    this.#session = session;
    this.#log = log;
    this.#onChanged = onChanged;
  }

  /** Whether nothing is compared, and a comparison of all zones is due. */
  get isDue(): boolean {
    return !this.#running && performance.now() - this.#comparedAt > compareMs;
  }

  /** Begins a comparison of these zones, or of all, once the running one has ended. */
  trigger(zones?: Iterable<string>): void {
    if (zones) for (const zone of zones) this.#zones?.add(zone);
    else this.#zones = undefined;
    this.#isTriggered = true;
    this.#start();
  }

  #start(): void {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      if (this.#isTriggered && !this.#stopped.signal.aborted) this.#start();
    });
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopped;
    while (this.#isTriggered && !signal.aborted) {
      const [begunAt, zones] = [performance.now(), this.#zones];
      [this.#isTriggered, this.#zones] = [false, new Set()];
      if (!zones) this.#comparedAt = begunAt;
      try {
        await this.#reconcile(zones);
      } catch (error) {
        if (signal.aborted) return;
        this.#log.error({ err: error }, "catalog reconciliation failed; retrying");
        this.#isEnsured = false;
        this.#zones = undefined;
        this.#isTriggered = true;
        await sleep(retryDelayMs, undefined, { signal }).catch(() => {});
      }
      const pauseMs = zones || !this.#zones ? 2 * (performance.now() - begunAt) : minPauseMs;
      await sleep(Math.max(minPauseMs, pauseMs), undefined, { signal }).catch(() => {});
    }
  }

  async #reconcile(zones: ReadonlySet<string> | undefined): Promise<void> {
    if (!this.#isEnsured) await ensureCatalog(this.#session());
    this.#isEnsured = true;
    const { changed, rest, isCut, hold, held, begun } = await reconcileCatalogs(this.#session(), zones && [...zones]);
    if (begun)
      this.#log.warn({ zone: begun.zone }, "a further catalog was begun: put a new stanza into every secondary");
    if (hold && !this.#isHeldBack)
      this.#log.warn({ ...hold }, "the catalog would lose many zones at once; held back until confirmCatalogRemoval");
    this.#isHeldBack = hold !== undefined;
    if (isCut) this.#comparedAt = Number.NEGATIVE_INFINITY;
    if (rest.length > 0) this.trigger(rest);
    for (const zone of held) this.#zones?.add(zone);
    if (changed) this.#onChanged();
  }
}
