import { describe, expect, test } from "@jest/globals";
import { Flag, Rcode } from "../../../src/dns/message/header.ts";
import { type ResourceRecord, readMessage } from "../../../src/dns/message/message-reader.ts";
import { MessageWriter } from "../../../src/dns/message/message-writer.ts";
import { readTsig, signMessage, TsigError } from "../../../src/dns/message/tsig.ts";
import { zoneNameWire } from "../../../src/dns/name.ts";
import { TransferRefused, transferZone } from "../../../src/publisher/packets/zone-transfer.ts";
import { secondsNow } from "../../setup/basics/clock.ts";
import { freePort } from "../../setup/basics/free-port.ts";
import { opened } from "../../setup/basics/opened.ts";
import { Responder } from "../../setup/dns/responder.ts";
import { recordOf, type TransferForm, transferMessages } from "../../setup/zones/zone-copy.ts";

const zone = "copy.example.com";
const name = "transfer.key.example";
const keyOf = (secret: string) => ({ algorithm: "hmac-sha256", secret: Buffer.from(secret) }) as const;
const key = keyOf("a secret that both of them know");
const responder = opened(new Responder());

const record = (owner: string, type: string, rdata: string) => recordOf(zone, owner, type, rdata);
const soa = record("@", "SOA", "ns.example.net. host.example.net. 7 1 1 1 1");
const hosts = (count: number) => Array.from({ length: count }, (_, at) => record(`h${at}`, "A", "192.0.2.1"));

/** Transfers the zone from a secondary that answers so; returns how many records came. */
async function transfer(
  answer: (request: Uint8Array) => Iterable<Uint8Array> | undefined,
  { isSigned = true, signal = new AbortController().signal, octets = 2 ** 20, ms = 60_000, enough = 1000 } = {},
): Promise<number> {
  responder.onTransfer = (_zone, request) => answer(request);
  const { address, port } = responder;
  const source = { address, port, keyError: undefined, key: isSigned ? { ...key, name } : undefined };
  const records: ResourceRecord[] = [];
  const taker = { octets, ms, onRecord: (each: ResourceRecord) => records.push(each) < enough };
  await transferZone(source, zone, async () => taker, signal);
  return records.length;
}

const signed = (records: readonly ResourceRecord[], form: TransferForm = {}) => {
  return (request: Uint8Array) => transferMessages(request, records, { key: { name, key }, ...form });
};
const rcode = (request: Uint8Array, code: number) =>
  new MessageWriter({ id: readMessage(request).id, flags: Flag.QR | code }).finish();

describe("a transfer", () => {
  test.each<[string, number, TransferForm]>([
    ["in one message", 3, {}],
    ["in many, all of them signed", 250, { perMessage: 10 }],
    ["of which the first and the last are signed", 90, { perMessage: 1, signs: (at, isLast) => at === 0 || isLast }],
    ["of which every hundredth is signed", 399, { perMessage: 1, signs: (at, isLast) => at % 100 === 0 || isLast }],
    ["that begins with a message of the SOA alone", 1, { perMessage: 1 }],
  ])("%s is read", async (_what, count, form) => {
    expect(await transfer(signed([soa, ...hosts(count)], form))).toBe(count + 2);
  });

  test("without a key is read as it comes", async () => {
    const answer = (request: Uint8Array) => transferMessages(request, [soa, ...hosts(5)], { perMessage: 2 });
    expect(await transfer(answer, { isSigned: false })).toBe(7);
  });

  const other = { name, key: keyOf("a secret that only one of them knows") };
  test.each<[string, (request: Uint8Array) => readonly Uint8Array[], string]>([
    ["not signed", (request) => transferMessages(request, [soa]), "not signed"],
    [
      "of which the last message is not signed",
      signed([soa, ...hosts(3)], { perMessage: 2, signs: (at) => at === 0 }),
      "not signed",
    ],
    [
      "of which a hundred messages in a row are not signed",
      signed([soa, ...hosts(101)], { perMessage: 1, signs: (at, isLast) => at === 0 || isLast }),
      "not signed",
    ],
    ["signed with another secret", signed([soa], { key: other }), "not valid"],
    [
      "of which a message was left out",
      (request) => signed([soa, ...hosts(4)], { perMessage: 2 })(request).toSpliced(1, 1),
      "not valid",
    ],
    [
      "of which an unsigned message was left out",
      (request) => signed([soa, ...hosts(4)], { perMessage: 2, signs: (at) => at !== 1 })(request).toSpliced(1, 1),
      "not valid",
    ],
    [
      "that ends early",
      (request) => signed([soa, ...hosts(4)], { perMessage: 2 })(request).slice(0, 2),
      "ended the transfer early",
    ],
    ["without any message", () => [], "closed the connection without a DNS answer"],
    ["that does not begin with the SOA", signed(hosts(2)), "does not begin with the SOA"],
    ["with records behind its end", signed([soa, soa, ...hosts(2)]), "records follow the SOA"],
    [
      "to another question",
      (request) => [rcode(request.with(0, (request[0] as number) ^ 1), Rcode.NOERROR)],
      "does not match",
    ],
    ["that is no DNS", () => [Uint8Array.of(1, 2, 3)], "malformed"],
  ])("%s is not taken", async (_what, answer, reason) => {
    await expect(transfer(answer)).rejects.toThrow(reason);
  });

  test.each([Rcode.REFUSED, Rcode.NOTAUTH, Rcode.NOTIMP])("that is refused (rcode %s) is for good", async (code) => {
    await expect(transfer((request) => [rcode(request, code)])).rejects.toMatchObject({ mayPass: false });
  });

  const badTime = (request: Uint8Array) => {
    const answer = rcode(request, Rcode.NOTAUTH);
    const previousMac = readTsig(readMessage(request))?.mac;
    const form = { keyName: zoneNameWire(name), time: secondsNow(), error: TsigError.BADTIME, previousMac };
    return [signMessage(answer, key, form).octets];
  };
  test.each<[string, (request: Uint8Array) => readonly Uint8Array[], string]>([
    ["SERVFAIL", (request) => [rcode(request, Rcode.SERVFAIL)], "SERVFAIL"],
    ["a TSIG error", badTime, "BADTIME"],
  ])("that is answered with %s is refused, which may pass", async (_what, answer, reason) => {
    const failure = await transfer(answer).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(TransferRefused);
    expect(failure).toMatchObject({ mayPass: true, message: expect.stringContaining(reason) });
  });

  test("from where nobody listens fails, which is said in words", async () => {
    const source = { address: "127.0.0.1", port: await freePort(), keyError: undefined, key: undefined };
    const begin = () => Promise.reject(new Error("nothing is transferred"));
    await expect(transferZone(source, zone, begin, new AbortController().signal)).rejects.toThrow(
      "nothing answers at its address and port (ECONNREFUSED)",
    );
  });

  test("that is aborted ends", async () => {
    const abort = new AbortController();
    const answer = () => {
      abort.abort();
      return [];
    };
    await expect(transfer(answer, { signal: abort.signal })).rejects.toThrow("the publisher has stopped");
  });

  test("ends when there are enough records and the messages so far are verified", async () => {
    const answer = signed([soa, ...hosts(50)], { perMessage: 2, signs: (at, isLast) => at % 3 === 0 || isLast });
    expect(await transfer(answer, { enough: 3 })).toBe(8);
    const forged = signed([soa, ...hosts(50)], { perMessage: 2, key: other });
    await expect(transfer(forged, { enough: 1 })).rejects.toThrow("not valid");
    const unsigned = (request: Uint8Array) => transferMessages(request, [soa, ...hosts(50)], { perMessage: 2 });
    expect(await transfer(unsigned, { isSigned: false, enough: 3 })).toBe(4);
  });

  test("of more octets than are expected ends, and so does one that takes longer", async () => {
    const many = signed([soa, ...hosts(500)], { perMessage: 1 });
    await expect(transfer(many, { octets: 4000 })).rejects.toThrow("it sends more than 4000 octets");
    const endless = function* (request: Uint8Array) {
      for (;;) yield rcode(request, Rcode.NOERROR);
    };
    const limits = { isSigned: false, octets: Number.POSITIVE_INFINITY, ms: 10 };
    await expect(transfer(endless, limits)).rejects.toThrow("its transfer did not end within 0.01 s");
  });
});
