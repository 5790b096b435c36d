/**
 * Small zones in memory, for questions whose answers are not kept: many names are queried only once. A zone is read when it was queried
 * `readAfter` times, and is used while it is unchanged (freshness.ts). Hidden zones are never kept. Limitation: a change without an entry
 * in the journal shows after a minute.
 */
import type { Reads } from "../../database/point-reads.ts";
import { table } from "../../sql/columns.ts";
import { noteHiddenFailure } from "../../trace/hidden-failure.ts";
import { Domain } from "../../zone/domain.ts";
import type { Freshness, ReadZone, Source, Ticket } from "./freshness.ts";
import type { ServedRecord, ServedZone, ZoneSource } from "./zone-reader.ts";
import { readWholeZone } from "./zone-rows.ts";

/** Reading a zone costs about as much as this number of queries. */
const readAfter = 10;
const maxAgeMs = 60_000;
/** Octets of all copies, about; and zones with counted queries. */
const defaultMaxOctets = 32 * 1024 * 1024;
const maxCounted = 10_000;

interface Copy {
  readonly small: SmallZone;
  readonly source: Source;
  /** In ms of the clock of freshness. */
  readonly until: number;
}

interface Count {
  readonly source: Source;
  questions: number;
}

export class ZoneCopies {
  readonly #freshness: Freshness;
  readonly #reads: Reads;
  readonly #maxOctets: number;
  /** By name, oldest first; the oldest is removed first. */
  readonly #copies = new Map<string, Copy>();
  readonly #counts = new Map<number, Count>();
  #octets = 0;

  constructor(freshness: Freshness, reads: Reads, maxOctets = defaultMaxOctets) {
    this.#freshness = freshness;
    this.#reads = reads;
    this.#maxOctets = maxOctets;
  }

  get octets(): number {
    return this.#octets;
  }

  /** After a check where one is due. `names` are the name and those above it. */
  async find(names: readonly string[]): Promise<SmallZone | undefined> {
    if (!this.#find(names) || !(await this.#freshness.check())) return undefined;
    return this.#find(names);
  }

  #find(names: readonly string[]): SmallZone | undefined {
    for (const [depth, name] of names.entries()) {
      const copy = this.#copies.get(name);
      if (!copy) continue;
      const isCurrent = copy.source.isValid && copy.until > this.#freshness.now();
      if (!isCurrent) this.#remove(name, copy);
      // A zone of ours below it may contain the name.
      const isBelow = names.slice(0, depth).some((each) => copy.small.zonesBelow.has(each));
      return isCurrent && !isBelow ? copy.small : undefined;
    }
    return undefined;
  }

  /** After an answer from a zone that is not hidden. */
  noteRead({ id, zone }: ServedZone, ticket: Ticket): void {
    const source = this.#freshness.sourceOf(ticket, { id, zone });
    if (!source) return;
    let count = this.#counts.get(id);
    if (count?.source !== source) {
      if (this.#counts.size >= maxCounted) this.#counts.clear();
      count = { source, questions: 0 };
      this.#counts.set(id, count);
    }
    count.questions += 1;
    // After a failure the next question reads the database itself.
    if (count.questions === readAfter) this.#read({ id, zone }).catch((error) => noteHiddenFailure("zone_copy", error));
  }

  async #read(read: ReadZone): Promise<void> {
    const { zone } = read;
    const ticket = this.#freshness.ticket();
    const small = await readSmallZone(this.#reads, zone);
    // The name may belong to another domain by now.
    const source = small?.zone.id === read.id && this.#freshness.sourceOf(ticket, read);
    if (!source) return;
    const before = this.#copies.get(zone);
    if (before) this.#remove(zone, before);
    this.#copies.set(zone, { small, source, until: this.#freshness.now() + maxAgeMs });
    this.#octets += small.octets;
    for (const [name, copy] of this.#copies) {
      if (this.#octets <= this.#maxOctets) return;
      this.#remove(name, copy);
    }
  }

  #remove(name: string, { small }: Copy): void {
    this.#copies.delete(name);
    this.#octets -= small.octets;
  }
}

/** Records besides the SOA, octets of their data, and zones of ours below it. */
const most = { records: 999, octets: 262_144, zonesBelow: 100 } as const;

/** Octets, about. */
const recordOverhead = 250;

const b = table(Domain, "b");

/** $1 the name of a zone. */
const zonesBelowText = `
  select ${b.zone} from ${b} where reverse(${b.zone}) collate "C" >= reverse($1) || '.'
    and reverse(${b.zone}) collate "C" < reverse($1) || '/' limit ${most.zonesBelow + 1}`;

/** A zone that answers for every name in it. */
interface SmallZone extends ZoneSource {
  readonly zone: ServedZone;
  readonly zonesBelow: ReadonlySet<string>;
  /** Octets, about. */
  readonly octets: number;
}

/** Two statements, between which the zone may change; undefined when it is not small or does not exist. */
export async function readSmallZone(reads: Reads, name: string): Promise<SmallZone | undefined> {
  const whole = await readWholeZone(reads, name, most);
  if (!whole?.records) return undefined;
  const { zone, soa, records } = whole;
  const below = await reads.query(zonesBelowText, [name]);
  if (below.length > most.zonesBelow) return undefined;
  const owners = new Map<string, ServedRecord[]>();
  let octets = 0;
  for (const record of [soa, ...records]) {
    octets += record.owner.length + record.wire.length + recordOverhead;
    addOwner(owners, record.owner).push(record);
  }
  return {
    zone,
    zonesBelow: new Set(below.map(([name]) => name as string)),
    octets,
    neighbourhood: async () => ({ zone, owners }),
    addresses: async (_zoneId, names) => ({
      zone,
      records: names.flatMap((name) => (owners.get(name) ?? []).filter(({ type }) => type === "A" || type === "AAAA")),
    }),
  };
}

/** Adds the owner and the names above it where they are missing. */
function addOwner(owners: Map<string, ServedRecord[]>, owner: string): ServedRecord[] {
  const records = owners.get(owner);
  if (records) return records;
  const none: ServedRecord[] = [];
  owners.set(owner, none);
  const dot = owner.indexOf(".");
  if (dot >= 0) addOwner(owners, owner.slice(dot + 1));
  return none;
}
