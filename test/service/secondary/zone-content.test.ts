/** The digest of a zone is the same for every copy with the same records, as PostgreSQL computes it and as it is computed of a transfer. */
import { beforeAll, expect, test } from "@jest/globals";
import type { ResourceRecord } from "../../../src/dns/message/message-reader.ts";
import { recordTypes } from "../../../src/dns/rdata/record-type-registry.ts";
import { ContentReader, committedContent, differenceOf } from "../../../src/secondary/zone-content.ts";
import { changeZone } from "../../../src/zone/edit/change-zone.ts";
import { testPublication } from "../../setup/zones/publishers.ts";
import { committedRecords, recordOf } from "../../setup/zones/zone-copy.ts";

const publication = testPublication();
let zone: string;
let id: number;
let copy: readonly ResourceRecord[];

beforeAll(async () => {
  ({ zone, id } = await publication.domain());
  const ofEveryType = recordTypes
    .filter(({ creatable, mnemonic }) => creatable && mnemonic !== "SOA")
    .map(({ mnemonic, example }) => ({ owner: `a-${mnemonic.toLowerCase()}`, type: mnemonic, rdata: example }));
  const others = [
    { owner: "a-ds", type: "NS", rdata: "ns.example.net." },
    { owner: "unknown", type: "TYPE65280", rdata: "\\# 3 00ff0a" },
    { owner: "*.wild\\.card", type: "TXT", rdata: '"ä" "b"' },
  ];
  await changeZone(publication.session(), zone, { add: [...ofEveryType, ...others] });
  copy = await committedRecords(publication, zone);
});

/** How a copy with these records differs from what is committed. */
async function difference(records: readonly ResourceRecord[]): Promise<string | undefined> {
  const reader = new ContentReader(zone);
  for (const record of records) reader.add(record);
  const ours = await committedContent(publication.session(), id);
  if (!reader.content || !ours) throw new Error("there is no content");
  return differenceOf(reader.content, ours);
}

const record = (owner: string, type: string, rdata: string, ttl?: number) => recordOf(zone, owner, type, rdata, ttl);
const inCapitals = (name: Uint8Array) => Buffer.from(Buffer.from(name).toString("latin1").toUpperCase(), "latin1");

test("a copy of every type of record is the same, in whatever order and letter case it comes", async () => {
  expect(copy.length).toBeGreaterThan(60);
  expect(await difference(copy)).toBeUndefined();
  expect(await difference(copy.toReversed())).toBeUndefined();
  expect(await difference(copy.map((each) => ({ ...each, name: inCapitals(each.name) })))).toBeUndefined();
});

test("the serial and what a signer adds make no difference", async () => {
  const signer = [
    record("@", "NSEC3PARAM", "1 0 0 -"),
    record("@", "DNSKEY", "257 3 13 aaaa"),
    record("www", "NSEC", "a.example.com. A RRSIG NSEC"),
  ];
  expect(await difference([...(await committedRecords(publication, zone, 4_000_000_000)), ...signer])).toBeUndefined();
});

test.each<[string, (records: readonly ResourceRecord[]) => readonly ResourceRecord[], string]>([
  ["without a record", (all) => all.slice(0, -1), "records besides the SOA"],
  ["with a record more", (all) => [...all, record("more", "A", "192.0.2.1")], "records besides the SOA"],
  ["with a record twice", (all) => [...all, ...all.slice(-1)], "records besides the SOA"],
  [
    "with another TTL",
    (all) => all.map((each, at) => (at === 5 ? { ...each, ttl: each.ttl + 1 } : each)),
    "differ from ours",
  ],
  [
    "with a record at another owner",
    (all) => all.with(-1, { ...last(all), name: record("x", "A", "192.0.2.1").name }),
    "differ from ours",
  ],
  [
    "with other data",
    (all) => all.with(-1, record("*.wild\\.card", "TXT", '"ä" "c"', last(all).ttl)),
    "differ from ours",
  ],
  ["with another SOA", (all) => all.with(0, record("@", "SOA", "ns.x. host.x. 1 2 3 4 5", 3600)), "its SOA is another"],
])("a copy %s differs", async (_what, edit, expected) => {
  expect(await difference(edit(copy))).toContain(expected);
});

const last = (records: readonly ResourceRecord[]) => records.at(-1) as ResourceRecord;
