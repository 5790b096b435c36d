/**
 * Parses dynamic updates (RFC 2136 §2.3 to §2.5, §3.1, §3.2.5, §3.4.1): a message becomes canonical prerequisites and instructions, or is
 * refused before the zone is read. Its record data is checked as that of every other interface.
 * Limitation: only the first error is reported, since a client gets only an rcode.
 */
import { Class, MetaType } from "../../dns/message/header.ts";
import type { Message, ResourceRecord } from "../../dns/message/message-reader.ts";
import { isWithin, type Name, nameText, ownerText, zoneNameText } from "../../dns/name.ts";
import { checkRdata } from "../../dns/rdata/rdata.ts";
import { type RecordType, recordTypeByCode } from "../../dns/rdata/record-type-registry.ts";
import { TypeCode } from "../../dns/type-codes.ts";
import { Refusal } from "../../errors.ts";
import type { Policy } from "../../session/operator-policy.ts";
import { parseField } from "../../session/parse-field.ts";
import { type CanonicalRecord, digestOf, parseWireRecord } from "../edit/canonical-record.ts";
import type { Precondition } from "../edit/precondition.ts";

/** One step of an update (RFC 2136 §2.5): add a record, delete an RRset, all RRsets of a name, or one record. */
export type Instruction = { readonly path: string; readonly owner: string } & (
  | { readonly kind: "add"; readonly type: string; readonly candidate: CanonicalRecord }
  | { readonly kind: "delete-rrset"; readonly type: string }
  | { readonly kind: "delete-name"; readonly type: undefined }
  | { readonly kind: "delete-record"; readonly type: string; readonly digest: string }
);

/** What an update asks: its zone, what must hold of it, and the steps in order. */
export interface ZoneUpdate {
  /** Canonical. */
  readonly zone: string;
  readonly prerequisites: readonly Precondition[];
  readonly instructions: readonly Instruction[];
}

/** The zone that an update names, canonical; its section holds just that (§3.1.1). */
export function zoneOfUpdate({ questions }: Message): string {
  const [zone, second] = questions;
  if (!zone || second) throw malformed("The zone section does not hold exactly one zone (RFC 2136 §2.3).");
  if (zone.type !== TypeCode.SOA) throw malformed("The type in the zone section is not SOA (RFC 2136 §2.3).");
  const name = zoneNameText(zone.name);
  if (zone.class !== Class.IN)
    throw new Refusal("NOT_FOUND", `There is no zone ${name}. of class ${zone.class}; only class IN is served.`);
  return name;
}

/** Reads an update; throws refusals. */
export function readUpdate(message: Message, policy: Policy): ZoneUpdate {
  const zone = zoneOfUpdate(message);
  const apex = message.questions[0]?.name as Name;
  return {
    zone,
    prerequisites: readPrerequisites(message.answers, apex),
    instructions: message.authority.map((record, at) => readInstruction(record, apex, policy, `update ${at + 1}`)),
  };
}

/** §3.2.5; the records that state an RRset's data are gathered by RRset. */
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

/** §3.4.1.2 and §3.4.1.3: what class, TTL, type and data may come together. */
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
