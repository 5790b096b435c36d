/** The table of record types. A6 ATMA DOA NXT SINK WKS are obsolete and have no row; their data is written `\# n hex` (RFC 3597 §5). */

import { Malformed, quote } from "../malformed.ts";
import { TypeCode, typeCode, typeMnemonic } from "../type-codes.ts";
import { hostTypes } from "./host-types.ts";
import { networkTypes } from "./network-types.ts";
import type { RecordType } from "./record-type.ts";
import { securityTypes } from "./security-types.ts";

export type { RecordType } from "./record-type.ts";

export const recordTypes: readonly RecordType[] = [...hostTypes, ...networkTypes, ...securityTypes].sort(
  (a, b) => a.code - b.code,
);

const byCode = new Map(recordTypes.map((type) => [type.code, type]));
const byMnemonic = new Map(recordTypes.map((type) => [type.mnemonic, type]));

/** RFC 6895 §3.1: query and meta-types 128 to 255, OPT, and types withdrawn before use. */
const metaMnemonics = new Set("OPT UINFO UID GID UNSPEC NXNAME TKEY TSIG IXFR AXFR MAILB MAILA ANY *".split(" "));

function isMeta(code: number): boolean {
  return code === 0 || code === 41 || (code >= 100 && code <= 103) || (code >= 128 && code <= 255) || code === 61440;
}

/** In any letter case, or as `TYPEnnn`; throws Malformed with reason `type`. */
export function recordType(text: string): RecordType {
  const upper = text.length > 20 ? "" : text.toUpperCase();
  const listed = byMnemonic.get(upper);
  if (listed) return listed;
  if (metaMnemonics.has(upper)) refuseMeta(upper);
  const code = typeCode(upper);
  if (code === undefined)
    throw new Malformed(
      "type",
      `${quote(text)} is not a record type; write a mnemonic such as MX, or TYPE1 to TYPE65535.`,
    );
  return recordTypeByCode(code);
}

/** Without a row a type is generic. Throws Malformed with reason `type` for types that are not data. */
export function recordTypeByCode(code: number): RecordType {
  const listed = byCode.get(code);
  if (listed) return listed;
  if (isMeta(code)) refuseMeta(`TYPE${code}`);
  return {
    mnemonic: typeMnemonic(code),
    code,
    rfc: "RFC 3597 §5",
    description: "a type known by its number alone",
    example: "\\# 4 0a000001",
    creatable: code !== TypeCode.NULL,
    fields: [],
  };
}

/** The types that signing adds to a zone. BIND keeps the state of its signing in TYPE65534. */
export const signingTypes: readonly string[] = "RRSIG NSEC NSEC3 NSEC3PARAM DNSKEY CDS CDNSKEY ZONEMD TYPE65534".split(
  " ",
);

const signerTypes = new Set(["RRSIG", "NSEC", "NSEC3"]);

/** RFC 4034, RFC 5155. */
export function belongsToSigner(type: RecordType): boolean {
  return signerTypes.has(type.mnemonic);
}

/** Throws Malformed with reason `type` for types of a signer, and for NULL, MD and MF. */
export function mustBeCreatable(type: RecordType): RecordType {
  if (type.creatable) return type;
  const why = belongsToSigner(type)
    ? "they belong to the signer of a zone, which makes them itself"
    : "name servers refuse a zone that holds them";
  throw new Malformed("type", `${type.mnemonic} records cannot be created: ${why}.`);
}

function refuseMeta(mnemonic: string): never {
  throw new Malformed(
    "type",
    `${mnemonic} is a query or meta type, not zone data; write a type of records such as MX.`,
  );
}
