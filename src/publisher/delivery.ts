/**
 * A pursuit: one zone at one secondary, from the moment it is not known to be served there as committed until it is seen to be.
 * Two things go on side by side:
 *
 *     NOTIFY:   due -> sent -> acknowledged                 done, unless the serial moves on or the acknowledgement comes to nothing
 *                        \--> unknown                       the secondary does not have the zone: rely on the catalog
 *                        \--> failed, silent                due again, with back-off
 *     SIGHTING: due -> asked -> level                       the pursuit ends
 *                        \--> behind, refused, failed, silent, ahead    due again, with back-off
 *
 * The first NOTIFY leaves at once; while the serial keeps moving, the next ones leave at least `spacingMs` apart. A calm pursuit only
 * looks, and wakes up to the rest when it finds the secondary behind. A deleted zone is level when the secondary refuses it, or
 * serves a later zone of the same name; it is never NOTIFYed.
 *
 * Ahead: a serial past the committed one, which the secondary did not have from us: a database restored from a backup. An SOA signed
 * over there may run ahead, by `signersLead` at most. Limitation: a signer whose serials are not steps from ours (unixtime) may
 * compare as behind, and is then never LIVE. Limitation: of a signer that runs ahead no one can tell whether its steps are ours, so
 * that a change may be called LIVE before it was taken there.
 */
import { compareSerial, type Serial, serial } from "../dns/serial.ts";
import type { Seen, Target } from "../secondary/sighting.ts";
import type { Notified } from "./notify.ts";
import type { Sight } from "./soa-probe.ts";

/** What a pursuit needs of the correspondence it belongs to. */
export interface Outlet {
  readonly secondaryId: number;
  readonly takesNotify: boolean;
  notify(zone: string, timeoutMs: number): Promise<Notified>;
  sight(target: Target, timeoutMs: number): Promise<Sight>;
  enterNotify(task: () => Promise<void>): void;
  enterSight(task: () => Promise<void>, calm: boolean): void;
  leave(task: () => Promise<void>): void;
  /** The committed serial now; undefined when the domain is deleted. */
  committed(domainId: number): Promise<number | undefined>;
  exists(zone: string): Promise<boolean>;
  seen(seen: Seen, target: Target): void;
  done(pursuit: Pursuit): void;
}

export const spacingMs = 200;
const signersLead = 100_000;
/** A sighting that says the same as the last is written again after so long. */
const repeatMs = 60_000;
/** An acknowledged NOTIFY that came to nothing is sent again after so long. */
const renotifyMs = 10_000;

/** The n-th wait: 50 ms, growing to 30 s, a quarter more or less. */
export function backOff(tries: number): number {
  return Math.min(30_000, 50 * 1.6 ** Math.min(tries, 20)) * (0.75 + Math.random() / 2);
}

/** How long the n-th question waits for its answer. */
const patience = (tries: number) => Math.min(2000, 500 * 2 ** Math.min(tries, 4));

type Verdict = "level" | "behind" | "ahead" | "refused" | "unclear";

export class Pursuit {
  target: Target;
  readonly #outlet: Outlet;
  #calm: boolean;
  #closed = false;
  #notify: "due" | "sent" | "acknowledged" | "unknown" | "off" = "off";
  #notifyTries = 0;
  #notifiedAt = 0;
  #notifyTimer: NodeJS.Timeout | undefined;
  #sightTries = 0;
  #sightTimer: NodeJS.Timeout | undefined;
  #lookAt = Number.POSITIVE_INFINITY;
  #written = { text: "", at: 0 };

  constructor(outlet: Outlet, target: Target, calm: boolean) {
    this.#outlet = outlet;
    this.target = target;
    this.#calm = calm;
    if (calm) outlet.enterSight(this.#look, true);
    else this.#pursue();
  }

  /** The zone was committed anew, or deleted. */
  want(target: Target): void {
    if (this.target.serial === target.serial && this.target.isDeleted === target.isDeleted && !this.#calm) return;
    this.target = target;
    this.#pursue();
  }

  /** The secondary answers again after a silence: what was put off is due. */
  wake(): void {
    this.#sightTries = 0;
    this.#lookIn(backOff(0));
    if (this.#notify === "due") this.#notifyNow();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#notifyTimer);
    clearTimeout(this.#sightTimer);
    this.#outlet.leave(this.#look);
    this.#outlet.leave(this.#send);
  }

  #pursue(): void {
    this.#calm = false;
    this.#sightTries = 0;
    this.#lookIn(backOff(0));
    if (this.target.isDeleted || !this.#outlet.takesNotify) {
      clearTimeout(this.#notifyTimer);
      this.#notify = "off";
    } else {
      if (this.#notify !== "due") this.#notifyTries = 0;
      this.#notifyNow();
    }
  }

  #notifyNow(): void {
    const sending = this.#notify === "sent";
    this.#notify = "due";
    if (sending) return; // #send goes on when its answer is there.
    const wait = Math.max(0, this.#notifiedAt + spacingMs - Date.now());
    clearTimeout(this.#notifyTimer);
    if (wait === 0) this.#outlet.enterNotify(this.#send);
    else this.#notifyTimer = setTimeout(() => this.#outlet.enterNotify(this.#send), wait);
  }

  readonly #send = async (): Promise<void> => {
    if (this.#closed || this.#notify !== "due") return;
    this.#notify = "sent";
    this.#notifiedAt = Date.now();
    const { outcome } = await this.#outlet.notify(this.target.zone, patience(this.#notifyTries));
    if (this.#closed || this.target.isDeleted) return;
    if ((this.#notify as string) === "due") return this.#notifyNow(); // the serial moved on meanwhile
    if (outcome === "acknowledged" || outcome === "unknown") {
      this.#notify = outcome;
      return;
    }
    this.#notify = "due";
    this.#notifyTimer = setTimeout(() => this.#outlet.enterNotify(this.#send), backOff(this.#notifyTries++ + 3));
  };

  /** Looks after so long, or sooner when that was due already. */
  #lookIn(ms: number): void {
    const at = Date.now() + ms;
    if (at >= this.#lookAt) return;
    clearTimeout(this.#sightTimer);
    this.#lookAt = at;
    this.#sightTimer = setTimeout(() => this.#outlet.enterSight(this.#look, this.#calm), ms);
  }

  readonly #look = async (): Promise<void> => {
    if (this.#closed) return;
    clearTimeout(this.#sightTimer);
    this.#lookAt = Number.POSITIVE_INFINITY;
    const { target } = this;
    const sight = await this.#outlet.sight(target, patience(this.#sightTries));
    const verdict = this.#closed ? "unclear" : await this.#judge(sight).catch((): Verdict => "unclear");
    if (this.#closed) return;
    this.#write(sight, verdict);
    const isSettled = verdict === (this.target.isDeleted ? "refused" : "level");
    if (isSettled && target === this.target) return this.#outlet.done(this);
    if (this.#calm && verdict !== "unclear") return this.#pursue();
    this.#lookIn(verdict === "ahead" ? backOff(20) : backOff(this.#sightTries++));
    const served = verdict === "behind" && this.#notify === "unknown";
    const forgotten = this.#notify === "acknowledged" && Date.now() - this.#notifiedAt > renotifyMs;
    if (served || forgotten) this.#notifyNow();
  };

  async #judge(sight: Sight): Promise<Verdict> {
    if (sight.kind === "refused") return "refused";
    if (sight.kind !== "serial") return "unclear";
    const { target } = this;
    const order = compareSerial(sight.serial, serial(target.serial));
    if (target.isDeleted) return order === 1 && (await this.#outlet.exists(target.zone)) ? "refused" : "behind";
    if (order === 0) return "level";
    if (order === -1) return "behind";
    if (sight.isSigned && (sight.serial - target.serial + 2 ** 32) % 2 ** 32 <= signersLead) return "level";
    return this.#judgeLater(sight.serial);
  }

  /** A serial past the one wanted: committed meanwhile, or ahead of us. */
  async #judgeLater(seen: Serial): Promise<Verdict> {
    const committed = await this.#outlet.committed(this.target.domainId);
    if (committed === undefined) return "unclear";
    const order = compareSerial(seen, serial(committed));
    return order === 0 || order === -1 ? "level" : "ahead";
  }

  #write(sight: Sight, verdict: Verdict): void {
    const { target } = this;
    const told = verdict !== "unclear";
    const seen: Seen = {
      secondaryId: this.#outlet.secondaryId,
      domainId: target.domainId,
      zone: target.zone,
      serial: sight.kind === "serial" && verdict !== "refused" ? sight.serial : null,
      isRefused: verdict === "refused",
      isAhead: verdict === "ahead",
      seenAt: told ? new Date() : null,
      lastError: errorOf(sight, verdict, target),
    };
    const text = `${seen.serial} ${seen.isRefused} ${seen.isAhead} ${seen.lastError} ${target.isDeleted}`;
    if (text === this.#written.text && Date.now() - this.#written.at < repeatMs) return;
    this.#written = { text, at: Date.now() };
    this.#outlet.seen(seen, target);
  }
}

function errorOf(sight: Sight, verdict: Verdict, target: Target): string | null {
  if (verdict === "ahead")
    return `It serves serial ${sight.words}, which is ahead of our ${target.serial}, as after a restored backup, and takes nothing from us; raise ours past it with resyncDomain.`;
  if (verdict === "refused") return target.isDeleted ? null : `It does not have the zone (${sight.words}).`;
  return sight.kind === "serial" ? null : `${sight.words[0]?.toUpperCase()}${sight.words.slice(1)}.`;
}
