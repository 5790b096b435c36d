/** A small zone in memory, which answers for every name in it. */
import type { Reads } from "../../database/point-reads.ts";
import { table } from "../../sql/columns.ts";
import { Domain } from "../../zone/domain.ts";
import type { ServedRecord, ServedZone, ZoneSource } from "./zone-reader.ts";
import { readWholeZone } from "./zone-rows.ts";

/** Records besides the SOA, octets of their data, and zones of ours below it. */
const most = { records: 999, octets: 262_144, zonesBelow: 100 } as const;

/** Octets, about. */
const recordOverhead = 250;

const b = table(Domain, "b");

/** $1 the name of a zone. */
const zonesBelowText = `
  select ${b.zone} from ${b} where reverse(${b.zone}) collate "C" >= reverse($1) || '.'
    and reverse(${b.zone}) collate "C" < reverse($1) || '/' limit ${most.zonesBelow + 1}`;

export interface SmallZone extends ZoneSource {
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
