/** Reads from the database what the checks need: zones, the catalog, the secondaries with their keys, and weak TSIG keys. */
import { worksAt } from "../account/api-key.ts";
import { TsigKey } from "../account/tsig-key.ts";
import { isWeakAlgorithm } from "../dns/message/tsig.ts";
import { type CatalogRow, catalogRows } from "../secondary/catalog-zone.ts";
import { type SecondaryEndpoint, secondaryEndpoints } from "../secondary/endpoint.ts";
import type { Session } from "../session/session.ts";
import { table } from "../sql/columns.ts";
import { sql } from "../sql/sql.ts";
import { Domain } from "../zone/domain.ts";
import { countExampleZones } from "../zone/example-names.ts";

/** A zone to ask a server for, with its committed serial. */
export interface AskedZone {
  readonly zone: string;
  readonly serial: number;
}

export interface Stock {
  readonly zones: number;
  /** The number of zones with the example's name servers or mailbox; undefined when the database takes too long to count them. */
  readonly exampleZones: number | undefined;
  /** One of the zones; undefined when there is no zone. */
  readonly sample: AskedZone | undefined;
  /** The catalog zones; none while no secondary has been registered. */
  readonly catalogs: readonly CatalogRow[];
  readonly secondaries: readonly SecondaryEndpoint[];
  /** The number of working TSIG keys, and the names of those with a weak algorithm. */
  readonly tsigKeys: number;
  readonly weakKeys: readonly string[];
}

const d = table(Domain, "d");
const t = table(TsigKey, "t");

export async function readStock(session: Session): Promise<Stock> {
  const count = sql<{ zones: number }>`select count(*)::int as zones from ${d} where ${d.userId} is not null`;
  const first = sql<AskedZone>`
    select ${d.columns("zone", "serial")} from ${d} where ${d.userId} is not null order by ${d.id} limit 1`;
  const keys = sql<{ name: string; algorithm: string }>`
    select ${t.columns("name", "algorithm")} from ${t}
    where ${worksAt(t, sql`now()`)} order by ${t.name}`;
  const working = await keys.run(session);
  return {
    zones: (await count.run(session))[0]?.zones ?? 0,
    exampleZones: await countExampleZones(session),
    sample: (await first.run(session))[0],
    catalogs: await catalogRows(session),
    secondaries: await secondaryEndpoints(session),
    tsigKeys: working.length,
    weakKeys: working.filter(({ algorithm }) => isWeakAlgorithm(algorithm)).map(({ name }) => name),
  };
}
