/**
 * Dynamic updates over the wire: one line for each rcode, over UDP and TCP, messages that cannot be read, and copies of a message. The
 * rules are tested in test/zone/dynamic-update.
 */
import { describe, expect, test } from "@jest/globals";
import { Section } from "../../../src/dns/message/header.ts";
import { signMessage } from "../../../src/dns/message/tsig.ts";
import { parseName } from "../../../src/dns/name.ts";
import { secondsNow } from "../../setup/basics/clock.ts";
import { updateMessage } from "../../setup/dns/update-client.ts";
import { testService } from "../../setup/service/service.ts";
import { updateZone } from "../../setup/service/update-zone.ts";

const service = testService();
const zone = updateZone(service);

describe.each(["udp", "tcp"] as const)("over %s an update is answered", (protocol) => {
  test.each([
    ["NOERROR", ["yxrrset a A 192.0.2.1", "nxdomain b", "add b 300 A 192.0.2.9"]],
    ["NOERROR", ["add b 300 A 192.0.2.9", "del a A 192.0.2.1"]],
    ["NOERROR", ["del a", "add b 300 A 192.0.2.9"]],
    ["NXDOMAIN", ["yxdomain b", "del a"]],
    ["YXDOMAIN", ["nxdomain a", "del a"]],
    ["NXRRSET", ["yxrrset a AAAA", "del a"]],
    ["YXRRSET", ["nxrrset a A", "del a"]],
    ["REFUSED", ["del a", "add * 300 NS ns.example.net."]],
    ["NOTZONE", ["del a", "add a.example.net. 300 A 192.0.2.1"]],
    ["FORMERR", ["del a", "add a 300"]],
  ])("%s, signed: %j", async (rcode, lines) => {
    await zone.add(["a 300 A 192.0.2.1"]);
    const before = await zone.read();
    const answer = await zone.client.update(zone.name, lines, { key: zone.key, protocol });
    expect(answer).toMatchObject({ rcode, tsigError: 0 });
    const after = await zone.read();
    if (rcode !== "NOERROR") return expect(after).toEqual(before);
    expect([after.serial, after.changes]).toEqual([before.serial + 1, before.changes + 1]);
    expect(after.records).toContain("b 300 A 192.0.2.9");
  });
});

test.each([
  ["whose data cannot be read is FORMERR, unsigned", 15, "000a", "FORMERR"],
  ["whose data are not of their type is FORMERR", 1, "c00002", "FORMERR"],
  ["with an SOA below the apex, which is ignored, is NOERROR", 6, `00${"00".repeat(21)}`, "NOERROR"],
])("an update %s", async (what, type, hex, rcode) => {
  const before = await zone.read();
  const rdata = Uint8Array.from(Buffer.from(hex, "hex"));
  const record = { name: parseName(`a.${zone.name}.`), type, class: 1, ttl: 300, rdata };
  const message = updateMessage(zone.name, [], [{ section: Section.AUTHORITY, record }]);
  const answer = await zone.client.send(message, what.includes("unsigned") ? {} : { key: zone.key });
  expect(answer.rcode).toBe(rcode);
  expect(await zone.read()).toEqual(before);
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
