/**
 * Freshness: whether data that was read from a zone is still what is committed. Data is used only after a check of the journal. The check
 * must be later than the last commit of this process, and at most `maxAgeMs` old, for the commits of other processes. Concurrent requests
 * share a check; without requests there are none. A change invalidates the data of its zone. The creation or deletion of a zone also
 * invalidates the zones above it and the knowledge that a zone is absent. When a check fails, all data is invalid.
 */
import type { JournalChange } from "../../zone/journal-tail.ts";

/** The maximum age of the check, ms. The next one begins after a fifth of that, so that requests wait only where the database is slow. */
const defaultMaxAgeMs = 250;
const checkAfter = 1 / 5;
/** The memory for remembered zones, octets, approximately. It is enough for as many zones as answers are kept (answer-cache.ts). */
const defaultMaxOctets = 32 * 1024 * 1024;
/** Besides the name, octets. */
const sourceOverhead = 200;
const roomAtATime = 1 / 16;
/** Of zones that were changed while answers were read. */
const maxRemembered = 10_000;

export type CommittedZone = Pick<JournalChange, "changeId" | "domainId" | "zone" | "isMembership">;

/** Undefined when the zones committed since the last call are not known one by one. */
type ReadCommitted = () => Promise<readonly CommittedZone[] | undefined>;

export interface ReadZone {
  readonly id: number;
  readonly zone: string;
}

/** The state of the journal at the beginning of a read. */
export interface Ticket {
  readonly step: number;
}

export interface Source {
  readonly zone: string;
  readonly isValid: boolean;
}

interface Check {
  readonly commits: number;
  readonly begun: number;
  readonly done: Promise<void>;
}

/** `now` is a monotonic clock, ms. */
interface FreshnessOptions {
  readonly committed: ReadCommitted;
  readonly maxAgeMs?: number | undefined;
  readonly maxOctets?: number;
  readonly now?: () => number;
}

/** The absence of a zone. */
const noZone: ReadZone = { id: 0, zone: "" };

export class Freshness {
  readonly #committed: ReadCommitted;
  readonly #maxAgeMs: number;
  readonly now: () => number;
  onCleared: () => void = () => {};
  /** By zone, oldest first; the oldest is removed first. */
  readonly #sources = new Map<number, { zone: string; isValid: boolean }>();
  readonly #maxOctets: number;
  #octets = 0;
  readonly #ids = new Map<string, number>();
  /**
   * Counts invalidations. The next three fields hold the count at the last invalidation of each zone, of any zone by a creation or
   * deletion, and of everything.
   */
  #step = 0;
  readonly #dropped = new Map<number, number>();
  #membershipStep = 0;
  #clearedStep = 0;
  #commits = 0;
  #isStarted = false;
  /** The beginning of the last successful check, and the commits before it. */
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

  get octets(): number {
    return this.#octets;
  }

  /** Data that is read later can be kept, unless this fails. */
  start(): Promise<void> {
    return this.#checkSince(this.#commits, 0);
  }

  /** Called after a commit of this process and before its acknowledgement. */
  noteCommit(): void {
    this.#commits += 1;
  }

  /** The caller takes a ticket before a read. */
  ticket(): Ticket {
    return { step: this.#step };
  }

  /** Undefined after a change since the ticket. */
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

  /** Removes many entries at a time, because a Map steps over all its removed entries to find the first one. */
  #makeRoom(): void {
    for (const first of this.#sources.keys()) {
      if (this.#octets <= this.#maxOctets * (1 - roomAtATime)) return;
      this.#dropSource(first);
    }
  }

  /** Whether valid data may be used now. */
  get isChecked(): boolean {
    const now = this.now();
    const age = now - this.#checkedAt;
    if (this.#checkedCommits !== this.#commits || age >= this.#maxAgeMs) return false;
    this.#follow(now);
    return true;
  }

  /** Waits for a check where one is due; returns whether valid data may be used. */
  async check(): Promise<boolean> {
    if (this.isChecked) return true;
    const [commits, begunAfter] = [this.#commits, this.now() - this.#maxAgeMs];
    await this.#checkSince(commits, begunAfter);
    return this.#checkedCommits >= commits && this.#checkedAt >= begunAfter;
  }

  /** Also while all requests are new. */
  #follow(now: number): void {
    if (now - this.#checkedAt >= this.#maxAgeMs * checkAfter) this.#check ??= this.#startCheck();
  }

  /** Waits for a check that began after this number of commits and not before this time; never rejects. */
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
      const changes = await this.#committed();
      if (changes && this.#isStarted) for (const change of changes) this.#drop(change);
      else this.#clear();
      this.#isStarted = true;
      this.#checkedAt = begun;
      this.#checkedCommits = commits;
    } catch {
      // Later requests find no data here and get the database's error themselves.
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
