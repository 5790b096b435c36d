/**
 * Reads what is stored of many zones by two statements, so that nothing has to be read zone by zone.
 */

import { seesZone } from "../../session/authorization.ts";
import type { Session } from "../../session/session.ts";
import { table } from "../../sql/columns.ts";
import { sql } from "../../sql/sql.ts";
import { Domain, type StoredDomain, storedDomainColumns } from "../domain.ts";
import { ZoneRecord } from "../record.ts";
import { asRead } from "./soa-serial.ts";
import { type Prefetch, recordColumns, type StoredRecord, StoredZone } from "./stored-zone.ts";

const d = table(Domain, "d");
const record = table(ZoneRecord);

/** The zones of these domains that the session sees, by the ids of the domains, each with the records that are wanted of it. */
export async function readStoredZones(
  session: Session,
  wanted: ReadonlyMap<number, Prefetch>,
): Promise<ReadonlyMap<number, StoredZone>> {
  const domains = sql<StoredDomain>`
    select ${storedDomainColumns} from ${d}
    where ${d.id} = any(${[...wanted.keys()]}) and ${seesZone(session.actor, d.userId, d.zone)}`;
  const [owners, ids] = [
    [...wanted].flatMap(([domain, prefetch]) => prefetch.owners.map((owner) => ({ domain, name: owner }))),
    [...wanted].flatMap(([domain, prefetch]) => prefetch.ids.map((id) => ({ domain, number: id }))),
  ];
  const records = sql<StoredRecord & { domainId: number }>`
    select ${record.domainId} as "domainId", ${recordColumns}
    from json_to_recordset(${JSON.stringify(owners)}::json) as w(domain bigint, name text)
    join ${record} on ${record.domainId} = w.domain and ${record.owner} = w.name
    union
    select ${record.domainId}, ${recordColumns} from json_to_recordset(${JSON.stringify(ids)}::json) as w(domain bigint, number bigint)
    join ${record} on ${record.id} = w.number and ${record.domainId} = w.domain
    order by id`;
  const byDomain = Map.groupBy(await records.run(session), ({ domainId }) => domainId);
  const zones = (await domains.run(session)).map((domain) => {
    const stored = (byDomain.get(domain.id) ?? []).map(({ domainId: _, ...each }) => asRead(each));
    const prefetch = wanted.get(domain.id) as Prefetch;
    return [domain.id, StoredZone.ofRead(session, domain, prefetch, stored)] as const;
  });
  return new Map(zones);
}
