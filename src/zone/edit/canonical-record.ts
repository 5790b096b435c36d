/** Parses a record, from text or from a DNS message, into canonical form and checks it by itself. rules.ts checks it in its zone. */

import { hash } from "node:crypto";
import { Malformed } from "../../dns/malformed.ts";
import { parseOwner, zoneNameWire } from "../../dns/name.ts";
import { damageOfText } from "../../dns/rdata/damaged-text.ts";
import {
  canonicalRdata,
  checkRdata,
  type FieldValues,
  parseRdata,
  parseRdataFields,
  printRdata,
} from "../../dns/rdata/rdata.ts";
import {
  mustBeCreatable,
  type RecordType,
  recordType,
  recordTypeByCode,
} from "../../dns/rdata/record-type-registry.ts";
import { collectReasons, type Reason, Refusal } from "../../errors.ts";
import type { Policy } from "../../session/operator-policy.ts";
import { parseField } from "../../session/parse-field.ts";
import type { Notice } from "./notice.ts";

/** Record data as field values; `name` is the input field that holds them, such as `mx`. */
interface TypedRdata {
  readonly name: string;
  readonly values: FieldValues;
}

/** A record as a client writes it. Without a TTL it takes the TTL of its RRset, or the default. */
export interface RecordFields {
  readonly owner: string;
  readonly type: string;
  readonly ttl?: number | null | undefined;
  readonly rdata: string | TypedRdata;
}

/** A record in canonical form; `wire` keeps the letter case, `digest` is SHA-256 over the canonical wire (RFC 4034 §6.2). */
export interface CanonicalRecord {
  readonly owner: string;
  readonly type: string;
  readonly ttl: number | undefined;
  readonly rdata: string;
  readonly wire: Uint8Array;
  readonly digest: string;
  readonly notices: readonly Notice[];
}

/**
 * Parses a record of `zone`; throws a Refusal with every reason found, each with its field under `path`. `keptOwner` is the canonical
 * owner when an update keeps the owner; it is not parsed again.
 */
export function parseRecord(
  fields: RecordFields,
  zone: string,
  policy: Policy,
  path = "",
  keptOwner?: string,
): CanonicalRecord {
  const reasons: Reason[] = [];
  const attempt = <T>(read: () => T) => collectReasons(reasons, read);
  const owner = keptOwner ?? attempt(() => parseField(`${path}owner`, () => parseOwner(fields.owner, zone)));
  const type = attempt(() => parseField(`${path}type`, () => mustBeCreatable(recordType(fields.type))));
  attempt(() => checkTtl(fields.ttl, policy, `${path}ttl`));
  const data = type && attempt(() => readRdata(type, fields.rdata, zone, path));
  if (owner === undefined || type === undefined || data === undefined || reasons.length > 0) throw Refusal.of(reasons);
  const { damage, ...canonical } = data;
  const notices = damage ? [{ ...damage, code: "DAMAGED_TEXT" as const, owner, type: type.mnemonic }] : [];
  return { owner, type: type.mnemonic, ttl: fields.ttl ?? undefined, ...canonical, notices };
}

/** A record of a DNS message; its owner is canonical. */
interface WireFields {
  readonly owner: string;
  readonly type: number;
  readonly ttl: number;
  readonly rdata: Uint8Array;
}

/** Parses a record of a DNS message; throws a Refusal with the first reason found. */
export function parseWireRecord(
  { owner, type: code, ttl, rdata }: WireFields,
  policy: Policy,
  path: string,
): CanonicalRecord {
  const type = parseField(`${path}type`, () => mustBeCreatable(recordTypeByCode(code)));
  checkTtl(ttl, policy, `${path}ttl`);
  const data = parseField(`${path}rdata`, () => {
    checkRdata(type, rdata);
    return { rdata: printRdata(type, rdata), wire: rdata, digest: digestOf(type, rdata) };
  });
  return { owner, type: type.mnemonic, ttl, ...data, notices: [] };
}

/** SHA-256 of the canonical wire form of record data, hexadecimal. Records of one RRset are equal if their digests are. */
export function digestOf(type: RecordType, wire: Uint8Array): string {
  return hash("sha256", canonicalRdata(type, wire), "hex");
}

function readRdata(
  type: RecordType,
  rdata: string | TypedRdata,
  zone: string,
  path: string,
): Pick<CanonicalRecord, "rdata" | "wire" | "digest"> & { readonly damage?: { message: string; field: string } } {
  const options = { origin: zoneNameWire(zone), context: "field" } as const;
  const field = `${path}${typeof rdata === "string" ? "rdata" : `data.${rdata.name}`}`;
  const wire =
    typeof rdata === "string"
      ? parseField(field, () => parseRdata(type, rdata, options))
      : parseFields(field, () => parseRdataFields(type, rdata.values, options));
  const damage = damageOfText(type, wire);
  const data = { rdata: printRdata(type, wire), wire, digest: digestOf(type, wire) };
  if (!damage) return data;
  const message = `${field} ${damage.sentence} ${damage.hint}`;
  if (damage.isCertain) throw new Refusal("INVALID_RDATA", message, { field });
  return { ...data, damage: { message, field } };
}

function parseFields<T>(input: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    const field = error instanceof Malformed && error.field !== undefined ? `${input}.${error.field}` : input;
    return parseField(field, () => {
      throw error;
    });
  }
}

export function checkTtl(ttl: number | null | undefined, policy: Policy, field: string): void {
  if (ttl === null || ttl === undefined) return;
  const { ttlMin, ttlMax } = policy;
  if (Number.isInteger(ttl) && ttl >= ttlMin && ttl <= ttlMax) return;
  throw new Refusal("INVALID_TTL", `${field} is ${ttl}; write seconds from ${ttlMin} to ${ttlMax}.`, { field });
}
