/**
 * The default records of a new domain: SOA, one NS for each of the operator's name servers, and `www`, unless that name would be too
 * long.
 */
import { maxNameLength, zoneNameWire } from "../../dns/name.ts";
import type { Policy } from "../../session/operator-policy.ts";
import type { RecordFields } from "../edit/canonical-record.ts";

/** TTL of the default records, seconds. */
const ttl = 3600;

const alias = "www";

export function defaultRecords(zone: string, policy: Policy): RecordFields[] {
  const [primary] = policy.nameServers;
  const { refresh, retry, expire, minimum } = policy.soaTimers;
  return [
    {
      owner: "@",
      type: "SOA",
      ttl,
      rdata: `${primary} ${policy.hostmaster} 0 ${refresh} ${retry} ${expire} ${minimum}`,
    },
    ...policy.nameServers.map((name) => ({ owner: "@", type: "NS", ttl, rdata: name })),
    ...(zoneNameWire(zone).length + alias.length < maxNameLength
      ? [{ owner: alias, type: "CNAME", ttl, rdata: `${zone}.` }]
      : []),
  ];
}
