/**
 * A working copy: the part of a zone that a change touches, in memory, before and after the change. It finds equal records, and knows the
 * special handling of SOA records and TTLs. rules.ts checks the result.
 */
import { noSuch, Refusal } from "../../errors.ts";
import type { CanonicalRecord } from "./canonical-record.ts";
import { movedTtlNotice, type Notice } from "./notice.ts";
import { checkSerial, differsBesidesSerial, isApexSoa, type SerialDemand, serialOf } from "./soa-serial.ts";

/** A record in a working copy; a new record has no id yet. `digest` is hexadecimal and includes the serial of an SOA. */
export interface WorkingRecord {
  readonly id: number | undefined;
  readonly owner: string;
  readonly type: string;
  readonly ttl: number;
  readonly rdata: string;
  readonly wire: Uint8Array;
  readonly digest: string;
}

interface RecordDifference {
  readonly removed: readonly WorkingRecord[];
  readonly added: readonly WorkingRecord[];
}

export interface ChangedRrset {
  readonly owner: string;
  readonly type: string;
  readonly before: readonly WorkingRecord[];
  readonly after: readonly WorkingRecord[];
}

/**
 * An edit of the request that writes to an RRset. `path` is such as `add.3`, empty for a single edit; `field` is the field that refusals
 * name.
 */
export interface EditOfRrset {
  readonly owner: string;
  readonly type: string;
  readonly path: string;
  readonly field: string;
}

const rrset = (record: { owner: string; type: string }) => `${record.owner}\x00${record.type}`;
const identity = (record: { owner: string; type: string; digest: string }) => `${rrset(record)}\x00${record.digest}`;

const nothing: readonly WorkingRecord[] = [];

export class WorkingCopy {
  readonly #before: ReadonlyMap<number, WorkingRecord>;
  readonly #byIdentity: Map<string, WorkingRecord>;
  /** A list is replaced, never changed in place. */
  readonly #byOwner: Map<string, readonly WorkingRecord[]>;
  readonly #byId: Map<number, WorkingRecord>;
  readonly #givenTtl = new Map<string, { readonly ttl: number; readonly field: string }>();
  readonly #touched = new Map<string, string>();
  readonly #edits: EditOfRrset[] = [];
  readonly #paths = new Map<string, string>();
  readonly #pending = new Set<number | undefined>();
  readonly #storedSoa: WorkingRecord | undefined;
  #difference: RecordDifference | undefined;

  constructor(stored: readonly WorkingRecord[]) {
    this.#before = new Map(stored.map((record) => [record.id as number, record]));
    this.#storedSoa = stored.find(isApexSoa);
    this.#byId = new Map(this.#before);
    this.#byIdentity = new Map(stored.map((record) => [identity(record), record]));
    this.#byOwner = Map.groupBy(this.#before.values(), ({ owner }) => owner);
  }

  readonly at = (owner: string): readonly WorkingRecord[] => this.#byOwner.get(owner) ?? nothing;

  readonly below = (top: string): WorkingRecord | undefined => {
    const isBelow = (owner: string) => (top === "@" ? owner !== "@" : owner.endsWith(`.${top}`));
    return [...this.#byIdentity.values()].find(({ owner }) => isBelow(owner));
  };

  get touched(): ReadonlyMap<string, string> {
    return this.#touched;
  }

  readonly editsOf = (among: readonly { owner: string; type?: string | undefined }[]): readonly EditOfRrset[] =>
    this.#edits.filter((edit) =>
      among.some(({ owner, type }) => owner === edit.owner && (type === undefined || type === edit.type)),
    );

  readonly pathOf = (record: { owner: string; type: string; digest: string }): string | undefined =>
    this.#paths.get(identity(record));

  soa(): WorkingRecord | undefined {
    return this.at("@").find((record) => record.type === "SOA");
  }

  storedSoa(): WorkingRecord | undefined {
    return this.#storedSoa;
  }

  /** The record after the change that is equal to this one. */
  find(record: { owner: string; type: string; digest: string }): WorkingRecord | undefined {
    return this.#byIdentity.get(identity(record));
  }

  ttlOf(record: { owner: string; type: string }): number | undefined {
    return this.at(record.owner).find((sibling) => sibling.type === record.type)?.ttl;
  }

  /** Sets the ids of the inserted records, in the order of `difference().added`. */
  setIds(ids: readonly number[]): void {
    const inserted = this.difference().added.filter(({ id }) => id === undefined);
    for (const [at, record] of inserted.entries()) {
      this.#take(record);
      this.#put({ ...record, id: ids[at] });
    }
  }

  /** Adds a record, under its former id if it has one; throws DUPLICATE_RECORD when an equal record exists. */
  add(candidate: CanonicalRecord, defaultTtl: number, path: string, formerId?: number): WorkingRecord {
    const key = identity(candidate);
    const twin = this.#byIdentity.get(key);
    if (twin) throw duplicate(candidate, twin, path);
    const ttl = candidate.ttl ?? this.ttlOf(candidate) ?? defaultTtl;
    const record: WorkingRecord = { ...pick(candidate), ttl, id: formerId };
    this.#giveTtl(candidate, path);
    this.#put(record, key);
    this.#noteEdit(record, path, `${path}owner`);
    this.#paths.set(key, path);
    return record;
  }

  /** Announces the ids of all updates, so that two records can swap their contents in one change. */
  expectUpdates(ids: readonly number[]): void {
    for (const id of ids) this.#pending.add(id);
  }

  update(id: number, candidate: CanonicalRecord, path: string, demand: SerialDemand = "greater"): WorkingRecord {
    const old = this.#find(id, `${path}recordId`);
    if ((old.type === "SOA") !== (candidate.type === "SOA")) {
      throw new Refusal(
        "PROTECTED_RECORD",
        "A record cannot be turned into an SOA, nor an SOA into anything else; edit its fields.",
        { field: `${path}type` },
      );
    }
    if (old.type === "SOA") checkSerial(serialOf(old), serialOf(candidate), demand, `${path}rdata`);
    const key = identity(candidate);
    const twin = this.#byIdentity.get(key);
    this.#pending.delete(id);
    if (twin && twin !== old && !this.#pending.has(twin.id)) throw duplicate(candidate, twin, path);
    const sameSet = old.owner === candidate.owner && old.type === candidate.type;
    const ttl = candidate.ttl ?? (sameSet ? old.ttl : this.ttlOf(candidate)) ?? old.ttl;
    const record: WorkingRecord = { ...pick(candidate), ttl, id };
    this.#giveTtl(candidate, path);
    this.#take(old);
    this.#put(record, key);
    this.#noteEdit(old, path, `${path}owner`);
    if (!sameSet) this.#noteEdit(record, path, `${path}owner`);
    this.#paths.set(key, path);
    return record;
  }

  /** Removes a record; throws a Refusal for the SOA and for a record that is removed already. */
  remove(id: number, field: string): void {
    const record = this.#find(id, field);
    if (record.type === "SOA") {
      throw new Refusal("PROTECTED_RECORD", "The SOA record cannot be removed; delete the domain instead.", { field });
    }
    this.#take(record);
    this.#noteEdit(record, field, field);
  }

  /**
   * Sets the given TTL on all records of each RRset, which has one TTL (RFC 2181 §5.2). Returns a notice for each RRset with stored
   * records whose TTL changes without an edit of their own.
   */
  settleTtls(): Notice[] {
    if (this.#givenTtl.size === 0) return [];
    const notices: Notice[] = [];
    for (const [name, records] of Map.groupBy(this.#byIdentity.values(), rrset)) {
      const { ttl, field } = this.#givenTtl.get(name) ?? {};
      if (ttl === undefined) continue;
      const moved = records.filter((record) => record.ttl !== ttl);
      for (const record of moved) {
        this.#take(record);
        this.#put({ ...record, ttl });
      }
      const stored = moved.filter(({ id }) => id !== undefined && this.#before.has(id));
      if (stored[0])
        notices.push(movedTtlNotice({ ...stored[0], count: stored.length, from: stored[0].ttl, to: ttl }, field));
    }
    return notices;
  }

  setSoa(soa: WorkingRecord): void {
    const old = this.soa();
    if (old) this.#take(old);
    this.#put(soa);
  }

  isUnchanged(): boolean {
    const { removed, added } = this.difference();
    return removed.length + added.length === 0 && this.soa()?.rdata === this.#storedSoa?.rdata;
  }

  /** The difference to store. An edited record is in both lists. An SOA comes first; it is left out when only its serial changes. */
  difference(): RecordDifference {
    this.#difference ??= this.#compare();
    return this.#difference;
  }

  #compare(): RecordDifference {
    const inserted: WorkingRecord[] = [];
    const edited: { from: WorkingRecord; to: WorkingRecord }[] = [];
    for (const to of this.#byIdentity.values()) {
      const from = to.id === undefined ? undefined : this.#before.get(to.id);
      if (!from) inserted.push(to);
      else if (from !== to && !isSame(from, to)) edited.push({ from, to });
    }
    const deleted: WorkingRecord[] = [];
    for (const [id, record] of this.#before) if (!this.#byId.has(id)) deleted.push(record);
    return {
      removed: soaFirst([...deleted, ...edited.map(({ from }) => from)]),
      added: soaFirst([...inserted, ...edited.map(({ to }) => to)]),
    };
  }

  changedRrsets(): ChangedRrset[] {
    const { removed, added } = this.difference();
    const names = new Map([...removed, ...added].map(({ owner, type }) => [rrset({ owner, type }), { owner, type }]));
    const before = Map.groupBy(this.#before.values(), rrset);
    return [...names].map(([name, { owner, type }]) => ({
      owner,
      type,
      before: before.get(name) ?? [],
      after: this.at(owner).filter((record) => record.type === type),
    }));
  }

  #noteEdit({ owner, type }: WorkingRecord, path: string, field: string): void {
    this.#touched.set(owner, field);
    this.#edits.push({ owner, type, path: path.endsWith(".") ? path.slice(0, -1) : path, field });
  }

  #find(id: number, field: string): WorkingRecord {
    const record = this.#byId.get(id);
    if (record) return record;
    if (this.#before.has(id))
      throw new Refusal("INVALID_VALUE", `Record ${id} is removed already in this request; send it once.`, { field });
    throw noSuch("record", id, field);
  }

  #put(record: WorkingRecord, key = identity(record)): void {
    this.#difference = undefined;
    this.#byIdentity.set(key, record);
    if (record.id !== undefined) this.#byId.set(record.id, record);
    this.#byOwner.set(record.owner, [...this.at(record.owner), record]);
  }

  #take(record: WorkingRecord): void {
    this.#difference = undefined;
    const key = identity(record);
    if (this.#byIdentity.get(key) === record) this.#byIdentity.delete(key);
    if (record.id !== undefined) this.#byId.delete(record.id);
    this.#byOwner.set(
      record.owner,
      this.at(record.owner).filter((sibling) => sibling !== record),
    );
  }

  #giveTtl(candidate: CanonicalRecord, path: string): void {
    if (candidate.ttl === undefined) return;
    const earlier = this.#givenTtl.get(rrset(candidate))?.ttl;
    if (earlier !== undefined && earlier !== candidate.ttl) {
      const message = `One change gives ${candidate.owner} ${candidate.type} two TTLs, ${earlier} and ${candidate.ttl}; write the same for all (RFC 2181 §5.2).`;
      throw new Refusal("RECORD_CONFLICT", message, { field: `${path}ttl` });
    }
    this.#givenTtl.set(rrset(candidate), { ttl: candidate.ttl, field: `${path}ttl` });
  }
}

function soaFirst(records: readonly WorkingRecord[]): readonly WorkingRecord[] {
  return records.length < 2 ? records : records.toSorted((a, b) => Number(b.type === "SOA") - Number(a.type === "SOA"));
}

function pick({ owner, type, rdata, wire, digest }: CanonicalRecord): Omit<WorkingRecord, "id" | "ttl"> {
  return { owner, type, rdata, wire, digest };
}

function isSame(a: WorkingRecord, b: WorkingRecord): boolean {
  if (a.owner !== b.owner || a.type !== b.type) return false;
  return a.type === "SOA" ? !differsBesidesSerial(a, b) : a.ttl === b.ttl && a.rdata === b.rdata;
}

/** `twin` is the equal record, in the zone or in the same change. */
function duplicate({ owner, type, rdata }: CanonicalRecord, twin: WorkingRecord, path: string): Refusal {
  const message =
    twin.id === undefined
      ? `The change has ${owner} ${type} ${rdata} twice; leave one out.`
      : `The zone already holds ${owner} ${type} ${rdata}; edit that record instead.`;
  return new Refusal("DUPLICATE_RECORD", message, { field: `${path}rdata` });
}
