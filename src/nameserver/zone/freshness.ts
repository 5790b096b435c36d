/**
 * Whether what was read of a zone is still what is committed. Before it is used, the journal has been read since the last
 * commit of this process and within the last moments for those of others, so that a client reads its own writes at once.
 * Many requests share one such check, and without requests there is none.
 *
 * A change ends what was read of its zone. The creation or deletion of a zone also ends what was read of the zones above
 * it, and that there is no zone. When a check fails, or finds that anything may have changed, everything ends.
 */
import type { JournalChange } from "../../zone/journal-tail.ts";

/**
 * How old the last check may be when an answer is sent, ms. After a fifth of that the next one begins, so that a
 * request waits for one only where the database is slow.
 */
const defaultMaxAgeMs = 250;
const checkAfter = 1 / 5;
/** The most memory for remembered zones, about, octets; as many are useful as answers are kept (answer-cache.ts). */
const defaultMaxOctets = 32 * 1024 * 1024;
/** Octets of one zone besides its name, about. */
const sourceOverhead = 200;
/** The share that is dropped when they are too many. */
const roomAtATime = 1 / 16;
/** Zones that were changed while answers are read, remembered at most. */
const maxRemembered = 10_000;

/** A zone that was changed, created or deleted. */
export type CommittedZone = Pick<JournalChange, "changeId" | "domainId" | "zone" | "isMembership">;

/** Reads what was committed since the last call; undefined when that is not known one by one: anything may have changed. */
export interface Committed {
  read(): Promise<readonly CommittedZone[] | undefined>;
}

/** A zone that something was read of. */
export interface ReadZone {
  readonly id: number;
  readonly zone: string;
}

/** The state of the journal when something begins to be read. */
export interface Ticket {
  readonly step: number;
}

/** What was read of a zone, or that there is none, as long as it is valid. */
export interface Source {
  readonly zone: string;
  readonly isValid: boolean;
}

/** A check that runs: how many commits there were before it, and when it began, on the cache's clock. */
interface Check {
  readonly commits: number;
  readonly begun: number;
  readonly done: Promise<void>;
}

/** `now` is a clock in milliseconds that never goes back. */
export interface FreshnessOptions {
  readonly committed: Committed;
  readonly maxAgeMs?: number | undefined;
  /** The most memory for remembered zones, octets. */
  readonly maxOctets?: number;
  readonly now?: () => number;
}

/** Stands for "no zone" among the ids of zones. */
export const noZone: ReadZone = { id: 0, zone: "" };

export class Freshness {
  readonly #committed: Committed;
  readonly #maxAgeMs: number;
  /** The clock, ms. */
  readonly now: () => number;
  /** Called when everything has ended. */
  onCleared: () => void = () => {};
  /** By zone, oldest first; the oldest is dropped first. */
  readonly #sources = new Map<number, { zone: string; isValid: boolean }>();
  readonly #maxOctets: number;
  #octets = 0;
  /** The ids of the zones in `#sources`, by name. */
  readonly #ids = new Map<string, number>();
  /** Counts what drops answers; when each zone, any zone by its creation or deletion, and all were dropped. */
  #step = 0;
  readonly #dropped = new Map<number, number>();
  #membershipStep = 0;
  #clearedStep = 0;
  /** Commits of this process. */
  #commits = 0;
  #isStarted = false;
  /** When the last check began that ended well, and the commits before it. */
  #checkedAt = Number.NEGATIVE_INFINITY;
  #checkedCommits = 0;
  #check: Check | undefined;

  constructor(options: FreshnessOptions) {
    const {
      committed,
      maxAgeMs = defaultMaxAgeMs,
      maxOctets = defaultMaxOctets,
      now = () => performance.now(),
    } = options;
    this.#committed = committed;
    this.#maxAgeMs = maxAgeMs;
    this.#maxOctets = maxOctets;
    this.now = now;
  }

  /** What is kept of zones, about, octets. */
  get octets(): number {
    return this.#octets;
  }

  /** Follows the journal from now on, unless that fails; what is read later can be kept. */
  start(): Promise<void> {
    return this.#checkSince(this.#commits, 0);
  }

  /** Takes note of a commit of this process, before it is acknowledged. */
  noteCommit(): void {
    this.#commits += 1;
  }

  /** To be taken before something is read. */
  ticket(): Ticket {
    return { step: this.#step };
  }

  /** What was read of a zone, or that there is no zone of ours; undefined when something has changed since the ticket. */
  sourceOf({ step }: Ticket, { id, zone }: ReadZone = noZone): Source | undefined {
    this.#follow(this.now());
    if (!this.#isStarted) return undefined;
    const changedAt = Math.max(this.#clearedStep, this.#membershipStep, this.#dropped.get(id) ?? 0);
    if (changedAt > step) return undefined;
    return this.#sources.get(id) ?? this.#addSource(id, zone);
  }

  #addSource(id: number, zone: string): Source {
    const source = { zone, isValid: true };
    this.#sources.set(id, source);
    this.#ids.set(zone, id);
    this.#octets += zone.length + sourceOverhead;
    if (this.#octets > this.#maxOctets) this.#makeRoom();
    return source;
  }

  /** Drops many at once: a Map steps over its removed entries to find its first. */
  #makeRoom(): void {
    for (const first of this.#sources.keys()) {
      if (this.#octets <= this.#maxOctets * (1 - roomAtATime)) return;
      this.#dropSource(first);
    }
  }

  /** Whether what is valid may be used now: no check is due before. */
  get isChecked(): boolean {
    const now = this.now();
    const age = now - this.#checkedAt;
    if (this.#checkedCommits !== this.#commits || age >= this.#maxAgeMs) return false;
    this.#follow(now);
    return true;
  }

  /** Waits for a check, if one is due; returns whether what is valid after it may be used. */
  async check(): Promise<boolean> {
    if (this.isChecked) return true;
    const [commits, begunAfter] = [this.#commits, this.now() - this.#maxAgeMs];
    await this.#checkSince(commits, begunAfter);
    return this.#checkedCommits >= commits && this.#checkedAt >= begunAfter;
  }

  /** Begins a check when it is time, also while all requests are new. */
  #follow(now: number): void {
    if (now - this.#checkedAt >= this.#maxAgeMs * checkAfter) this.#check ??= this.#startCheck();
  }

  /** Waits for a check that began after so many commits and not before a time; never rejects. */
  async #checkSince(commits: number, begunAfter: number): Promise<void> {
    while (this.#check && (this.#check.commits < commits || this.#check.begun < begunAfter)) await this.#check.done;
    this.#check ??= this.#startCheck();
    await this.#check.done;
  }

  #startCheck(): Check {
    const [commits, begun] = [this.#commits, this.now()];
    const done = this.#run(commits, begun).finally(() => {
      this.#check = undefined;
    });
    return { commits, begun, done };
  }

  async #run(commits: number, begun: number): Promise<void> {
    try {
      const changes = await this.#committed.read();
      if (changes && this.#isStarted) for (const change of changes) this.#drop(change);
      else this.#clear();
      this.#isStarted = true;
      this.#checkedAt = begun;
      this.#checkedCommits = commits;
    } catch {
      // The requests that find nothing here meet the failure themselves.
      this.#clear();
      this.#isStarted = false;
      this.#checkedAt = Number.NEGATIVE_INFINITY;
    }
  }

  #drop({ domainId, zone, isMembership }: CommittedZone): void {
    this.#step += 1;
    this.#dropSource(domainId);
    if (this.#dropped.size >= maxRemembered) {
      this.#dropped.clear();
      this.#clearedStep = this.#step;
    }
    this.#dropped.set(domainId, this.#step);
    if (!isMembership) return;
    this.#membershipStep = this.#step;
    this.#dropSource(noZone.id);
    for (let dot = zone.indexOf("."); dot >= 0; dot = zone.indexOf(".", dot + 1)) {
      const above = this.#ids.get(zone.slice(dot + 1));
      if (above !== undefined) this.#dropSource(above);
    }
  }

  #dropSource(id: number): void {
    const source = this.#sources.get(id);
    if (!source) return;
    source.isValid = false;
    this.#octets -= source.zone.length + sourceOverhead;
    this.#sources.delete(id);
    this.#ids.delete(source.zone);
  }

  #clear(): void {
    this.#step += 1;
    this.#clearedStep = this.#step;
    for (const source of this.#sources.values()) source.isValid = false;
    this.#sources.clear();
    this.#ids.clear();
    this.#octets = 0;
    this.#dropped.clear();
    this.onCleared();
  }
}
