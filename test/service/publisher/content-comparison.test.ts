/** The copies of zones at secondaries that never end: what is read of them is bounded by what we have. */
import { expect, test } from "@jest/globals";
import { Flag, Section } from "../../../src/dns/message/header.ts";
import { type ResourceRecord, readMessage } from "../../../src/dns/message/message-reader.ts";
import { MessageWriter } from "../../../src/dns/message/message-writer.ts";
import { serial } from "../../../src/dns/serial.ts";
import { type ContentComparison, compareContent } from "../../../src/publisher/packets/content-comparison.ts";
import { ContentReader } from "../../../src/secondary/zone-content.ts";
import { opened } from "../../setup/basics/opened.ts";
import { Responder } from "../../setup/dns/responder.ts";
import { recordOf, transferMessages } from "../../setup/zones/zone-copy.ts";

const zone = "endless.example.com";
const responder = opened(new Responder());

const record = (owner: string, type: string, rdata: string) => recordOf(zone, owner, type, rdata);
const soa = (at: number) => record("@", "SOA", `ns.example.net. host.example.net. ${at} 1 1 1 1`);
const hosts = [record("a", "A", "192.0.2.1"), record("b", "A", "192.0.2.1")];
const signature = record("@", "RRSIG", "SOA 13 3 300 20300101000000 20200101000000 1 endless.example.com. aaaa");

/** Our zone at a serial. */
function ours(at: number) {
  const reader = new ContentReader(zone);
  for (const each of [soa(at), ...hosts]) reader.add(each);
  const { content } = reader;
  if (!content) throw new Error("there is no content");
  return { ...content, octets: 100, serial: serial(at) };
}

/** How often our content was read. */
let reads = 0;

/** Compares the copy that these messages transfer with our zone, which has these serials one after the other. */
function compare(answer: (request: Uint8Array) => Iterable<Uint8Array>, serials = [7]): Promise<ContentComparison> {
  const left = [...serials];
  responder.onTransfer = (_zone, request) => answer(request);
  const { address, port } = responder;
  const place = { id: 1, name: "s", address, port, notify: true, key: undefined, keyError: undefined };
  const secondary = { ...place, requiredForLive: true, isIndirect: true, isIdentifiable: true };
  const target = { domainId: 1, zone, serial: 7, isDeleted: false, isCatalog: false, since: 0 };
  const read = async () => ours((left.length > 1 ? left.shift() : left[0]) as number);
  const content = () => {
    reads += 1;
    return read();
  };
  const committed = { content, serial: async () => (await read()).serial };
  return compareContent(secondary, target, committed, new AbortController().signal);
}

/** The messages of a transfer that begins with some records and never ends. */
const endless = (first: readonly ResourceRecord[], others: readonly ResourceRecord[]) =>
  function* (request: Uint8Array): Generator<Uint8Array> {
    const { id } = readMessage(request);
    for (let records = first; ; records = others) {
      const writer = new MessageWriter({ id, flags: Flag.QR | Flag.AA });
      for (const each of records) writer.add(Section.ANSWER, each);
      yield writer.finish();
    }
  };

test.each<[string, (request: Uint8Array) => Iterable<Uint8Array>, string, string]>([
  ["records at our serial", endless([soa(7)], hosts), "different", "more than our 2 records besides the SOA"],
  ["signed records", endless([soa(9), signature], hosts), "different", "more than our 2 records besides the SOA"],
  ["records at another serial", endless([soa(9)], hosts), "failed", "octets, more than our zone can take"],
  ["signatures", endless([soa(7)], Array(100).fill(signature)), "failed", "octets, more than our zone can take"],
  ["empty messages", endless([soa(7)], []), "failed", "octets, more than our zone can take"],
  ["messages without the SOA", endless([], []), "failed", "octets, more than our zone can take"],
])("a copy of endlessly many %s is read no further than it says something", async (_what, answer, kind, message) => {
  expect(await compare(answer)).toMatchObject({ kind, message: expect.stringContaining(message) });
});

test("a copy of many signatures is compared all the same", async () => {
  const records = [soa(9), ...hosts, ...Array<ResourceRecord>(2000).fill(signature)];
  const answer = (request: Uint8Array) => transferMessages(request, records);
  expect(await compare(answer)).toMatchObject({ kind: "equal", served: { serial: 9, isSigned: true }, committed: 7 });
});

test("our content is read only when the copy is transferred", async () => {
  reads = 0;
  const message = expect.stringContaining("without a DNS answer");
  expect(await compare(() => [])).toMatchObject({ kind: "failed", message });
  expect(reads).toBe(0);
});

test("a signed copy that differs says nothing when our zone changed meanwhile", async () => {
  const answer = (request: Uint8Array) => transferMessages(request, [soa(9), ...hosts, ...hosts, signature]);
  expect(await compare(answer)).toMatchObject({ kind: "different" });
  for (const serials of [
    [7, 8],
    [7, 7, 8],
  ])
    expect(await compare(answer, serials)).toMatchObject({ kind: "failed", message: "our zone changed meanwhile" });
});
