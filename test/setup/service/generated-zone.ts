/** Zones that hold generated records of every type, as they come out of the service as a master file. */

import { ownerName, zoneNameWire } from "../../../src/dns/name.ts";
import { canonicalRdata, parseRdata, printRdata } from "../../../src/dns/rdata/rdata.ts";
import { type RecordType, recordType, recordTypes } from "../../../src/dns/rdata/record-type-registry.ts";
import fc from "../basics/property.ts";
import { rdataOf } from "../dns/arbitrary-rdata.ts";
import { identity } from "../dns/identities.ts";
import type { Json, TestService } from "./service.ts";

const rrsetsOfType = 5;
export const creatableTypes = recordTypes.filter((type) => type.creatable);
/** BIND takes one record of these at a name (RFC 1034 §3.6.2, RFC 6672 §2.4, RFC 9606 §5). */
const single = new Set(["CNAME", "DNAME", "RESINFO"]);

interface Given {
  readonly owner: string;
  readonly type: string;
  readonly ttl: number;
  readonly rdata: string;
}

/** A zone as it was given and as it came out. */
export interface GeneratedZone {
  readonly zone: string;
  readonly file: string;
  /** The identities of its records, sorted. */
  readonly records: readonly string[];
}

/** The first label of an owner; the second makes it the only one of its kind. */
const plainLabels = ["www", "_dmarc", "*", "0/26", "xn--bcher-kva", "A--B"];
const firstLabel = fc.constantFrom(...plainLabels, "a\\046b", "\\000\\255", "\\064");
const ttl = fc.oneof(fc.integer({ min: 0, max: 2147483647 }), fc.constantFrom(0, 2147483647));

/** Generated RRsets of a type, each at an owner of its own. */
function rrsetsOf(type: RecordType, zone: string, seed: number): Given[] {
  const context = { origin: zoneNameWire(zone), context: "master" } as const;
  const rrset = fc.record({
    label: type.mnemonic === "NS" ? firstLabel.filter((label) => label !== "*") : firstLabel,
    ttl,
    data: fc.array(rdataOf(type), { minLength: 1, maxLength: single.has(type.mnemonic) ? 1 : 3 }),
  });
  return fc.sample(rrset, { seed, numRuns: rrsetsOfType }).flatMap(({ label, ttl, data }, at) => {
    const wires = data.map((text) => parseRdata(type, text, context));
    const unique = new Map(wires.map((wire) => [Buffer.from(canonicalRdata(type, wire)).toString("hex"), wire]));
    const owner = `${label}.t${type.code}-${at}`;
    return [...unique.values()].map((wire) => ({ owner, type: type.mnemonic, ttl, rdata: printRdata(type, wire) }));
  });
}

/** Creates a zone that holds records of every type. */
export async function generateZone(
  service: TestService,
  userId: string,
  zone: string,
  seed: number,
): Promise<GeneratedZone> {
  const origin = zoneNameWire(zone);
  await service.domain(zone, userId);
  const { records } = await service.data(
    `{ records(filter: { zone: "${zone}" }) { nodes { id owner type ttl rdata } } }`,
  );
  const [soa, ...others]: Json[] = records.nodes;
  const [mname, rname] = fc.sample(rdataOf(recordType("NS")), { seed, numRuns: 2 });
  // Times end at 2147483647: NSD reads a greater one in a file as 3600.
  const apex = { ttl: 3600, rdata: `${mname} ${rname} 4000000000 2147483647 0 2147483647 1` };
  const generated = creatableTypes
    .filter(({ mnemonic }) => mnemonic !== "SOA")
    .flatMap((type) => rrsetsOf(type, zone, seed));
  generated.push({ owner: "number", type: "TYPE65280", ttl: 1, rdata: "\\# 3 00ff0a" });
  generated.push({ owner: "number", type: "TYPE65280", ttl: 1, rdata: "\\# 0" });
  const edits = { zone, update: [{ recordId: soa.id, ...apex }], add: generated, force: true };
  await service.mutate("changeRecords", edits, "change { serial }");
  const given = [...others, ...generated, { owner: "@", type: "SOA", ...apex }].map(
    ({ owner, ttl, rdata, ...rest }) => {
      const type = recordType(rest.type);
      const name = owner === "@" ? origin : ownerName(owner, zone);
      return identity(name, ttl, type, parseRdata(type, rdata, { origin, context: "master" }));
    },
  );
  const { domain } = await service.data(`{ domain(by: { zone: "${zone}" }) { zoneFile } }`);
  return { zone, file: domain.zoneFile, records: given.toSorted() };
}
