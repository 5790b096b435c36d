/**
 * Keeps the catalog zone equal to the set of domains (RFC 9432) while this instance leads. One comparison changes all members that differ,
 * so that many new domains cause few changes of the catalog. The pause after a comparison grows with its duration.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { type Catalog, ensureCatalog, reconcileCatalog } from "../secondary/catalog-zone.ts";
import type { Session } from "../session/session.ts";

const minPauseMs = 50;
/** The pause between comparisons without a trigger, ms. */
const compareMs = 60_000;
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
  #catalog: Catalog | undefined;
  #isTriggered = false;
  /** When the last comparison began, ms of performance.now(). */
  #begunAt = Number.NEGATIVE_INFINITY;
  #isHeldBack = false;
  #running: Promise<void> | undefined;

  constructor({ session, log, onChanged }: CatalogReconcilerOptions) {
    this.#session = session;
    this.#log = log;
    this.#onChanged = onChanged;
  }

  get isDue(): boolean {
    return performance.now() - this.#begunAt > compareMs;
  }

  /** Begins a comparison once the running one has ended. */
  trigger(): void {
    this.#isTriggered = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      if (this.#isTriggered && !this.#stopped.signal.aborted) this.trigger();
    });
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopped;
    while (this.#isTriggered && !signal.aborted) {
      this.#isTriggered = false;
      this.#begunAt = performance.now();
      try {
        await this.#reconcile();
      } catch (error) {
        if (signal.aborted) return;
        this.#log.error({ err: error }, "catalog reconciliation failed; retrying");
        this.#catalog = undefined;
        this.#isTriggered = true;
        await sleep(retryDelayMs, undefined, { signal }).catch(() => {});
      }
      await sleep(Math.max(minPauseMs, 2 * (performance.now() - this.#begunAt)), undefined, { signal }).catch(() => {});
    }
  }

  async #reconcile(): Promise<void> {
    this.#catalog ??= await ensureCatalog(this.#session(), this.#session().policy.catalogZone);
    const { changed, more, hold } = await reconcileCatalog(this.#session(), this.#catalog);
    if (hold && !this.#isHeldBack)
      this.#log.warn({ ...hold }, "the catalog would lose many zones at once; held back until confirmCatalogRemoval");
    this.#isHeldBack = hold !== undefined;
    if (more) this.#isTriggered = true;
    if (changed) this.#onChanged();
  }
}
