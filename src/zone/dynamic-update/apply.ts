/**
 * Applies dynamic updates (RFC 2136 §3.2 to §3.4, §3.7). It checks the prerequisites and follows the instructions in order on the records
 * of the zone; the result is one change (edit/change-zone.ts).
 *
 * An instruction is skipped silently where §3.4.2 prescribes it: an equal record (its TTL is taken), a CNAME beside other data or the
 * reverse, an SOA whose serial is not greater, and the removal of the SOA or the last NS at the apex. DNAME is single as CNAME is (RFC
 * 6672 §2.4).
 *
 * Limitations: permission (§3.3) is checked before the prerequisites, so that a key learns nothing about names that it may not write. A
 * change that would break a rule of the zone is REFUSED, a check that §3.4.2 does not have.
 */
import { actorOfTsig, matches, reachesZone, type TsigScope } from "../../account/tsig-scope.ts";
import { Class, MetaType } from "../../dns/message/header.ts";
import type { Message, ResourceRecord } from "../../dns/message/message-reader.ts";
import { isWithin, type Name, nameText, ownerText, zoneNameText } from "../../dns/name.ts";
import { checkRdata } from "../../dns/rdata/rdata.ts";
import { type RecordType, recordTypeByCode } from "../../dns/rdata/record-type-registry.ts";
import { serialIsGreater } from "../../dns/serial.ts";
import { TypeCode } from "../../dns/type-codes.ts";
import { Refusal } from "../../errors.ts";
import type { Policy } from "../../session/operator-policy.ts";
import { parseField } from "../../session/parse-field.ts";
import type { Session } from "../../session/session.ts";
import { type CanonicalRecord, digestOf, parseWireRecord } from "../edit/canonical-record.ts";
import { changeZone, type ZoneChange } from "../edit/change-zone.ts";
import { ownersAround, type Plan, type Planner } from "../edit/edit-plan.ts";
import { expectAll, type Precondition } from "../edit/precondition.ts";
import { serialOf } from "../edit/soa-serial.ts";
import type { StoredZone } from "../edit/stored-zone.ts";
import type { WorkingRecord } from "../edit/working-copy.ts";

/** One instruction of an update (RFC 2136 §2.5): add a record, or delete an RRset, all RRsets of a name, or one record. */
export type Instruction = { readonly path: string; readonly owner: string } & (
  | { readonly kind: "add"; readonly type: string; readonly candidate: CanonicalRecord }
  | { readonly kind: "delete-rrset"; readonly type: string }
  | { readonly kind: "delete-name"; readonly type: undefined }
  | { readonly kind: "delete-record"; readonly type: string; readonly digest: string }
);

interface ZoneUpdate {
  readonly zone: string;
  readonly prerequisites: readonly Precondition[];
  readonly instructions: readonly Instruction[];
}

/** The canonical name of the updated zone; throws a Refusal unless the zone section holds exactly one zone (§3.1.1). */
export function zoneOfUpdate({ questions }: Message): string {
  const [zone, second] = questions;
  if (!zone || second) throw malformed("The zone section does not hold exactly one zone (RFC 2136 §2.3).");
  if (zone.type !== TypeCode.SOA) throw malformed("The type in the zone section is not SOA (RFC 2136 §2.3).");
  const name = zoneNameText(zone.name);
  if (zone.class !== Class.IN)
    throw new Refusal("NOT_FOUND", `There is no zone ${name}. of class ${zone.class}; only class IN is served.`);
  return name;
}

export function readUpdate(message: Message, policy: Policy): ZoneUpdate {
  const zone = zoneOfUpdate(message);
  const apex = message.questions[0]?.name as Name;
  return {
    zone,
    prerequisites: readPrerequisites(message.answers, apex),
    instructions: message.authority.map((record, at) => readInstruction(record, apex, policy, `update ${at + 1}`)),
  };
}

/** Parses the prerequisites (§3.2.5). Records that state the data of one RRset become one precondition. */
function readPrerequisites(records: readonly ResourceRecord[], apex: Name): Precondition[] {
  const list: Precondition[] = [];
  const sets = new Map<string, { owner: string; type: string; path: string; data: Set<string> }>();
  for (const [at, record] of records.entries()) {
    const path = `prerequisite ${at + 1}`;
    if (record.ttl !== 0) throw malformed(`${path}: its TTL is not 0 (RFC 2136 §3.2.5).`);
    const owner = ownerOf(record.name, apex, path);
    if (record.class === Class.ANY || record.class === Class.NONE) {
      if (record.rdata.length > 0) throw malformed(`${path}: class ANY and NONE have no data (RFC 2136 §3.2.5).`);
      const type = record.type === MetaType.ANY ? undefined : typeOf(record, path).mnemonic;
      list.push({ owner, type, exists: record.class === Class.ANY, data: undefined, path });
    } else {
      if (record.class !== Class.IN) throw malformed(`${path}: class ${record.class} is not the zone's.`);
      const type = typeOf(record, path);
      const key = `${owner} ${type.code}`;
      const set = sets.get(key) ?? { owner, type: type.mnemonic, path, data: new Set() };
      set.data.add(digestOfWire(type, record.rdata, path));
      sets.set(key, set);
    }
  }
  return [...list, ...[...sets.values()].map((set) => ({ ...set, exists: true }))];
}

/** Parses an instruction: checks its combination of class, TTL, type and data (§3.4.1.2, §3.4.1.3). */
function readInstruction(record: ResourceRecord, apex: Name, policy: Policy, path: string): Instruction {
  const owner = ownerOf(record.name, apex, path);
  const { type: code, ttl, rdata } = record;
  const isQuery = code >= MetaType.IXFR && code <= MetaType.MAILA;
  if (isQuery || (code === MetaType.ANY && record.class !== Class.ANY))
    throw malformed(`${path}: type ${code} is a query's, not a record's (RFC 2136 §3.4.1.2).`);
  if (record.class === Class.IN) {
    const candidate = parseWireRecord({ owner, type: code, ttl, rdata }, policy, `${path} `);
    return { kind: "add", owner, type: candidate.type, candidate, path };
  }
  if (record.class !== Class.ANY && record.class !== Class.NONE)
    throw malformed(`${path}: class ${record.class} is not the zone's, nor ANY or NONE (RFC 2136 §3.4.1.2).`);
  if (ttl !== 0) throw malformed(`${path}: a deletion has TTL 0 (RFC 2136 §3.4.1.2).`);
  if (record.class === Class.ANY) {
    if (rdata.length > 0) throw malformed(`${path}: class ANY has no data (RFC 2136 §3.4.1.2).`);
    if (code === MetaType.ANY) return { kind: "delete-name", owner, type: undefined, path };
    return { kind: "delete-rrset", owner, type: typeOf(record, path).mnemonic, path };
  }
  const type = typeOf(record, path);
  return { kind: "delete-record", owner, type: type.mnemonic, digest: digestOfWire(type, rdata, path), path };
}

function ownerOf(name: Name, apex: Name, path: string): string {
  if (isWithin(name, apex)) return ownerText(name, apex);
  throw new Refusal("OUT_OF_ZONE", `${path}: ${nameText(name)} is not in the zone ${nameText(apex)}`);
}

function typeOf({ type }: ResourceRecord, path: string): RecordType {
  return parseField(path, () => recordTypeByCode(type));
}

function digestOfWire(type: RecordType, wire: Uint8Array, path: string): string {
  return parseField(path, () => {
    checkRdata(type, wire);
    return digestOf(type, wire);
  });
}

const malformed = (message: string) => new Refusal("BAD_REQUEST", message);

export async function applyUpdate(session: Session, key: TsigScope, message: Message): Promise<ZoneChange> {
  const update = readUpdate(message, session.policy);
  return changeZone({ ...session, actor: actorOfTsig(key) }, update.zone, planUpdate(key, update));
}

function planUpdate(key: TsigScope, update: ZoneUpdate): Planner {
  const owners = [...new Set([...update.prerequisites, ...update.instructions].map(({ owner }) => owner))];
  const written = update.instructions.flatMap((each) => (each.kind === "add" ? each.candidate : []));
  const plan = async (zone: StoredZone) => {
    expectScope(key, update);
    const overlay = new UpdateOverlay(await zone.at(owners));
    expectAll(update.prerequisites, (owner) => overlay.at(owner));
    for (const instruction of update.instructions) overlay.follow(instruction);
    return overlay.plan();
  };
  return { prefetch: { owners: ownersAround(update.zone, owners, written), ids: [] }, plan };
}

function expectScope(key: TsigScope, update: ZoneUpdate): void {
  if (!reachesZone(key, update.zone)) {
    const reach = key.zones
      ? `only ${key.zones.join(", ")}`
      : "no zone, because it belongs to no user and lists no zones";
    throw new Refusal("FORBIDDEN", `The key ${key.name} may not update ${update.zone}; it reaches ${reach}.`);
  }
  for (const { owner, type, path } of update.instructions) {
    if (key.owners && !key.owners.some((pattern) => matches(pattern, owner))) {
      const message = `${path}: the key ${key.name} may not write at ${owner}, only at ${key.owners.join(", ")}.`;
      throw new Refusal("FORBIDDEN", message);
    }
    if (key.types && !(type !== undefined && key.types.includes(type))) {
      const what = type === undefined ? "all types at once" : type;
      const message = `${path}: the key ${key.name} may not write ${what}, only ${key.types.join(", ")}.`;
      throw new Refusal("FORBIDDEN", message);
    }
  }
}

/** A record of the overlay; `written` is set when the update writes it. */
interface OverlayRecord extends WorkingRecord {
  readonly written?: { readonly record: CanonicalRecord; readonly path: string };
}

/** A name has at most one record of each of these types: a second record replaces the first. */
const single = new Set(["CNAME", "DNAME", "SOA"]);

const identity = ({ type, digest }: { type: string; digest: string }) => `${type} ${digest}`;

class UpdateOverlay {
  readonly #stored: readonly WorkingRecord[];
  readonly #owners = new Map<string, Map<string, OverlayRecord>>();
  readonly #ids: ReadonlyMap<string, number | undefined>;

  constructor(stored: readonly WorkingRecord[]) {
    this.#stored = stored;
    this.#ids = new Map(stored.map((record) => [`${record.owner} ${identity(record)}`, record.id]));
    for (const record of stored) this.#records(record.owner).set(identity(record), record);
  }

  at(owner: string): readonly OverlayRecord[] {
    return [...this.#records(owner).values()];
  }

  follow(instruction: Instruction): void {
    const { kind, owner, type } = instruction;
    const isApex = owner === "@";
    if (kind === "add") this.#add(instruction.candidate, `${instruction.path} `);
    else if (kind === "delete-record") this.#deleteRecord(owner, instruction);
    // §3.4.2.3: SOA and NS stay at the apex.
    else if (kind === "delete-name") this.#delete(owner, (each) => !(isApex && isApexType(each)));
    else if (!(isApex && isApexType(type))) this.#delete(owner, (each) => each === type);
  }

  /** Adds a record, or skips it silently (RFC 2136 §3.4.2.2). */
  #add(candidate: CanonicalRecord, path: string): void {
    const { owner, type } = candidate;
    const others = this.at(owner);
    const blocks = (each: string) => (type === "CNAME" ? each !== "CNAME" : each === "CNAME");
    if (others.some((other) => blocks(other.type))) return;
    const [present] = others.filter((other) => other.type === type);
    if (type === "SOA" && !(present && serialIsGreater(serialOf(candidate), serialOf(present)))) return;
    const records = this.#records(owner);
    const equal = records.get(identity(candidate));
    if (equal) {
      const { rdata, wire } = equal;
      this.#put({ ...equal, written: { record: { ...candidate, rdata, wire }, path } });
      return;
    }
    const replaced = single.has(type) ? present : undefined;
    if (replaced) records.delete(identity(replaced));
    const id = replaced ? replaced.id : this.#ids.get(`${owner} ${identity(candidate)}`);
    this.#put({ ...candidate, ttl: candidate.ttl as number, id, written: { record: candidate, path } });
  }

  /** §3.4.2.4: the SOA and the last NS at the apex stay. */
  #deleteRecord(owner: string, record: { type: string; digest: string }): void {
    if (record.type === "SOA") return;
    const isLastNs =
      owner === "@" && record.type === "NS" && this.at("@").filter(({ type }) => type === "NS").length < 2;
    if (!isLastNs) this.#records(owner).delete(identity(record));
  }

  #delete(owner: string, isDeleted: (type: string) => boolean): void {
    const records = this.#records(owner);
    for (const [key, { type }] of records) if (isDeleted(type)) records.delete(key);
  }

  plan(): Plan {
    const records = [...this.#owners.keys()].flatMap((owner) => this.at(owner));
    const keptIds = new Set(records.map(({ id }) => id));
    const removedIds = this.#stored.flatMap(({ id }) => (id === undefined || keptIds.has(id) ? [] : id));
    return {
      remove: removedIds.map((id) => ({ id, field: "update" })),
      writes: records.flatMap(({ id, written }) => (written ? { id, ...written } : [])),
      owners: [...this.#owners.keys()],
    };
  }

  #records(owner: string): Map<string, OverlayRecord> {
    const records = this.#owners.get(owner) ?? new Map<string, OverlayRecord>();
    this.#owners.set(owner, records);
    return records;
  }

  #put(record: OverlayRecord): void {
    this.#records(record.owner).set(identity(record), record);
  }
}

const isApexType = (type: string | undefined) => type === "SOA" || type === "NS";
