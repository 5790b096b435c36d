/**
 * What the database holds, as far as the checks need it: how many zones there are and one of them, the catalog, the secondaries with their
 * keys, and keys that are weak.
 */

import { TsigKey } from "../account/tsig-key.ts";
import { isWeakAlgorithm } from "../dns/message/tsig.ts";
import { type CatalogRow, catalogRow } from "../secondary/catalog-zone.ts";
import { type SecondaryEndpoint, secondaryEndpoints } from "../secondary/endpoint.ts";
import type { Session } from "../session/session.ts";
import { table } from "../sql/columns.ts";
import { sql } from "../sql/sql.ts";
import { Domain } from "../zone/domain.ts";
import { countExampleZones } from "../zone/example-names.ts";

/** A zone to ask for, with its serial as it is committed. */
export interface AskedZone {
  readonly zone: string;
  readonly serial: number;
}

/** What there is. */
export interface Stock {
  readonly zones: number;
  /** Those that have the example's name servers or mailbox; undefined when the database takes too long to say. */
  readonly exampleZones: number | undefined;
  /** One of the zones; undefined without any. */
  readonly sample: AskedZone | undefined;
  /** Undefined before the first secondary. */
  readonly catalog: CatalogRow | undefined;
  readonly secondaries: readonly SecondaryEndpoint[];
  /** TSIG keys that work, and those of them with a weak algorithm. */
  readonly tsigKeys: number;
  readonly weakKeys: readonly string[];
}

const d = table(Domain, "d");
const t = table(TsigKey, "t");

/** Reads it, by a session of the system. */
export async function readStock(session: Session): Promise<Stock> {
  const count = sql<{ zones: number }>`select count(*)::int as zones from ${d} where ${d.userId} is not null`;
  const first = sql<AskedZone>`
    select ${d.columns("zone", "serial")} from ${d} where ${d.userId} is not null order by ${d.id} limit 1`;
  const keys = sql<{ name: string; algorithm: string }>`
    select ${t.columns("name", "algorithm")} from ${t}
    where ${t.revokedAt} is null and (${t.expiresAt} is null or ${t.expiresAt} > now()) order by ${t.name}`;
  const working = await keys.run(session);
  return {
    zones: (await count.run(session))[0]?.zones ?? 0,
    exampleZones: await countExampleZones(session),
    sample: (await first.run(session))[0],
    catalog: await catalogRow(session),
    secondaries: await secondaryEndpoints(session),
    tsigKeys: working.length,
    weakKeys: working.filter(({ algorithm }) => isWeakAlgorithm(algorithm)).map(({ name }) => name),
  };
}
