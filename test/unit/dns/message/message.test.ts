import { describe, expect, test } from "@jest/globals";
import { Malformed } from "../../../../src/dns/malformed.ts";
import { Class, Flag, maxMessageLength, Opcode, Section } from "../../../../src/dns/message/header.ts";
import { type Message, type ResourceRecord, readMessage } from "../../../../src/dns/message/message-reader.ts";
import { MessageWriter } from "../../../../src/dns/message/message-writer.ts";
import { nameText, parseName } from "../../../../src/dns/name.ts";
import { parseRdata, printRdata } from "../../../../src/dns/rdata/rdata.ts";
import { recordType, recordTypeByCode } from "../../../../src/dns/rdata/record-type-registry.ts";
import { fuzzMessages } from "../../../setup/dns/message-fuzz.ts";

const origin = parseName("example.com.");

function record(owner: string, type: string, rdata: string, ttl = 300): ResourceRecord {
  const known = recordType(type);
  const wire = parseRdata(known, rdata, { origin, context: "master" });
  return { name: parseName(owner, origin), type: known.code, class: Class.IN, ttl, rdata: wire };
}

const lines = (records: readonly ResourceRecord[]) =>
  records.map(({ name, type, ttl, rdata }) => {
    const known = recordTypeByCode(type);
    return `${nameText(name)} ${ttl} ${known.mnemonic} ${printRdata(known, rdata)}`;
  });

const header = { id: 0x1234, flags: Flag.QR | Flag.AA };
const hex = (text: string) => Uint8Array.from(Buffer.from(text.replaceAll(/\s/g, ""), "hex"));

describe("written and read again", () => {
  const records = [
    record("www", "CNAME", "Host.sub"),
    record("@", "MX", "10 Mail"),
    record("@", "SOA", "ns1 hostmaster 2026112101 1 2 3 4"),
    record("_a._tcp", "SRV", "0 0 80 mail"),
    record("@", "NAPTR", '1 1 "U" "SIP+D2U" "" _a._tcp'),
    record("@", "TXT", '"compression reaches names only: example.com"'),
  ];

  test("every record keeps its owner, TTL, data and the letter case of names in data", () => {
    const writer = new MessageWriter(header);
    writer.question({ name: origin, type: 255, class: Class.IN });
    expect(writer.addAll(Section.ANSWER, records)).toBe(true);
    const read = readMessage(writer.finish());
    expect(lines(read.answers)).toEqual(lines(records));
    expect(read).toMatchObject({
      id: 0x1234,
      opcode: Opcode.QUERY,
      questions: [{ name: origin, type: 255, class: 1 }],
    });
  });

  test("names are compressed in owners and in the data of RFC 1035's types, not in those of later ones", () => {
    const sizes = records.map((each) => {
      const writer = new MessageWriter(header);
      writer.question({ name: origin, type: 255, class: Class.IN });
      const before = writer.length;
      writer.add(Section.ANSWER, each);
      return writer.length - before - each.rdata.length - 10;
    });
    // Octets of the owner, less what compression saves in the data.
    expect(sizes).toEqual([6 - 11, 2 - 11, 2 - 11 - 11, 10, 2, 2]);
  });

  test("a record that does not fit leaves no trace, names it brought included", () => {
    const writer = new MessageWriter(header, 85);
    expect(writer.add(Section.ANSWER, record("a", "TXT", "x".repeat(20)))).toBe(true);
    expect(writer.add(Section.ANSWER, record("b.deep", "TXT", "x".repeat(40)))).toBe(false);
    expect(writer.add(Section.ANSWER, record("b.deep", "A", "192.0.2.1"))).toBe(true);
    const read = readMessage(writer.finish());
    expect(lines(read.answers).map((line) => line.split(" ")[0])).toEqual(["a.example.com.", "b.deep.example.com."]);
  });

  test("no pointer reaches beyond 16 KiB", () => {
    const writer = new MessageWriter(header);
    const long = `"${"x".repeat(255)}" `.repeat(70);
    writer.add(Section.ANSWER, { ...record("a", "TXT", long), name: parseName("a.example.org.") });
    for (const owner of ["far", "far", "far.far"]) writer.add(Section.ANSWER, record(owner, "A", "192.0.2.1"));
    expect(lines(readMessage(writer.finish()).answers).slice(1)).toEqual([
      "far.example.com. 300 A 192.0.2.1",
      "far.example.com. 300 A 192.0.2.1",
      "far.far.example.com. 300 A 192.0.2.1",
    ]);
  });

  test("a message of 65535 octets is one, a longer one is refused", () => {
    const writer = new MessageWriter(header);
    const filler = { ...record("@", "TXT", "x"), rdata: new Uint8Array(maxMessageLength - 12 - 13 - 10) };
    expect(writer.add(Section.ANSWER, { ...filler, rdata: new Uint8Array(filler.rdata.length + 1) })).toBe(false);
    expect(writer.add(Section.ANSWER, filler)).toBe(true);
    expect(writer.finish()).toHaveLength(maxMessageLength);
  });

  test("EDNS carries size, version, DO and the upper bits of an rcode", () => {
    const writer = new MessageWriter(header);
    writer.edns(1232, 16, true);
    expect(readMessage(writer.finish())).toMatchObject({
      rcode: 16,
      edns: { udpSize: 1232, version: 0, dnssecOk: true, options: [] },
    });
  });
});

test("an update is read and written: empty data, classes NONE and ANY, TTL 0 (RFC 2136 §2)", () => {
  const writer = new MessageWriter({ id: 1, flags: Opcode.UPDATE << 11 });
  writer.question({ name: origin, type: 6, class: Class.IN });
  const empty = { name: parseName("a", origin), type: 15, class: Class.ANY, ttl: 0, rdata: new Uint8Array() };
  writer.add(Section.ANSWER, empty);
  writer.add(Section.AUTHORITY, { ...record("a", "MX", "10 mail", 0), class: Class.NONE });
  const read: Message = readMessage(writer.finish());
  expect(read.opcode).toBe(Opcode.UPDATE);
  expect(read.answers).toEqual([empty]);
  expect([read.authority[0]?.class, ...lines(read.authority)]).toEqual([
    254,
    "a.example.com. 0 MX 10 mail.example.com.",
  ]);
});

describe("what is not a message is refused", () => {
  const head = "0001 0000 0001 0000 0000 0000";
  const withAdditional = (count: string) => `0001 0000 0000 0000 0000 ${count}`;
  const opt = "00 0029 04d0 00000000 0000";
  const tsig = "00 00fa 00ff 00000000 0000";
  test.each([
    ["no header", "0001 0000 0001"],
    ["a count without a record", head],
    ["a question cut short", `${head} 00 0001 00`],
    ["a name without an end", `${head} 03 777777`],
    ["a label longer than the message", `${head} 3f 77`],
    ["a label of kind 01", `${head} 41 00 0001 0001`],
    ["a label of kind 10", `${head} 81 00 0001 0001`],
    ["a pointer to itself", `${head} c00c 0001 0001`],
    ["a pointer forward", `${head} c010 0001 0001 00`],
    ["a pointer at the very end", `${head} c0`],
    ["a pointer into its own label sequence", `${head} 01 61 c00c 0001 0001`],
    ["a name of 256 octets", `${head} ${`3f ${"61".repeat(63)}`.repeat(4)} 00 0001 0001`],
    ["octets after the end", `${head} 00 0001 0001 ff`],
    ["data longer than the message", "0001 8000 0000 0001 0000 0000 00 0001 0001 00000000 0005 01020304"],
    ["a name that runs past its data", "0001 8000 0000 0001 0000 0000 00 0002 0001 00000000 0002 01 61 00"],
    ["data too short for its name", "0001 8000 0000 0001 0000 0000 00 000f 0001 00000000 0002 0001"],
    ["two OPT records", `${withAdditional("0002")} ${opt} ${opt}`],
    ["OPT below the root", `${withAdditional("0001")} 0161 ${opt}`],
    ["OPT among the answers", `0001 0000 0000 0001 0000 0000 ${opt}`],
    ["an EDNS option cut short", `${withAdditional("0001")} 00 0029 04d0 00000000 0003 000a 00`],
    ["TSIG that is not the last", `${withAdditional("0002")} ${tsig} ${opt}`],
    ["two TSIG records", `${withAdditional("0002")} ${tsig} ${tsig}`],
    ["TSIG among the answers", `0001 0000 0000 0001 0000 0000 ${tsig}`],
  ])("%s", (_what, message) => {
    expect(() => readMessage(hex(message))).toThrow(Malformed);
  });

  test("a name of 255 octets through pointers is taken", () => {
    const labels = `3f${"61".repeat(63)}`.repeat(3);
    const first = `${head.replace("0001 0000 0000 0000", "0001 0001 0000 0000")} ${labels} 00 0001 0001`;
    const read = readMessage(hex(`${first} 3d${"61".repeat(61)} c00c 0001 0001 00000000 0000`));
    expect(read.answers[0]?.name).toHaveLength(255);
  });
});

test("mutated messages are read or Malformed, and what is read is written and read the same", () => {
  fuzzMessages(20_000, 4);
});
