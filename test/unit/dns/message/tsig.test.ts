import { describe, expect, test } from "@jest/globals";
import { Malformed } from "../../../../src/dns/malformed.ts";
import { Class, MetaType } from "../../../../src/dns/message/header.ts";
import { readMessage } from "../../../../src/dns/message/message-reader.ts";
import { MessageWriter } from "../../../../src/dns/message/message-writer.ts";
import {
  readTsig,
  refuseTsig,
  type Signature,
  signMessage,
  type TsigAlgorithm,
  TsigError,
  type TsigKey,
  timeData,
  tsigAlgorithms,
  tsigLength,
  verifyTsig,
} from "../../../../src/dns/message/tsig.ts";
import { lowerName, parseName } from "../../../../src/dns/name.ts";
import { withMacOf } from "../../../setup/dns/dns-client.ts";

const now = 1_795_264_245;
const keyName = parseName("Transfer.Example.com.");
const secret = Buffer.from("0123456789abcdef0123456789abcdef");
const key: TsigKey = { algorithm: "hmac-sha256", secret };

function query(id = 0x1111): Uint8Array {
  const writer = new MessageWriter({ id, flags: 0 });
  writer.question({ name: parseName("example.com."), type: MetaType.AXFR, class: Class.IN });
  return Uint8Array.from(writer.finish());
}

function verdict(octets: Uint8Array, by: TsigKey | undefined = key, at = now, chain = {}): TsigError {
  const message = readMessage(octets);
  const tsig = readTsig(message);
  if (!tsig) throw new Error("it is not signed");
  return verifyTsig(octets, message.tsigAt, tsig, by, at, chain);
}

const sign = (octets: Uint8Array, signature: Partial<Signature> = {}, by = key) =>
  signMessage(octets, by, { keyName, time: now, ...signature });

describe("a signature", () => {
  test.each(Object.keys(tsigAlgorithms) as TsigAlgorithm[])("of %s verifies", (algorithm) => {
    const signed = sign(query(), {}, { algorithm, secret });
    expect(verdict(signed.octets, { algorithm, secret })).toBe(TsigError.NONE);
    expect(signed.octets.length).toBe(query().length + tsigLength(keyName, { algorithm, secret }) - 6);
    expect(signed.mac).toHaveLength(tsigAlgorithms[algorithm].length);
  });

  // Computed with dnspython 2.3 (dns.tsig.sign) from the same message, key and time.
  test("is the one that others compute", () => {
    expect(Buffer.from(sign(query()).mac).toString("hex")).toBe(
      "b13f41fe577a9668ba25803671bd0b51d221749221b039f19794e87cd656916a",
    );
  });

  test("covers the name of the key in any letter case", () => {
    const { octets } = sign(query());
    const changed = Buffer.from(octets);
    changed.set(lowerName(keyName), readMessage(octets).tsigAt);
    expect(verdict(changed)).toBe(TsigError.NONE);
  });

  test("holds when a forwarder gave the message another id (RFC 8945 §5.2)", () => {
    const octets = Buffer.from(sign(query()).octets);
    octets.writeUInt16BE(0x2222, 0);
    expect(verdict(octets)).toBe(TsigError.NONE);
  });

  test("breaks with every octet of the message that changes", () => {
    const { octets } = sign(query());
    const end = readMessage(octets).tsigAt;
    for (let at = 2; at < end; at += 1) {
      const changed = Uint8Array.from(octets);
      changed[at] = (changed[at] as number) ^ 1;
      let found: unknown;
      try {
        found = verdict(changed);
      } catch (error) {
        found = error instanceof Malformed || (error as Error).message === "it is not signed" ? "refused" : error;
      }
      expect([TsigError.BADSIG, "refused"]).toContain(found);
    }
  });
});

describe("RFC 8945 §5.2", () => {
  const whole = sign(query()).octets;
  const truncatedTo = (macLength: number) => withMacOf(macLength, whole);
  test.each<[string, () => TsigError, TsigError]>([
    ["a key that is not known", () => verifyUnknown(), TsigError.BADKEY],
    ["a key of another algorithm", () => verdict(whole, { ...key, algorithm: "hmac-sha512" }), TsigError.BADKEY],
    ["another secret", () => verdict(whole, { ...key, secret: Buffer.from("other") }), TsigError.BADSIG],
    ["a clock 300 s ahead", () => verdict(whole, key, now + 300), TsigError.NONE],
    ["a clock 301 s ahead", () => verdict(whole, key, now + 301), TsigError.BADTIME],
    ["a clock 301 s behind", () => verdict(whole, key, now - 301), TsigError.BADTIME],
    ["a fudge of its own", () => verdict(sign(query(), { fudge: 5 }).octets, key, now + 6), TsigError.BADTIME],
    ["a wrong MAC at a wrong time", () => verdict(whole, { ...key, secret }, now + 999), TsigError.BADTIME],
    ["a truncated MAC", () => verdict(truncatedTo(16)), TsigError.BADTRUNC],
    ["a truncated MAC at a wrong time", () => verdict(truncatedTo(16), key, now + 301), TsigError.BADTIME],
  ])("%s", (_what, judge, expected) => {
    expect(judge()).toBe(expected);
  });

  function verifyUnknown(): TsigError {
    const message = readMessage(whole);
    const tsig = readTsig(message);
    return tsig ? verifyTsig(whole, message.tsigAt, tsig, undefined, now) : TsigError.NONE;
  }

  test.each([0, 9, 15])("a MAC of %d octets is malformed", (macLength) => {
    expect(() => verdict(truncatedTo(macLength))).toThrow(Malformed);
  });

  test.each<[string, (record: Buffer) => void]>([
    ["class IN", (record) => record.writeUInt16BE(1, 2)],
    ["a TTL", (record) => record.writeUInt32BE(1, 4)],
    ["a MAC longer than the data", (record) => record.writeUInt16BE(200, 10 + 13 + 8)],
    ["a MAC shorter than said", (record) => record.writeUInt16BE(31, 10 + 13 + 8)],
  ])("a TSIG record with %s is malformed", (_what, change) => {
    const octets = Buffer.from(whole);
    change(octets.subarray(readMessage(whole).tsigAt + keyName.length));
    expect(() => verdict(octets)).toThrow(Malformed);
  });
});

describe("answers", () => {
  test("cover the MAC of their request", () => {
    const request = sign(query());
    const answer = sign(query(), { previousMac: request.mac });
    expect(verdict(answer.octets, key, now, { previousMac: request.mac })).toBe(TsigError.NONE);
    expect(verdict(answer.octets)).toBe(TsigError.BADSIG);
  });

  test("of many messages form a chain: none can be left out, added or exchanged", () => {
    const request = sign(query());
    const first = sign(query(1), { previousMac: request.mac });
    const second = sign(query(2), { previousMac: first.mac, later: true });
    const third = sign(query(3), { previousMac: second.mac, later: true });
    expect(verdict(second.octets, key, now, { previousMac: first.mac, later: true })).toBe(TsigError.NONE);
    expect(verdict(third.octets, key, now, { previousMac: second.mac, later: true })).toBe(TsigError.NONE);
    expect(verdict(third.octets, key, now, { previousMac: first.mac, later: true })).toBe(TsigError.BADSIG);
  });

  test("to an unknown key carry an error and no MAC; to a wrong time the server's own, signed", () => {
    const refused = readTsig(
      readMessage(
        refuseTsig(query(), tsigAlgorithms["hmac-sha256"].wire, { keyName, time: now, error: TsigError.BADKEY }),
      ),
    );
    expect(refused).toMatchObject({ error: 17, mac: new Uint8Array(), time: now });
    const late = sign(query(), { error: TsigError.BADTIME, other: timeData(now + 999) });
    expect(verdict(late.octets)).toBe(TsigError.NONE);
    const read = readTsig(readMessage(late.octets));
    expect(Buffer.from(read?.other ?? []).readUIntBE(0, 6)).toBe(now + 999);
  });
});
