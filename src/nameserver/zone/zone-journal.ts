/**
 * The journal of a zone for IXFR (RFC 1995). A few differences are read by one statement together with the zone, more in steps within a
 * snapshot.
 */
import type { PoolClient } from "pg";
import type { Reads } from "../../database/point-reads.ts";
import { type RowOf, table } from "../../sql/columns.ts";
import { Change } from "../../zone/change.ts";
import { ChangeRecord, changedRecords } from "../../zone/change-record.ts";
import { ZoneRecord } from "../../zone/record.ts";
import { soaWithSerial } from "../../zone/soa-data.ts";
import {
  type ServedRecord,
  type ServedZone,
  type ZoneWithSoa,
  zoneSoaCells,
  zoneSoaText,
  zoneWithSoaOf,
} from "./zone-reader.ts";
import { recordsOfJson } from "./zone-rows.ts";

const record = table(ZoneRecord);
const c = table(Change, "c");
const j = table(ChangeRecord, "j");

/** For each change: the old SOA, removed records, the new SOA, added records. */
const orderOf = ({ changeId, type, owner, ordinal }: Pick<typeof j, "changeId" | "type" | "owner" | "ordinal">) =>
  `${changeId}, removed desc, (${type} = 'SOA' and ${owner} = '@') desc, ${ordinal}`;

const few = { changes: 100, records: 500, octets: 65_536 } as const;

const delta = table(ChangeRecord, "delta");
const r = table(ZoneRecord, "r");
const v = table(ChangeRecord, "v");

/** Without the SOA. */
const othersText = `
  select ${j.changeId}, ${j.ordinal}, ${j.owner}, ${j.type}, ${j.ttl}, ${j.wire}, removed from ${changedRecords} j
  where not (${j.owner} = '@' and ${j.type} = 'SOA')`;

/**
 * The SOA before and after a change: its version then, with the serials of `step`: the id of the change, its serial and the previous one.
 */
function soasOf(domainId: string, step: string): string {
  const side = (serial: string, isOld: boolean) => {
    const ofSoa = (row: typeof r | typeof v) =>
      `${row.domainId} = ${domainId} and ${row.owner} = '@' and ${row.type} = 'SOA'`;
    return `(
      select ${step}.id, 0, '@', 'SOA', soa.ttl,
        ${soaWithSerial("soa.wire", `${step}.${serial}`)}, ${isOld}
      from (
        (select ${v.columns("ttl", "wire", "changeId")} from ${v}
          where ${ofSoa(v)} and ${v.changeId} ${isOld ? ">=" : ">"} ${step}.id order by ${v.changeId} limit 1)
        union all select ${r.columns("ttl", "wire")}, null from ${r} where ${ofSoa(r)}
      ) soa order by soa."changeId" limit 1)`;
  };
  return `${side("previous", true)} union all ${side("serial", false)}`;
}

/** $1 the name of the zone, $2 the serial. `offset 0` makes the planner find the records of each change by an index. */
const fewDifferencesText = `
  with zone as materialized (${zoneSoaText}), base as materialized (
    select max(${c.id}) as id from ${c} where ${c.domainId} = (select id from zone) and ${c.serial} = $2
  ), path as materialized (
    select ${c.id} as id, ${c.serial} as serial, ${c.previousSerial} as previous from ${c}
    where ${c.domainId} = (select id from zone) and ${c.id} > (select id from base)
    order by ${c.id} limit ${few.changes + 1}
  ), delta as materialized (
    select found.* from path cross join lateral (
      (${othersText} and ${j.domainId} = (select id from zone) and ${j.changeId} = path.id offset 0)
      union all ${soasOf("(select id from zone)", "path")}
    ) found limit ${few.records + 1}
  ), size as materialized (
    select count(*) as records, coalesce(sum(octet_length(${delta.wire})), 0) as octets from delta
  ), path_text as (
    select json_agg(json_build_array(path.previous, path.serial) order by path.id) as steps from path
  )
  select zone.*, (select steps from path_text), size.records < (
      select count(*) from (
        select from ${record} where ${record.domainId} = (select id from zone) limit (select records + 1 from size)
      ) counted
    ),
    case when size.records <= ${few.records} and size.octets <= ${few.octets} then (
      select json_agg(
        json_build_array(${delta.owner}, ${delta.type}, ${delta.ttl}, encode(${delta.wire}, 'hex')) order by ${orderOf(delta)}
      ) from delta
    ) end
  from zone cross join size`;

/** `differences` is undefined where they exceed the limits, do not exist, or are no shorter than the zone. */
export interface ZoneWithDifferences extends ZoneWithSoa {
  readonly differences?: readonly ServedRecord[] | undefined;
}

/** Undefined when there is no zone of exactly this name. */
export async function readFewDifferences(
  reads: Reads,
  zone: string,
  from: number,
): Promise<ZoneWithDifferences | undefined> {
  const [cells] = await reads.query(fewDifferencesText, [zone, String(from)]);
  if (!cells) return undefined;
  const served = zoneWithSoaOf(cells);
  const [path, isShorter, records] = cells.slice(zoneSoaCells);
  const steps = JSON.parse(path ?? "[]") as (readonly [previous: number | null, serial: number])[];
  const leads = isShorter === "t" && leadsTo(served.zone.serial, from, steps);
  return { ...served, differences: leads && records ? recordsOfJson(records) : undefined };
}

/** Whether the steps lead from the serial `from` to the serial `to` without a gap. */
function leadsTo(to: number, from: number, steps: readonly (readonly [number | null, number])[]): boolean {
  return steps.every(([previous], at) => previous === (steps[at - 1]?.[1] ?? from)) && steps.at(-1)?.[1] === to;
}

const rowsPerFetch = 500;

const stepColumns = c.columns("id", "serial", "previousSerial");

/** $1 the domain, $2 the serial, $3 the limit of the count of the zone's records, null for no limit. */
const journalPathText = `
  with zone_size as (
    select count(*) as size from (select from ${record} where ${record.domainId} = $1 limit $3::bigint) counted
  ), base as (
    select max(${c.id}) as id from ${c} where ${c.domainId} = $1 and ${c.serial} = $2
  ), path as (
    select ${stepColumns} from ${c}, base
    where ${c.domainId} = $1 and ${c.id} > base.id order by ${c.id} limit (select size from zone_size)
  ), delta as (
    select count(*) + 2 * (select count(*) from path) as size from (
      ${othersText} and ${j.domainId} = $1 and ${j.changeId} in (select id from path) limit (select size from zone_size)
    ) counted
  )
  select path.*, zone_size.size as "zoneSize", delta.size as "records"
  from zone_size cross join delta left join path on delta.size < zone_size.size order by path.id`;

interface JournalStep extends Partial<RowOf<typeof stepColumns>> {
  readonly zoneSize: number;
  readonly records: number;
}

interface JournalPath {
  readonly changes: readonly number[];
  readonly records: number;
}

/** The zone's records are counted up to this number first. */
const fewRecords = 1000;

/** Undefined when the journal does not lead to the current serial, or when the whole zone is the shorter answer (RFC 1995 §2). */
export async function readJournalPath(
  client: PoolClient,
  zone: ServedZone,
  from: number,
): Promise<JournalPath | undefined> {
  const read = async (maxCounted: number | null) => {
    const statement = { name: "journal-path", text: journalPathText, values: [zone.id, from, maxCounted] };
    return (await client.query<JournalStep>(statement)).rows;
  };
  const counted = await read(fewRecords);
  const isUndecided = counted[0]?.id === null && counted[0].zoneSize === fewRecords;
  const steps = isUndecided ? await read(null) : counted;
  const path = steps.map(({ previousSerial, serial }) => [previousSerial ?? null, serial as number] as const);
  if (!leadsTo(zone.serial, from, path)) return undefined;
  return { changes: steps.map(({ id }) => id as number), records: steps[0]?.records ?? 0 };
}

const journalText = `
  select ${j.columns("owner", "type", "ttl", "wire")} from (
    ${othersText} and ${j.domainId} = $1 and ${j.changeId} = any($2::bigint[])
    union all
    select soas.* from (
      select ${c.id} as id, ${c.serial} as serial, ${c.previousSerial} as previous from ${c} where ${c.id} = any($2::bigint[])
    ) step cross join lateral (${soasOf("$1", "step")}) soas
  ) j order by ${orderOf(j)}`;

/** In the order of IXFR. Needs a snapshot. */
export async function* readJournal(
  client: PoolClient,
  zoneId: number,
  { changes, records }: JournalPath,
): AsyncGenerator<readonly ServedRecord[]> {
  const values = [zoneId, changes];
  if (records > rowsPerFetch) yield* fetchBatches(client, journalText, values);
  else yield (await client.query<ServedRecord>({ name: "journal", text: journalText, values })).rows;
}

async function* fetchBatches(
  client: PoolClient,
  query: string,
  values: readonly unknown[],
): AsyncGenerator<readonly ServedRecord[]> {
  await client.query(`declare transfer no scroll cursor for ${query}`, [...values]);
  for (;;) {
    const { rows } = await client.query<ServedRecord>(`fetch forward ${rowsPerFetch} from transfer`);
    if (rows.length > 0) yield rows;
    if (rows.length < rowsPerFetch) return;
  }
}
