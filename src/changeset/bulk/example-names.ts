/**
 * The repair of zones that have the example's name servers and mailbox: those of NAME_SERVERS and HOSTMASTER take their places, in the NS
 * records at the apex and in the SOA.
 */

import { Refusal } from "../../errors.ts";
import { exampleAmong, exampleHostmaster, exampleNameServers, type Policy } from "../../session/operator-policy.ts";
import { table } from "../../sql/columns.ts";
import { type Sql, sql } from "../../sql/sql.ts";
import { type CanonicalRecord, parseRecord } from "../../zone/edit/canonical-record.ts";
import { domainsWithExampleNames } from "../../zone/example-names.ts";
import { ZoneRecord } from "../../zone/record.ts";
import type { EditableRecord, RecordEditing } from "./edit-rrset.ts";
import { replaceNames } from "./replace-rdata.ts";

const r = table(ZoneRecord, "r");

/** The SQL of the records that it may be about, of record r: whole RRsets. */
export const recordsToRepair: Sql<boolean> = sql`(
  ${r.owner} = '@' and ${r.type} in ('NS', 'SOA') and ${r.domainId} in (${domainsWithExampleNames}))`;

/** The repair; refused while both settings are the example's. One that is the example's is left as it is. */
export function ownNames(policy: Policy): RecordEditing {
  const { nameServers, hostmaster } = policy;
  const hasServers = exampleAmong(nameServers) === undefined;
  const hasHostmaster = hostmaster !== exampleHostmaster;
  if (!hasServers && !hasHostmaster)
    throw new Refusal(
      "INVALID_VALUE",
      "set.exampleNames: the service itself has the names of the example; start it with NAME_SERVERS and HOSTMASTER first.",
      { field: "set.exampleNames" },
    );
  const ofServers = exampleNameServers.map((from, at) => ({
    from,
    to: (nameServers[at] ?? nameServers[0]) as string,
  }));
  const pairs = [
    ...(hasServers ? ofServers : []),
    ...(hasHostmaster ? [{ from: exampleHostmaster, to: hostmaster }] : []),
  ];
  return {
    matches: () => true,
    ttl: undefined,
    isRemoval: false,
    replace: replaceNames(pairs),
    additions: ({ type, zone }: EditableRecord): CanonicalRecord[] =>
      type === "NS" ? nameServers.map((rdata) => parseRecord({ owner: "@", type, rdata }, zone, policy)) : [],
  };
}
