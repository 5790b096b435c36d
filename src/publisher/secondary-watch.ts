/**
 * What the log says of a secondary that does not answer, or on which zones are late: once when it begins and once when
 * it is over, whatever the number of zones; more zones that become late meanwhile are named once a minute.
 */
import type { Logger } from "pino";
import type { Target } from "../secondary/sighting.ts";

/** Where lines go, and after how long a zone is late, ms. */
export interface LogWatch {
  readonly log: Pick<Logger, "warn" | "info">;
  readonly lateAfterMs: number;
}

/** A delivery that is not complete. */
export interface Watched {
  readonly target: Target;
  readonly dueSince: number | undefined;
}

/** What lines say of the secondary; only one that is required makes a zone late. */
interface Place {
  readonly name: string;
  readonly address: string;
  readonly port: number;
  readonly requiredForLive: boolean;
}

/** How long a secondary is silent before that is logged, ms: a few lost packets are no news. */
const silenceMs = 10_000;
/** Between two lines about zones that became late, ms. */
const spacingMs = 60_000;

export class SecondaryWatch {
  readonly #watch: LogWatch;
  readonly #place: Place;
  #silentSince: number | undefined;
  #isSilenceLogged = false;
  /** Domains whose lateness was logged. */
  #logged: ReadonlySet<number> = new Set();
  #loggedAt = Number.NEGATIVE_INFINITY;

  constructor(watch: LogWatch, place: Place) {
    this.#watch = watch;
    this.#place = place;
  }

  /** Logs what has changed since it was called last; `now` is that of performance.now(), ms. */
  look(now: number, isSilent: boolean, deliveries: Iterable<Watched>): void {
    this.#lookForSilence(now, isSilent);
    if (this.#place.requiredForLive) this.#lookForLateness(now, deliveries);
  }

  #lookForSilence(now: number, isSilent: boolean): void {
    const { name: secondary, address, port } = this.#place;
    if (!isSilent) {
      if (this.#isSilenceLogged) this.#watch.log.info({ secondary }, "a secondary answers again");
      this.#isSilenceLogged = false;
      this.#silentSince = undefined;
      return;
    }
    this.#silentSince ??= now;
    if (this.#isSilenceLogged || now - this.#silentSince < silenceMs) return;
    this.#isSilenceLogged = true;
    this.#watch.log.warn({ secondary, address, port }, "a secondary does not answer");
  }

  #lookForLateness(now: number, deliveries: Iterable<Watched>): void {
    const { name: secondary } = this.#place;
    const late = [...deliveries].filter(
      ({ dueSince }) => dueSince !== undefined && now - dueSince > this.#watch.lateAfterMs,
    );
    if (late.length === 0) {
      if (this.#logged.size > 0) this.#watch.log.info({ secondary }, "no zone is late at a secondary any more");
      this.#logged = new Set();
      this.#loggedAt = Number.NEGATIVE_INFINITY;
      return;
    }
    const added = late.filter(({ target }) => !this.#logged.has(target.domainId));
    const [first] = added;
    if (!first || now - this.#loggedAt < spacingMs) return;
    this.#watch.log.warn({ secondary, zones: added.length, zone: first.target.zone }, "zones are LATE at a secondary");
    this.#logged = new Set(late.map(({ target }) => target.domainId));
    this.#loggedAt = now;
  }
}
