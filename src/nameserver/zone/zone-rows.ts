/**
 * Whole zones for transfers. A small zone is one row with its records in JSON; larger ones are read in PostgreSQL's binary form, so that no
 * record is converted to and from text.
 */
import type { PoolClient } from "pg";
import { copyOut } from "../../database/copy-out.ts";
import type { Reads } from "../../database/point-reads.ts";
import { table } from "../../sql/columns.ts";
import { ZoneRecord } from "../../zone/record.ts";
import { type ServedRecord, type ZoneWithSoa, zoneSoaCells, zoneSoaText, zoneWithSoaOf } from "./zone-reader.ts";

const r = table(ZoneRecord, "r");

/** Records besides the SOA, and octets of their data. */
interface ZoneLimits {
  readonly records: number;
  readonly octets: number;
}

/** $1 the name of the zone, $2 and $3 the limits. */
const wholeZoneText = `
  with zone as materialized (${zoneSoaText}), found as materialized (
    select ${r.columns("owner", "type", "ttl", "wire", "position", "id")} from ${r}
    where ${r.domainId} = (select id from zone) and not (${r.owner} = '@' and ${r.type} = 'SOA') limit $2::bigint + 1
  )
  select zone.*, (
    select coalesce(json_agg(json_build_array(owner, type, ttl, encode(wire, 'hex')) order by position, id), '[]') from found
    having count(*) <= $2::bigint and coalesce(sum(octet_length(wire)), 0) <= $3::bigint
  ) from zone`;

/** `records`: the others in the order of the master file, within the limits. */
export interface WholeZone extends ZoneWithSoa {
  readonly records: readonly ServedRecord[] | undefined;
}

/** Undefined when there is no zone of exactly this name. */
export async function readWholeZone(
  reads: Reads,
  zone: string,
  { records, octets }: ZoneLimits,
): Promise<WholeZone | undefined> {
  const [cells] = await reads.query(wholeZoneText, [zone, String(records), String(octets)]);
  if (!cells) return undefined;
  const text = cells[zoneSoaCells];
  return { ...zoneWithSoaOf(cells), records: text == null ? undefined : recordsOfJson(text) };
}

/** Data is in hexadecimal digits. */
export function recordsOfJson(text: string): ServedRecord[] {
  const rows = JSON.parse(text) as (readonly [owner: string, type: string, ttl: number, wire: string])[];
  return rows.map(([owner, type, ttl, wire]) => ({ owner, type, ttl, wire: Buffer.from(wire, "hex") }));
}

/** COPY takes no parameters; the id of a domain is a number. */
const copyText = (zoneId: number) => `
  copy (
    select ${r.owner}, ${r.type}, ${r.ttl}, ${r.wire} from ${r}
    where ${r.domainId} = ${zoneId} and not (${r.owner} = '@' and ${r.type} = 'SOA') order by ${r.position}, ${r.id}
  ) to stdout (format binary)`;

/**
 * Without the SOA, in the order of the master file. A piece is read before the next one is requested. Needs a snapshot. The rows are read by
 * the index of that order: PostgreSQL might sort a zone with a large share of all records, and send the first row after the last is read.
 */
export async function* readZoneRows(reads: PoolClient, zoneId: number): AsyncGenerator<readonly Buffer[]> {
  await reads.query("set local enable_sort = off");
  yield* copyOut(reads, copyText(zoneId));
}
