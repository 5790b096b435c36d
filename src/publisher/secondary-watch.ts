/**
 * Logs secondaries that do not answer or on which zones are late: one line at the beginning and one at the end, and once a minute the zones
 * that become late in between.
 */
import type { Logger } from "pino";
import type { SecondaryEndpoint } from "../secondary/endpoint.ts";
import type { Target } from "../secondary/sighting.ts";

type Place = Pick<SecondaryEndpoint, "name" | "address" | "port">;
type Log = Pick<Logger, "warn" | "info">;

/** Shorter silences may be a few lost packets. */
const silenceMs = 10_000;
/** The pause between two lines about zones that became late, ms. */
const spacingMs = 60_000;

export class SecondaryWatch {
  readonly #log: Log;
  readonly #place: Place;
  #silentSince: number | undefined;
  #isSilenceLogged = false;
  #logged: ReadonlySet<number> = new Set();
  #loggedAt = Number.NEGATIVE_INFINITY;

  constructor(log: Log, place: Place) {
    this.#log = log;
    this.#place = place;
  }

  /** `now` is the time of performance.now(), ms. */
  look(now: number, isSilent: boolean, late: readonly Target[]): void {
    this.#lookForSilence(now, isSilent);
    this.#lookForLateness(now, late);
  }

  #lookForSilence(now: number, isSilent: boolean): void {
    const { name: secondary, address, port } = this.#place;
    if (!isSilent) {
      if (this.#isSilenceLogged) this.#log.info({ secondary }, "a secondary answers again");
      this.#isSilenceLogged = false;
      this.#silentSince = undefined;
      return;
    }
    this.#silentSince ??= now;
    if (this.#isSilenceLogged || now - this.#silentSince < silenceMs) return;
    this.#isSilenceLogged = true;
    this.#log.warn({ secondary, address, port }, "a secondary does not answer");
  }

  #lookForLateness(now: number, late: readonly Target[]): void {
    const { name: secondary } = this.#place;
    if (late.length === 0) {
      if (this.#logged.size > 0) this.#log.info({ secondary }, "no zone is late at a secondary any more");
      this.#logged = new Set();
      this.#loggedAt = Number.NEGATIVE_INFINITY;
      return;
    }
    const added = late.filter(({ domainId }) => !this.#logged.has(domainId));
    const [first] = added;
    if (!first || now - this.#loggedAt < spacingMs) return;
    this.#log.warn({ secondary, zones: added.length, zone: first.zone }, "zones are LATE at a secondary");
    this.#logged = new Set(late.map(({ domainId }) => domainId));
    this.#loggedAt = now;
  }
}
