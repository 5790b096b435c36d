/** Records in one form for comparison, whoever printed them. */
import { readMasterFile } from "../../../src/dns/master-file/read.ts";
import { lowerName, nameText, zoneNameWire } from "../../../src/dns/name.ts";
import { canonicalRdata } from "../../../src/dns/rdata/rdata.ts";
import type { RecordType } from "../../../src/dns/rdata/record-type-registry.ts";

/** A record as it is compared: owner in lower case, TTL, type, canonical wire (RFC 4034 §6.2). */
export function identity(owner: Uint8Array, ttl: number, type: RecordType, wire: Uint8Array): string {
  const data = Buffer.from(canonicalRdata(type, wire)).toString("hex");
  return `${nameText(lowerName(owner))} ${ttl} TYPE${type.code} ${data}`;
}

/** The records of a master file, as they are compared, sorted; a line that we do not read stands among them as what is wrong. */
export async function identities(text: string, zone: string): Promise<string[]> {
  const found: string[] = [];
  for await (const item of readMasterFile([text], { origin: zoneNameWire(zone) }))
    found.push(
      "problem" in item
        ? `line ${item.line}: ${item.problem.message}`
        : "omitted" in item
          ? `line ${item.line}: ${item.omitted}`
          : identity(item.owner, item.ttl, item.type, item.wire),
    );
  return found.sort();
}
