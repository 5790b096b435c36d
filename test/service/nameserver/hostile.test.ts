import { createSocket } from "node:dgram";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { Flag, Rcode } from "../../../src/dns/message/header.ts";
import { readMessage } from "../../../src/dns/message/message-reader.ts";
import { readTsig, TsigError, type TsigKey, verifyTsig } from "../../../src/dns/message/tsig.ts";
import { parseName } from "../../../src/dns/name.ts";
import { secondsNow } from "../../setup/basics/clock.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { ask, overUdp, queryOf, TcpClient, withMacOf } from "../../setup/dns/dns-client.ts";
import { mutated } from "../../setup/dns/message-fuzz.ts";
import { randomFrom } from "../../setup/dns/rdata-fuzz.ts";
import { keys, signedBy, testFront } from "../../setup/service/nameserver.ts";
import { testService } from "../../setup/service/service.ts";

const service = testService();
const front = testFront(service);
/** One where looking up a key waits for the end of the test, with a secondary at 127.0.0.2. */
const unanswered: (() => void)[] = [];
const besieged = testFront(service, {
  hooks: {
    isSecondary: (address) => address === "127.0.0.2",
    tsigKey: () => new Promise((resolve) => unanswered.push(() => resolve(undefined))),
  },
});
/** `npm run fuzz` sets it to a million. */
const times = Number(process.env.FUZZ_TIMES ?? 20_000);

beforeAll(async () => {
  const user = await service.user("owner@example.com");
  await service.domain("example.com", user);
  await service.domain("child.example.com", user);
  const text = "0123456789".repeat(20);
  for (let at = 0; at < 10; at += 1) await service.record("example.com", "big", "TXT", `${at} ${text}`);
  for (let at = 0; at < 3; at += 1) await service.record("example.com", "middle", "TXT", `${at} ${text}`);
  await service.record("example.com", "child", "DS", `1 13 2 ${"01".repeat(32)}`);
});

const hex = (text: string) => Uint8Array.from(Buffer.from(text.replaceAll(/\s/g, ""), "hex"));
const name = "07 6578616d706c65 03 636f6d 00";
const query = (header: string, body: string) => hex(`4711 ${header} ${body}`);
const one = "0001 0000 0000 0000";

function edit(octets: Uint8Array, change: (view: DataView) => void): Uint8Array {
  const copy = Uint8Array.from(octets);
  change(new DataView(copy.buffer));
  return copy;
}

const rcodes = Object.fromEntries(Object.entries(Rcode).map(([word, code]) => [code, word]));
const rcodeOf = async (octets: Uint8Array) => rcodes[(await ask(front.port, octets)).rcode];

describe("a packet is answered with its rcode", () => {
  test.each<[string, Uint8Array, string]>([
    ["a query", queryOf("example.com.", "SOA"), "NOERROR"],
    ["a header alone", query("0000", "0000 0000 0000 0000"), "FORMERR"],
    ["two questions", query("0000", `0002 0000 0000 0000 ${name} 0001 0001 ${name} 0001 0001`), "FORMERR"],
    ["a question cut short", query("0000", `${one} ${name} 0001`), "FORMERR"],
    ["65,535 announced records", query("0000", `0001 0000 0000 ffff ${name} 0001 0001`), "FORMERR"],
    ["class CH", query("0000", `${one} ${name} 0001 0003`), "REFUSED"],
    ["class ANY", query("0000", `${one} ${name} 0001 00ff`), "REFUSED"],
    ["type 0", query("0000", `${one} ${name} 0000 0001`), "FORMERR"],
    ["type OPT", query("0000", `${one} ${name} 0029 0001`), "FORMERR"],
    ["type TSIG", query("0000", `${one} ${name} 00fa 0001`), "FORMERR"],
    ["type MAILB", query("0000", `${one} ${name} 00fd 0001`), "NOTIMP"],
    ["opcode IQUERY", query("0800", `${one} ${name} 0001 0001`), "NOTIMP"],
    ["opcode NOTIFY", query("2000", `${one} ${name} 0006 0001`), "NOTIMP"],
    ["UPDATE, which nobody takes here", query("2800", `${one} ${name} 0006 0001`), "NOTIMP"],
    ["opcode 15", query("7800", `${one} ${name} 0001 0001`), "NOTIMP"],
    ["the root", query("0000", `${one} 00 0006 0001`), "REFUSED"],
    ["a zone that is not ours", queryOf("example.net.", "A"), "REFUSED"],
    ["a parent of our zones", queryOf("com.", "SOA"), "REFUSED"],
    ["a name of 127 labels", queryOf(`${"a.".repeat(121)}example.com.`, "A"), "NXDOMAIN"],
    ["labels of any octet", query("0000", `${one} 04 00ff2e5c ${name} 0001 0001`), "NXDOMAIN"],
    ["IXFR without an SOA", queryOf("example.com.", "IXFR"), "FORMERR"],
    ["EDNS of version 1", query("0000", `0001 0000 0000 0001 ${name} 0006 0001 00 0029 04d0 00010000 0000`), "BADVERS"],
    [
      "an unknown EDNS option",
      query("0000", `0001 0000 0000 0001 ${name} 0006 0001 00 0029 04d0 00000000 0006 fde9 0002 abcd`),
      "NOERROR",
    ],
    ["every flag set but QR", queryOf("example.com.", "SOA").with(2, 0x07).with(3, 0xff), "NOERROR"],
  ])("%s", async (_what, octets, rcode) => {
    expect(await rcodeOf(octets)).toBe(rcode);
  });

  test.each<[string, Uint8Array]>([
    ["an empty packet", new Uint8Array()],
    ["eleven octets", new Uint8Array(11)],
    ["an answer", edit(queryOf("example.com.", "SOA"), (view) => view.setUint16(2, Flag.QR))],
    ["an answer that is cut short", hex("4711 8000 0001")],
  ])("%s is not answered at all", async (_what, octets) => {
    expect(await overUdp(front.port, octets, 200)).toBeUndefined();
  });

  test("an answer repeats id, opcode and RD, never offers recursion, and clears Z, AD and CD", async () => {
    const octets = edit(queryOf("example.com.", "SOA"), (view) => view.setUint16(2, 0x01ff & ~15));
    const { id, flags } = await ask(front.port, octets);
    expect([id, flags]).toEqual([4711, Flag.QR | Flag.AA | Flag.RD]);
  });
});

describe("sizes", () => {
  test.each<[string, string, number | undefined, boolean, number]>([
    ["512 octets without EDNS", "middle", undefined, true, 512],
    ["what the client takes", "middle", 1000, false, 1000],
    ["512 at least, whatever the client says", "middle", 100, true, 512],
    ["1232 at most, whatever the client says", "big", 65535, true, 1232],
  ])("an answer over UDP has %s", async (_what, owner, size, truncated, most) => {
    const octets = queryOf(`${owner}.example.com.`, "TXT", (writer) => size && writer.edns(size, 0, true));
    const answer = (await overUdp(front.port, octets)) as Uint8Array;
    const { flags, answers, edns } = readMessage(answer);
    expect(answer.length).toBeLessThanOrEqual(most);
    expect([(flags & Flag.TC) !== 0, answers.length === 0]).toEqual([truncated, truncated]);
    expect(edns).toEqual(size && { udpSize: 1232, version: 0, dnssecOk: true, options: [] });
  });

  test("over TCP it is whole", async () => {
    const client = await TcpClient.open(front.port);
    client.send(queryOf("big.example.com.", "TXT"));
    expect((await client.take(1))[0]?.answers).toHaveLength(10);
    client.socket.destroy();
  });

  test("ANY is answered with one RRset (RFC 8482)", async () => {
    const { answers } = await ask(front.port, queryOf("example.com.", "ANY"));
    expect(new Set(answers.map(({ type }) => type)).size).toBe(1);
  });

  test("the DS of a zone of ours comes from the zone above it, which is ours too", async () => {
    const { answers, flags } = await ask(front.port, queryOf("child.example.com.", "DS"));
    expect([answers.map(({ type }) => type), flags & Flag.AA]).toEqual([[43], Flag.AA]);
    expect((await ask(front.port, queryOf("child.example.com.", "SOA"))).answers[0]?.name).toEqual(
      parseName("child.example.com."),
    );
  });

  test("a DNAME that makes a name too long is YXDOMAIN (RFC 6672 §2.2)", async () => {
    const label = "0123456789".repeat(6);
    await service.record("example.com", "grows", "DNAME", `${label}.${label}.${label}.example.com.`);
    expect(await rcodeOf(queryOf(`${label}.grows.example.com.`, "A"))).toBe("YXDOMAIN");
  });
});

describe("TSIG (RFC 8945)", () => {
  const key = keys["transfer.example"] as TsigKey;
  const soa = queryOf("example.com.", "SOA");
  const sign = (signature = {}, by = {}) => signedBy("transfer.example", soa, signature, { ...key, ...by });

  const cut = (macLength: number) => {
    const { octets, mac } = sign();
    return { octets: withMacOf(macLength, octets), mac: mac.subarray(0, macLength) };
  };

  /** The rcode, the TSIG error, and whether the answer's signature holds. */
  async function judged({ octets, mac }: { octets: Uint8Array; mac: Uint8Array }) {
    const answer = (await overUdp(front.port, octets)) as Uint8Array;
    const message = readMessage(answer);
    const tsig = readTsig(message);
    if (!tsig) return [rcodes[message.rcode], undefined, undefined];
    const signed =
      tsig.mac.length === 0
        ? "unsigned"
        : verifyTsig(answer, message.tsigAt, tsig, key, tsig.time, { previousMac: mac }) === 0;
    return [rcodes[message.rcode], tsig.error, signed];
  }

  const badKey = ["NOTAUTH", TsigError.BADKEY, "unsigned"];
  const malformed = ["FORMERR", undefined, undefined];
  test.each<[string, () => ReturnType<typeof sign>, unknown[]]>([
    ["a good signature", () => sign(), ["NOERROR", 0, true]],
    ["a key's name in other letters", () => sign({ keyName: parseName("TRANSFER.example.") }), ["NOERROR", 0, true]],
    ["an unknown key", () => sign({ keyName: parseName("unknown.example.") }), badKey],
    ["another algorithm than the key's", () => sign({}, { algorithm: "hmac-sha512" }), badKey],
    ["md5 while it is switched off", () => signedBy("old.example", soa), badKey],
    ["another secret", () => sign({}, { secret: Buffer.from("wrong") }), ["NOTAUTH", TsigError.BADSIG, "unsigned"]],
    ["an old time", () => sign({ time: secondsNow() - 1000 }), ["NOTAUTH", TsigError.BADTIME, true]],
    ["the end of time", () => sign({ time: 2 ** 48 - 1 }), ["NOTAUTH", TsigError.BADTIME, true]],
    ["a truncated MAC", () => cut(16), ["NOTAUTH", TsigError.BADTRUNC, true]],
    ["a MAC below the least", () => cut(8), malformed],
    ["no MAC", () => cut(0), malformed],
  ])("%s", async (_what, request, expected) => {
    expect(await judged(request())).toEqual(expected);
  });

  test("a failed signature is told in words", () => {
    const reasons = front.failures.map(({ reason }) => reason).join("\n");
    expect(reasons).toContain("the secrets differ");
    expect(reasons).toContain("no key of this name works");
  });
});

test("packets over UDP that wait, however many, leave those of a secondary their places", async () => {
  const flood = signedBy("other.example", queryOf("example.com.", "SOA")).octets;
  const socket = createSocket("udp4");
  await eventually(() => {
    for (let at = 0; at < 20; at += 1) socket.send(flood, besieged.port, "127.0.0.1");
    return unanswered.length === 500;
  });
  socket.close();
  const answer = await overUdp(besieged.port, queryOf("example.com.", "SOA"), 15_000, "127.0.0.2");
  for (const answerNow of unanswered.splice(0)) answerNow();
  expect(answer && rcodes[readMessage(answer).rcode]).toBe("NOERROR");
});

test("packets over UDP with the address of a secondary, which may be forged, take 64 places of their own and then those of all", async () => {
  const flood = signedBy("other.example", queryOf("example.com.", "SOA")).octets;
  const socket = createSocket("udp4").bind(0, "127.0.0.2");
  const before = besieged.dropped;
  await eventually(() => {
    for (let at = 0; at < 20; at += 1) socket.send(flood, besieged.port, "127.0.0.1");
    return besieged.dropped > before;
  });
  socket.close();
  expect(unanswered).toHaveLength(64 + 500);
  for (const answerNow of unanswered.splice(0)) answerNow();
});

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** What of the heap is in use, octets, without what only waits to be collected. */
function heapInUse(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

test(
  `${times} mutated packets over UDP and TCP: no exception, no hang, bounded memory`,
  async () => {
    const random = randomFrom(8);
    const heap = heapInUse();
    const failures = () => front.logged.filter(({ msg }) => /failed|cut off/.test(msg));
    for (let done = 0; done < times; done += 100) {
      const packets = Array.from({ length: 100 }, () => mutated(random));
      const client = await TcpClient.open(front.port);
      for (const packet of packets.slice(0, 20)) client.send(packet);
      client.socket.end();
      await Promise.all(packets.map((packet) => sendOnly(packet)));
      expect(await rcodeOf(queryOf("example.com.", "SOA"))).toBe("NOERROR");
      client.socket.resume();
      await client.closed;
    }
    expect(failures()).toEqual([]);
    expect(heapInUse() - heap).toBeLessThan(200e6);
  },
  Math.max(300_000, times * 5),
);

const sender = createSocket("udp4");
sender.unref();
const sendOnly = (packet: Uint8Array) =>
  new Promise<void>((resolve) => sender.send(packet, front.port, "127.0.0.1", () => resolve()));
