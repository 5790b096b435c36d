/**
 * The records a domain is born with: its SOA, one NS for each of the operator's name servers, and `www`.
 */
import type { Serial } from "../../dns/serial.ts";
import type { Policy } from "../../session/policy.ts";
import type { RecordFields } from "./canonical-record.ts";

/** TTL of the default records, seconds. */
const ttl = 3600;

/** The default records of a zone whose first serial is `serial`. */
export function defaultRecords(zone: string, serial: Serial, policy: Policy): RecordFields[] {
  const [primary] = policy.nameServers;
  const { refresh, retry, expire, minimum } = policy.soaTimers;
  return [
    {
      owner: "@",
      type: "SOA",
      ttl,
      rdata: `${primary} ${policy.hostmaster} ${serial} ${refresh} ${retry} ${expire} ${minimum}`,
    },
    ...policy.nameServers.map((name) => ({ owner: "@", type: "NS", ttl, rdata: name })),
    { owner: "www", type: "CNAME", ttl, rdata: `${zone}.` },
  ];
}
