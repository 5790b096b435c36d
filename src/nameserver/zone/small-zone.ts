/** A small zone, read as a whole, which answers for every name in it. */
import type { Reads } from "../../database/point-reads.ts";
import { table } from "../../sql/columns.ts";
import { Domain } from "../../zone/domain.ts";
import { ZoneRecord } from "../../zone/record.ts";
import {
  recordOf,
  type ServedRecord,
  type ServedZone,
  servedColumns,
  type ZoneSource,
  zoneCells,
  zoneColumns,
  zoneOf,
} from "./zone-reader.ts";

/** The limits of a small zone: records, octets of data, and zones of ours below it. */
const most = { records: 1000, octets: 262_144, zonesBelow: 100 } as const;

/** The memory of a record besides its owner and data, octets, about. */
const recordOverhead = 250;

const z = table(Domain, "z");
const r = table(ZoneRecord, "r");
const b = table(Domain, "b");

/** $1 the domain; returns no rows when it is not small. */
const smallZoneText = `
  with size as materialized (
    select count(*) as records, coalesce(sum(octet_length(wire)), 0) as octets
    from (select ${r.wire} from ${r} where ${r.domainId} = $1 limit ${most.records + 1}) counted
  )
  select ${zoneColumns}, ${servedColumns} from ${z} join ${r} on ${r.domainId} = ${z.id}
  where ${z.id} = (select $1::bigint from size where records <= ${most.records} and octets <= ${most.octets})`;

/** $1 the name of a zone. */
const zonesBelowText = `
  select ${b.zone} from ${b} where reverse(${b.zone}) collate "C" >= reverse($1) || '.'
    and reverse(${b.zone}) collate "C" < reverse($1) || '/' limit ${most.zonesBelow + 1}`;

/** A zone in memory. */
export interface SmallZone extends ZoneSource {
  readonly zone: ServedZone;
  /** The zones of ours below it; they may contain a name below it. */
  readonly zonesBelow: ReadonlySet<string>;
  /** The memory of the zone, octets, about. */
  readonly octets: number;
}

/** Reads a zone by two statements, between which it may change; undefined when it is not small or does not exist. */
export async function readSmallZone(reads: Reads, domainId: number): Promise<SmallZone | undefined> {
  const rows = await reads.query(smallZoneText, [String(domainId)]);
  if (!rows[0]) return undefined;
  const zone = zoneOf(rows[0]);
  const below = await reads.query(zonesBelowText, [zone.zone]);
  if (below.length > most.zonesBelow) return undefined;
  const owners = new Map<string, ServedRecord[]>();
  let octets = 0;
  for (const cells of rows) {
    const record = recordOf(cells, zoneCells) as ServedRecord;
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

/** Returns the records of an owner; adds the owner and the names above it where they are missing. */
function addOwner(owners: Map<string, ServedRecord[]>, owner: string): ServedRecord[] {
  const records = owners.get(owner);
  if (records) return records;
  const none: ServedRecord[] = [];
  owners.set(owner, none);
  const dot = owner.indexOf(".");
  if (dot >= 0) addOwner(owners, owner.slice(dot + 1));
  return none;
}
