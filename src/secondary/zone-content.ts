/**
 * The content of a zone as one digest, whatever the order of records: the sum of a hash of each owner, type, TTL and canonical data (RFC
 * 4034 §6.2). The SOA is compared separately, since a signer has its own serials. Limitation: records of DNSSEC and ZONEMD are left out,
 * because a signer adds them and PowerDNS leaves them out of unsigned zones.
 */
import { createHash } from "node:crypto";
import { type Name, ownerText, zoneNameWire } from "../dns/name.ts";
import { canonicalRdata } from "../dns/rdata/rdata.ts";
import { recordType, recordTypeByCode, signingTypes } from "../dns/rdata/record-type-registry.ts";
import { soaSerial, withSoaSerial } from "../dns/rdata/soa.ts";
import { type Serial, serial } from "../dns/serial.ts";
import { TypeCode } from "../dns/type-codes.ts";
import { sameOctets } from "../dns/wire.ts";
import type { Session } from "../session/session.ts";
import { table } from "../sql/columns.ts";
import { sql } from "../sql/sql.ts";
import { Domain } from "../zone/domain.ts";
import { digestOf } from "../zone/edit/canonical-record.ts";
import { ZoneRecord } from "../zone/record.ts";
import { wireWithSerial } from "../zone/soa-data.ts";
import type { Served } from "./proof.ts";

interface TransferredRecord {
  readonly name: Name;
  readonly type: number;
  readonly ttl: number;
  readonly rdata: Uint8Array;
}

/** `records` without the SOA. */
interface ZoneContent {
  readonly soa: Uint8Array;
  readonly records: number;
  readonly digest: string;
}

/** `octets` of the data of its records. */
export interface CommittedContent extends ZoneContent {
  readonly serial: Serial;
  readonly octets: number;
}

const leftOutCodes = new Set(signingTypes.map((mnemonic) => recordType(mnemonic).code));
const sums = 4;

export class ContentReader {
  readonly #zone: Name;
  readonly #sums = new BigInt64Array(sums);
  #records = 0;
  #soa: Uint8Array | undefined;
  #isSigned = false;

  constructor(zone: string) {
    this.#zone = zoneNameWire(zone);
  }

  /** Throws Malformed for a record outside the zone, and for data that does not fit its type. */
  add({ name, type, ttl, rdata }: TransferredRecord): void {
    if (type === TypeCode.RRSIG) this.#isSigned = true;
    if (type === TypeCode.SOA) this.#soa ??= rdata;
    if (type === TypeCode.SOA || leftOutCodes.has(type)) return;
    const recordType = recordTypeByCode(type);
    const hash = createHash("sha256")
      .update(`${ownerText(name, this.#zone)} ${recordType.mnemonic} ${ttl} `)
      .update(Buffer.from(digestOf(recordType, rdata), "hex"))
      .digest();
    for (let at = 0; at < sums; at += 1)
      this.#sums[at] = BigInt.asIntN(64, (this.#sums[at] as bigint) + hash.readBigInt64BE(at * 8));
    this.#records += 1;
  }

  /** `isSigned`: whether the records so far hold signatures. Undefined before the SOA. */
  get served(): Served | undefined {
    return this.#soa && { serial: soaSerial(this.#soa), isSigned: this.#isSigned };
  }

  get records(): number {
    return this.#records;
  }

  /** Undefined before the SOA. */
  get content(): ZoneContent | undefined {
    return this.#soa && { soa: this.#soa, records: this.#records, digest: this.#sums.join(" ") };
  }
}

const d = table(Domain, "d");
const r = table(ZoneRecord, "r");

/** Undefined when the domain is deleted. */
export async function committedContent(session: Session, domainId: number): Promise<CommittedContent | undefined> {
  const isOther = sql`not (${r.owner} = '@' and ${r.type} = 'SOA') and ${r.type} <> all(${signingTypes}::text[])`;
  const hash = sql`sha256(convert_to(${r.owner} || ' ' || ${r.type} || ' ' || ${r.ttl} || ' ', 'UTF8') || ${r.digest})`;
  const part = (at: number) =>
    sql`coalesce(sum(('x' || encode(substr(hashed.hash, ${at * 8 + 1}, 8), 'hex'))::bit(64)::bigint), 0)::text`;
  const query = sql<{ serial: number; soa: Uint8Array; records: number; octets: number; sums: string[] }>`
    select ${d.serial}, (select ${wireWithSerial(r, String(d.serial))} from ${r} where ${r.domainId} = ${d.id} and ${r.owner} = '@' and ${r.type} = 'SOA') as soa,
      hashed.*
    from ${d} cross join lateral (
      select count(*)::int as records, coalesce(sum(octets), 0)::float8 as octets,
        array[${sql.join([...Array(sums).keys()].map(part))}] as sums
      from (
        select ${hash} as hash, octet_length(${r.wire}) as octets from ${r} where ${r.domainId} = ${d.id} and ${isOther}
      ) hashed
    ) hashed where ${d.id} = ${domainId}`;
  const row = (await query.run(session))[0];
  if (!row) return undefined;
  const digest = row.sums.map((sum) => BigInt.asIntN(64, BigInt(sum))).join(" ");
  return { serial: serial(row.serial), soa: row.soa, records: row.records, octets: row.octets, digest };
}

/** How a copy differs from ours, whatever its serial; undefined when it does not. */
export function differenceOf(copy: ZoneContent, ours: ZoneContent): string | undefined {
  if (copy.records > ours.records) return `it has more than our ${ours.records} records besides the SOA`;
  if (copy.records < ours.records) return `it has ${copy.records} records besides the SOA, we have ${ours.records}`;
  if (copy.digest !== ours.digest) return "some of its records differ from ours";
  return sameOctets(soaWithoutSerial(copy.soa), soaWithoutSerial(ours.soa)) ? undefined : "its SOA is another";
}

function soaWithoutSerial(wire: Uint8Array): Uint8Array {
  return withSoaSerial(canonicalRdata(recordType("SOA"), wire), serial(0));
}
