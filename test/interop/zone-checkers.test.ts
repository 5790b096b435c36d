/**
 * What real servers say of zones that we accept: generated records of every type go in through GraphQL, come out as a master file,
 * and are held against the checkers of BIND, Knot and NSD. Elsewhere than in CI a checker that is not installed is skipped.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { ownerName, zoneNameWire } from "../../src/dns/name.ts";
import { canonicalRdata, parseRdata, printRdata } from "../../src/dns/rdata/rdata.ts";
import { type RecordType, recordType, recordTypes } from "../../src/dns/rdata/record-types.ts";
import { rdataOf } from "../setup/arbitrary-rdata.ts";
import { testWith } from "../setup/programs.ts";
import { type Json, testService } from "../setup/service.ts";
import { check, checkers, identities, identity } from "../setup/zone-checkers.ts";

const service = testService();
const folder = mkdtempSync(join(tmpdir(), "zonesmith-oracle-"));
afterAll(() => rmSync(folder, { recursive: true }));

const seeds = [1, 2, 3, 4];
const rrsetsOfType = 5;
const creatable = recordTypes.filter((type) => type.creatable);
/** BIND takes one record of these at a name (RFC 1034 §3.6.2, RFC 6672 §2.4, RFC 9606 §5). */
const single = new Set(["CNAME", "DNAME", "RESINFO"]);

interface Given {
  readonly owner: string;
  readonly type: string;
  readonly ttl: number;
  readonly rdata: string;
}

/** The first label of an owner; the second makes it the only one of its kind. */
const firstLabel = fc.constantFrom(
  "www",
  "_dmarc",
  "*",
  "0/26",
  "a\\046b",
  "\\000\\255",
  "xn--bcher-kva",
  "A--B",
  "\\064",
);
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

/** Creates a zone that holds records of every type; answers it as a file, and the records it was given. */
async function generatedZone(zone: string, seed: number): Promise<{ file: string; given: readonly string[] }> {
  const origin = zoneNameWire(zone);
  await service.domain(zone, userId);
  const { records } = await service.data(
    `{ records(filter: { zone: "${zone}" }) { nodes { id owner type ttl rdata } } }`,
  );
  const [soa, ...others]: Json[] = records.nodes;
  const [mname, rname] = fc.sample(rdataOf(recordType("NS")), { seed, numRuns: 2 });
  // Times end at 2147483647: NSD reads a greater one in a file as 3600.
  const apex = { ttl: 3600, rdata: `${mname} ${rname} 4000000000 2147483647 0 2147483647 1` };
  const generated = creatable
    .filter(({ mnemonic }) => mnemonic !== "SOA")
    .flatMap((type) => rrsetsOf(type, zone, seed));
  generated.push({ owner: "number", type: "TYPE65280", ttl: 1, rdata: "\\# 3 00ff0a" });
  generated.push({ owner: "number", type: "TYPE65280", ttl: 1, rdata: "\\# 0" });
  await service.data("mutation ($input: ChangeRecordsInput!) { changeRecords(input: $input) { change { serial } } }", {
    input: { zone, update: [{ id: soa.id, ...apex }], add: generated },
  });
  const given = [...others, ...generated, { owner: "@", type: "SOA", ...apex }].map(
    ({ owner, ttl, rdata, ...rest }) => {
      const type = recordType(rest.type);
      const name = owner === "@" ? origin : ownerName(owner, zone);
      return identity(name, ttl, type, parseRdata(type, rdata, { origin, context: "master" }));
    },
  );
  const { domain } = await service.data(`{ domain(zone: "${zone}") { zoneFile } }`);
  const file = join(folder, `${zone}.zone`);
  writeFileSync(file, domain.zoneFile);
  expect(await identities(domain.zoneFile, zone)).toEqual([...given].sort());
  return { file, given: [...given].sort() };
}

let userId: string;
const zones = new Map<string, { file: string; given: readonly string[] }>();

beforeAll(async () => {
  userId = await service.user("owner@example.com");
  for (const seed of seeds) {
    const zone = `z${seed}.example.org`;
    zones.set(zone, await generatedZone(zone, seed));
  }
}, 60_000);

test("the zones hold every type that can be created", () => {
  for (const { given } of zones.values()) {
    const held = new Set(given.map((each) => each.split(" ")[2]));
    expect(creatable.filter(({ code }) => !held.has(`TYPE${code}`))).toEqual([]);
  }
});

describe.each(checkers)("$name", (checker) => {
  const judged = testWith(checker.program);

  judged("objects to none of them", () => {
    for (const [zone, { file }] of zones) expect([zone, check(checker, zone, file).objections]).toEqual([zone, []]);
  });

  const { prints } = checker;
  if (!prints) return;
  judged("prints the records that we hold", async () => {
    const left = prints.but.map((mnemonic) => ` TYPE${recordType(mnemonic).code} `);
    const compared = (records: readonly string[]) =>
      records.filter((each) => !left.some((type) => each.includes(type)));
    for (const [zone, { file, given }] of zones)
      expect(compared(await identities(check(checker, zone, file).printed, zone))).toEqual(compared(given));
  });
});
