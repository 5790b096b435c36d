/**
 * Zones that still have the example values of an unconfigured service (NAME_SERVERS and HOSTMASTER): name servers that serve nothing, in
 * the NS records of the apex and in the SOA, and a mailbox that nobody reads.
 */

import { onRefusal } from "../errors.ts";
import { inSearch, listRows } from "../lists/list-statement.ts";
import {
  exampleHostmaster,
  exampleNameServers,
  exampleZonesWarning,
  settingWarnings,
} from "../session/operator-policy.ts";
import type { Session } from "../session/session.ts";
import { table } from "../sql/columns.ts";
import { sql } from "../sql/sql.ts";
import { Domain } from "./domain.ts";
import { records, ZoneRecord } from "./record.ts";

const d = table(Domain, "d");
const r = table(ZoneRecord, "r");

const servers = sql`${exampleNameServers}::text[]`;

/** The ids of the domains with example values. The `like` condition lets the search index find them. */
export const domainsWithExampleNames = sql<{ id: number }>`
  select ${r.domainId} as id from ${r}
  where ${r.owner} = '@' and lower(${r.rdata}) like '%.zonesmith.example.%' and (
    ${r.type} = 'NS' and ${r.rdata} = any(${servers})
    or ${r.type} = 'SOA' and (split_part(${r.rdata}, ' ', 1) = any(${servers}) or split_part(${r.rdata}, ' ', 2) = ${exampleHostmaster}))`;

/** The number of zones with example values that the actor sees; undefined when the search takes too long or is refused. */
export async function countExampleZones(session: Session): Promise<number | undefined> {
  const query = sql<{ zones: number }>`
    select count(*)::int as zones from ${d}
    where ${d.id} in (${domainsWithExampleNames}) and ${d.userId} is not null and ${records.sees(session.actor)}`;
  const search = async () => (await inSearch(session, (db) => listRows(db, query)))[0]?.zones ?? 0;
  return onRefusal(search, () => undefined);
}

export async function zoneWarnings(session: Session): Promise<string[]> {
  const zones = await countExampleZones(session);
  return [...settingWarnings(session.policy), ...(zones ? [exampleZonesWarning(zones, session.policy)] : [])];
}
