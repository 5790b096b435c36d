/**
 * Answers that are sent again as long as the zone they are from has not changed: a request that has the same octets
 * after its id as an earlier one gets the same answer. Before a kept answer is sent, the journal has been read since the
 * last commit of this process and within the last moments for those of others, so that a client reads its own writes at
 * once. Many requests share one such check, and without requests there is none.
 *
 * A change drops the answers from its zone. The creation or deletion of a zone also drops those from the zones above it,
 * and those that there is no zone. When a check fails, or finds another history than before, everything is dropped.
 * Limitation: what was changed without a change in the journal, as by SQL, is seen when an answer is read again, after a
 * minute or so.
 */
import type { Committed, CommittedZone } from "./committed-changes.ts";
import type { Client } from "./hooks.ts";

/**
 * How old the last check may be when an answer is sent, ms. After a fifth of that the next one begins, so that a
 * request waits for one only where the database is slow.
 */
const defaultMaxAgeMs = 250;
const checkAfter = 1 / 5;
/** After a pause this long without requests everything is dropped, instead of reading what was committed meanwhile, ms. */
const maxPauseMs = 30_000;
/** An answer is kept for this long, and up to as long again, so that not all are read again at a time, ms. */
const minKeptMs = 45_000;
/** What is kept at most, requests and answers; answers over TCP may be long, and take no place from those over UDP. */
const limits = {
  udp: { entries: 100_000, octets: 48 * 1024 * 1024 },
  tcp: { entries: 10_000, octets: 16 * 1024 * 1024 },
} as const;
/** A request that is longer than this is not kept. */
const maxRequestOctets = 300;
/** What an entry takes besides its octets, about. */
const entryOverhead = 250;
/** Zones that were changed while answers are read, remembered at most. */
const maxRemembered = 10_000;

/** The zone that an answer is from. */
export interface AnsweringZone {
  readonly id: number;
  readonly zone: string;
}

/** The state of the cache when an answer begins to be read. */
export interface Ticket {
  readonly step: number;
}

/** The answers from a zone, or that there is none. */
interface Source {
  readonly zone: string;
  isValid: boolean;
}

interface Entry {
  /** In latin1: its octets. */
  readonly answer: string;
  readonly source: Source;
  /** On the cache's clock, ms. */
  readonly until: number;
  readonly octets: number;
}

/** The answers over one protocol, the one kept for longest first; it goes first. */
class KeptAnswers {
  readonly #entries = new Map<string, Entry>();
  readonly #limit: { readonly entries: number; readonly octets: number };
  #octets = 0;

  constructor(limit: { readonly entries: number; readonly octets: number }) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The entry of a request, whatever its id, that may still be sent. */
  find(request: Uint8Array, now: number): Entry | undefined {
    if (this.#entries.size === 0 || request.length > maxRequestOctets) return undefined;
    const key = latin1(request, 2);
    const entry = this.#entries.get(key);
    if (!entry || (entry.source.isValid && entry.until > now)) return entry;
    this.#remove(key);
    return undefined;
  }

  add(request: Uint8Array, entry: Entry): void {
    const key = latin1(request, 2);
    this.#remove(key);
    this.#entries.set(key, entry);
    this.#octets += entry.octets;
    for (const [oldest] of this.#entries) {
      if (this.size <= this.#limit.entries && this.#octets <= this.#limit.octets) return;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    this.#octets -= this.#entries.get(key)?.octets ?? 0;
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#octets = 0;
  }
}

/** A check that runs: how many commits there were before it, and when it began, on the cache's clock. */
interface Check {
  readonly commits: number;
  readonly begun: number;
  readonly done: Promise<void>;
}

/** `now` is a clock in milliseconds that never goes back. */
export interface AnswerCacheOptions {
  readonly committed: Committed;
  readonly maxAgeMs?: number | undefined;
  readonly now?: () => number;
}

/** Stands for "no zone" among the ids of zones. */
const noZone: AnsweringZone = { id: 0, zone: "" };

export class AnswerCache {
  readonly #committed: Committed;
  readonly #maxAgeMs: number;
  readonly #now: () => number;
  readonly #kept = { udp: new KeptAnswers(limits.udp), tcp: new KeptAnswers(limits.tcp) };
  readonly #sources = new Map<number, Source>();
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

  constructor({ committed, maxAgeMs = defaultMaxAgeMs, now = () => performance.now() }: AnswerCacheOptions) {
    this.#committed = committed;
    this.#maxAgeMs = maxAgeMs;
    this.#now = now;
  }

  /** How many answers are kept. */
  get size(): number {
    return this.#kept.udp.size + this.#kept.tcp.size;
  }

  /** Follows the journal from now on, unless that fails; answers that are read later can be kept. */
  start(): Promise<void> {
    return this.#checkSince(this.#commits, 0);
  }

  /** Takes note of a commit of this process, before it is acknowledged. */
  noteCommit(): void {
    this.#commits += 1;
  }

  /** The answer to a request, if one is kept and no check is due before it may be sent. */
  current(protocol: Client["protocol"], request: Uint8Array): Uint8Array | undefined {
    const now = this.#now();
    const entry = this.#kept[protocol].find(request, now);
    return entry && this.#isFresh(now) ? answerOf(entry, request) : undefined;
  }

  /** The answer to a request, if one is kept, after a check if that is due. */
  async find(protocol: Client["protocol"], request: Uint8Array): Promise<Uint8Array | undefined> {
    const kept = this.#kept[protocol];
    const now = this.#now();
    if (!kept.find(request, now)) return undefined;
    if (!this.#isFresh(now)) {
      const [commits, begunAfter] = [this.#commits, now - this.#maxAgeMs];
      await this.#checkSince(commits, begunAfter);
      if (this.#checkedCommits < commits || this.#checkedAt < begunAfter) return undefined;
    }
    const entry = kept.find(request, this.#now());
    return entry && answerOf(entry, request);
  }

  /** To be taken before an answer is read. */
  ticket(): Ticket {
    return { step: this.#step };
  }

  /** Keeps an answer from a zone, or that there is no zone of ours, unless something has changed since it was read. */
  keep(
    protocol: Client["protocol"],
    request: Uint8Array,
    answer: Uint8Array,
    { step }: Ticket,
    from: AnsweringZone = noZone,
  ): void {
    if (request.length > maxRequestOctets) return;
    this.#follow(this.#now());
    if (!this.#isStarted) return;
    const changedAt = Math.max(this.#clearedStep, this.#membershipStep, this.#dropped.get(from.id) ?? 0);
    if (changedAt > step) return;
    this.#kept[protocol].add(request, {
      answer: latin1(answer, 0),
      source: this.#sourceOf(from),
      until: this.#now() + minKeptMs * (1 + Math.random()),
      octets: request.length + answer.length + entryOverhead,
    });
  }

  #isFresh(now: number): boolean {
    const age = now - this.#checkedAt;
    if (this.#checkedCommits !== this.#commits || age >= this.#maxAgeMs) return false;
    this.#follow(now);
    return true;
  }

  /** Begins a check when it is time, also while all requests are new. */
  #follow(now: number): void {
    if (now - this.#checkedAt >= this.#maxAgeMs * checkAfter) this.#check ??= this.#startCheck();
  }

  #sourceOf({ id, zone }: AnsweringZone): Source {
    const source = this.#sources.get(id) ?? { zone, isValid: true };
    this.#sources.set(id, source);
    this.#ids.set(zone, id);
    return source;
  }

  /** Waits for a check that began after so many commits and not before a time; never rejects. */
  async #checkSince(commits: number, begunAfter: number): Promise<void> {
    while (this.#check && (this.#check.commits < commits || this.#check.begun < begunAfter)) await this.#check.done;
    this.#check ??= this.#startCheck();
    await this.#check.done;
  }

  #startCheck(): Check {
    const [commits, begun] = [this.#commits, this.#now()];
    const done = this.#run(commits, begun).finally(() => {
      this.#check = undefined;
    });
    return { commits, begun, done };
  }

  async #run(commits: number, begun: number): Promise<void> {
    try {
      if (!this.#isStarted || begun - this.#checkedAt > maxPauseMs) {
        this.#clear();
        await this.#committed.start();
        // What began to be read before may be older than what `start` has skipped.
        this.#clear();
        this.#isStarted = true;
      } else {
        for (const change of await this.#committed.read()) this.#drop(change);
      }
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
    this.#sources.delete(id);
    this.#ids.delete(source.zone);
  }

  #clear(): void {
    this.#step += 1;
    this.#clearedStep = this.#step;
    this.#kept.udp.clear();
    this.#kept.tcp.clear();
    this.#sources.clear();
    this.#ids.clear();
    this.#dropped.clear();
  }
}

/** Octets from an offset on as a string, for keys of maps. */
function latin1(octets: Uint8Array, start: number): string {
  const buffer = Buffer.isBuffer(octets) ? octets : Buffer.from(octets.buffer, octets.byteOffset, octets.length);
  return buffer.toString("latin1", start);
}

/** A kept answer under the id of a request. */
function answerOf({ answer }: Entry, request: Uint8Array): Uint8Array {
  const octets = Buffer.allocUnsafe(answer.length);
  octets.write(answer, 0, "latin1");
  octets[0] = request[0] as number;
  octets[1] = request[1] as number;
  return octets;
}
