/** Replaces the example name servers and mailbox by those of NAME_SERVERS and HOSTMASTER, in the apex NS records and the SOA of zones. */

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

/** The SQL condition that record r may be replaced: whole RRsets of zones with example names. */
export const recordsToRepair: Sql<boolean> = sql`(
  ${r.owner} = '@' and ${r.type} in ('NS', 'SOA') and ${r.domainId} in (${domainsWithExampleNames}))`;

/** The edit that replaces the example names. A setting with its example value replaces nothing; throws INVALID_VALUE when both have it. */
export function ownNames(policy: Policy): RecordEditing {
  const { nameServers, hostmaster } = policy;
  const hasServers = exampleAmong(nameServers) === undefined;
  const hasHostmaster = hostmaster !== exampleHostmaster;
  if (!hasServers && !hasHostmaster)
    throw new Refusal(
      "INVALID_VALUE",
      "set.exampleNames: the service itself uses the example names; start it with NAME_SERVERS and HOSTMASTER first.",
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
