/**
 * The form of updates (RFC 2136 §2.4, §2.5, §3.2.5, §3.4.1) in records that no honest client sends, and copies of a message.
 */
import { expect, test } from "@jest/globals";
import { Section } from "../../src/dns/message/header.ts";
import { signMessage } from "../../src/dns/message/tsig.ts";
import { parseName } from "../../src/dns/name.ts";
import { secondsNow } from "../setup/clock.ts";
import { testService } from "../setup/service.ts";
import { updateMessage } from "../setup/update-client.ts";
import { updateZone } from "../setup/update-zone.ts";

const service = testService();
const zone = updateZone(service);

const [IN, CH, NONE, ANY] = [1, 3, 254, 255];
const [A, SOA, MX, TXT, CDNSKEY, AXFR, ANYTYPE] = [1, 6, 15, 16, 60, 252, 255];
const { ANSWER, AUTHORITY } = Section;

test.each([
  ["a prerequisite with a TTL", ANSWER, A, ANY, 1, "", "FORMERR"],
  ["a prerequisite of class ANY with data", ANSWER, A, ANY, 0, "c0000201", "FORMERR"],
  ["a prerequisite of class NONE with data", ANSWER, A, NONE, 0, "c0000201", "FORMERR"],
  ["a prerequisite of another class", ANSWER, A, CH, 0, "", "FORMERR"],
  ["an addition of type ANY", AUTHORITY, ANYTYPE, IN, 0, "", "FORMERR"],
  ["an addition of type AXFR", AUTHORITY, AXFR, IN, 0, "", "FORMERR"],
  ["a deletion of an RRset with a TTL", AUTHORITY, A, ANY, 1, "", "FORMERR"],
  ["a deletion of an RRset with data", AUTHORITY, A, ANY, 0, "c0000201", "FORMERR"],
  ["a deletion of an RRset of type AXFR", AUTHORITY, AXFR, ANY, 0, "", "FORMERR"],
  ["a deletion of a record with a TTL", AUTHORITY, A, NONE, 1, "c0000201", "FORMERR"],
  ["a deletion of a record of type ANY", AUTHORITY, ANYTYPE, NONE, 0, "", "FORMERR"],
  ["an update of another class", AUTHORITY, A, CH, 0, "c0000201", "FORMERR"],
  ["an A of three octets", AUTHORITY, A, IN, 300, "c00002", "FORMERR"],
  ["an A without data", AUTHORITY, A, IN, 300, "", "FORMERR"],
  ["an MX without a name", AUTHORITY, MX, IN, 300, "000a", "FORMERR"],
  ["a TXT of length 0", AUTHORITY, TXT, IN, 300, "", "FORMERR"],
  ["a TXT whose string runs over", AUTHORITY, TXT, IN, 300, "05616263", "FORMERR"],
  ["a CDNSKEY without a key", AUTHORITY, CDNSKEY, IN, 300, "0101030d", "FORMERR"],
  ["octets after the last field", AUTHORITY, A, IN, 300, "c000020100", "FORMERR"],
  ["an SOA below the apex, which is ignored", AUTHORITY, SOA, IN, 300, `00${"00".repeat(21)}`, "NOERROR"],
] as const)("%s", async (_what, section, type, of, ttl, hex, rcode) => {
  const stood = await zone.read();
  const rdata = Uint8Array.from(Buffer.from(hex, "hex"));
  const record = { name: parseName(`a.${zone.name}.`), type, class: of, ttl, rdata };
  const message = updateMessage(zone.name, ["add b 300 A 192.0.2.1"].slice(rcode === "NOERROR" ? 1 : 0), [
    { section, record },
  ]);
  const unread = rcode === "FORMERR" && hex === "000a";
  const answer = await zone.client.send(message, unread ? {} : { key: zone.key });
  expect(answer.rcode).toBe(rcode);
  expect(await zone.read()).toEqual(stood);
});

test("an SOA is taken when its serial grows (RFC 1982), and ignored when it does not", async () => {
  const before = await zone.read();
  const soa = (serial: number) => [`add @ 3600 SOA ns1.example.net. hm.example.net. ${serial} 1 2 3 4`];
  for (const serial of [before.serial, before.serial - 1])
    expect((await zone.client.update(zone.name, soa(serial), { key: zone.key })).rcode).toBe("NOERROR");
  expect(await zone.read()).toEqual(before);
  expect((await zone.client.update(zone.name, soa(before.serial + 7), { key: zone.key })).rcode).toBe("NOERROR");
  const after = await zone.read();
  expect([after.serial, after.changes]).toEqual([before.serial + 7, before.changes + 1]);
  expect(after.soa).toMatch(/ns1\.example\.net\. hm\.example\.net\./);
});

test("a copy of a signed message is answered as the first was, and changes nothing", async () => {
  const sign = (lines: readonly string[]) => {
    const keyName = parseName(`${zone.key.name}.`);
    return signMessage(updateMessage(zone.name, lines), zone.key, { keyName, time: secondsNow() }).octets;
  };
  const adding = sign(["nxdomain a", "add a 300 A 192.0.2.1"]);
  const answers = await Promise.all([1, 2, 3].map(() => zone.client.exchange(adding)));
  expect(answers.map((answer) => (answer[3] as number) % 16)).toEqual([0, 0, 0]);
  await zone.client.update(zone.name, ["del a"], { key: zone.key });
  const stood = await zone.read();
  expect(Buffer.from(await zone.client.exchange(adding)).equals(answers[0] as Buffer)).toBe(true);
  expect(await zone.read()).toEqual(stood);
});
