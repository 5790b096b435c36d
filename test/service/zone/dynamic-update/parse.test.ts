/** The form of updates (RFC 2136 §2.3 to §2.5, §3.1, §3.2.5, §3.4.1), also of records that no honest client sends. */
import { describe, expect, test } from "@jest/globals";
import { Class, MetaType, Section } from "../../../../src/dns/message/header.ts";
import { type Message, readMessage } from "../../../../src/dns/message/message-reader.ts";
import { parseName } from "../../../../src/dns/name.ts";
import { codes } from "../../../../src/error-codes.ts";
import { Refusal } from "../../../../src/errors.ts";
import { readUpdate, zoneOfUpdate } from "../../../../src/zone/dynamic-update/apply.ts";
import { updateMessage } from "../../../setup/dns/update-client.ts";
import { policy } from "../../../setup/zones/session.ts";

const zone = "example.com";
const messageOf = (...lines: string[]) => readMessage(updateMessage(zone, lines));
const read = (...lines: string[]) => readUpdate(messageOf(...lines), policy);

/** The rcode and the words of a refusal. */
function refusalOf(run: () => unknown): [rcode: string, message: string] {
  try {
    run();
  } catch (error) {
    if (error instanceof Refusal) return [codes[error.code].rcode, error.message];
    throw error;
  }
  return ["NOERROR", ""];
}

test("prerequisites become preconditions; the data of an RRset are gathered (§3.2.5)", () => {
  const { prerequisites } = read(
    "yxdomain A.example.com.",
    "nxdomain b",
    "yxrrset a A",
    "nxrrset a MX",
    "yxrrset a A 192.0.2.1",
    "yxrrset a A 192.0.2.2",
  );
  expect(prerequisites.map(({ owner, type, exists, data }) => [owner, type, exists, data?.size])).toEqual([
    ["a", undefined, true, undefined],
    ["b", undefined, false, undefined],
    ["a", "A", true, undefined],
    ["a", "MX", false, undefined],
    ["a", "A", true, 2],
  ]);
});

test("updates become instructions in their order (§2.5), canonical", () => {
  const { instructions } = read(
    "add WWW 300 MX 10 Mail.Example.NET.",
    "del a A",
    "del a",
    "del a A 192.0.2.1",
    "add @ 60 TYPE65280 \\# 1 00",
  );
  expect(instructions.map(({ kind, owner, type }) => [kind, owner, type])).toEqual([
    ["add", "www", "MX"],
    ["delete-rrset", "a", "A"],
    ["delete-name", "a", undefined],
    ["delete-record", "a", "A"],
    ["add", "@", "TYPE65280"],
  ]);
  expect(instructions[0]).toMatchObject({ candidate: { owner: "www", ttl: 300, rdata: "10 Mail.Example.NET." } });
});

describe("a record is malformed when it is", () => {
  const { ANSWER, AUTHORITY } = Section;
  const [A, TXT, CDNSKEY, AXFR] = [1, 16, 60, 252];
  test.each([
    ["a prerequisite with a TTL", ANSWER, A, Class.ANY, 1, ""],
    ["a prerequisite of class ANY with data", ANSWER, A, Class.ANY, 0, "c0000201"],
    ["a prerequisite of class NONE with data", ANSWER, A, Class.NONE, 0, "c0000201"],
    ["a prerequisite of another class", ANSWER, A, 3, 0, ""],
    ["an addition of type ANY", AUTHORITY, MetaType.ANY, Class.IN, 0, ""],
    ["an addition of type AXFR", AUTHORITY, AXFR, Class.IN, 0, ""],
    ["a deletion of an RRset with a TTL", AUTHORITY, A, Class.ANY, 1, ""],
    ["a deletion of an RRset with data", AUTHORITY, A, Class.ANY, 0, "c0000201"],
    ["a deletion of an RRset of type AXFR", AUTHORITY, AXFR, Class.ANY, 0, ""],
    ["a deletion of a record with a TTL", AUTHORITY, A, Class.NONE, 1, "c0000201"],
    ["a deletion of a record of type ANY", AUTHORITY, MetaType.ANY, Class.NONE, 0, ""],
    ["an update of another class", AUTHORITY, A, 3, 0, "c0000201"],
    ["an A of three octets", AUTHORITY, A, Class.IN, 300, "c00002"],
    ["an A without data", AUTHORITY, A, Class.IN, 300, ""],
    ["a TXT of length 0", AUTHORITY, TXT, Class.IN, 300, ""],
    ["a TXT whose string runs over", AUTHORITY, TXT, Class.IN, 300, "05616263"],
    ["a CDNSKEY without a key", AUTHORITY, CDNSKEY, Class.IN, 300, "0101030d"],
    ["octets after the last field", AUTHORITY, A, Class.IN, 300, "c000020100"],
  ])("%s", (_what, section, type, of, ttl, hex) => {
    const rdata = Uint8Array.from(Buffer.from(hex, "hex"));
    const record = { name: parseName(`a.${zone}.`), type, class: of, ttl, rdata };
    const message = readMessage(updateMessage(zone, ["add b 300 A 192.0.2.1"], [{ section, record }]));
    const [rcode, words] = refusalOf(() => readUpdate(message, policy));
    expect(rcode).toBe("FORMERR");
    expect(words).toMatch(section === ANSWER ? /^prerequisite 1/ : /^update 2/);
  });
});

describe("the zone section (§2.3) holds one zone of class IN by its SOA", () => {
  const [question] = messageOf().questions;
  if (!question) throw new Error("an update has a zone");
  const asked =
    (...questions: object[]) =>
    () =>
      zoneOfUpdate({ ...messageOf(), questions } as Message);

  test("and its name is canonical", () => {
    expect(asked({ ...question, name: parseName("EXAMPLE.com.") })()).toBe("example.com");
  });

  test.each([
    ["no zone", asked(), "FORMERR"],
    ["two zones", asked(question, question), "FORMERR"],
    ["another type", asked({ ...question, type: 1 }), "FORMERR"],
    ["another class", asked({ ...question, class: 3 }), "NOTAUTH"],
  ])("%s is refused", (_what, run, rcode) => {
    expect(refusalOf(run)[0]).toBe(rcode);
  });
});
