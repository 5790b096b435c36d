import { beforeAll, describe, expect, test } from "@jest/globals";
import { Flag, Rcode } from "../../../src/dns/message/header.ts";
import { type Message, type ResourceRecord, readMessage } from "../../../src/dns/message/message-reader.ts";
import { readTsig, type TsigKey, verifyTsig } from "../../../src/dns/message/tsig.ts";
import { nameText } from "../../../src/dns/name.ts";
import { printRdata } from "../../../src/dns/rdata/rdata.ts";
import { recordTypeByCode } from "../../../src/dns/rdata/record-type-registry.ts";
import type { TransferReport } from "../../../src/nameserver/hooks.ts";
import { secondsNow } from "../../setup/basics/clock.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { ask, queryOf, TcpClient } from "../../setup/dns/dns-client.ts";
import { ixfrQuery } from "../../setup/dns/transfer.ts";
import { keys, load, signed, signedBy, testFront } from "../../setup/service/nameserver.ts";
import { testService } from "../../setup/service/service.ts";

const service = testService();
const front = testFront(service, { idle: 600, slowReader: 600 });
const size = 50_000;
const key = keys["transfer.example"] as TsigKey;
let user = "";

beforeAll(async () => {
  user = await service.user("owner@example.com");
  await service.domain("example.com", user);
  await load(service, "big.example", numbered("host", size), user);
});

const numbered = (owner: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${owner}${at} A 192.0.2.1`);

const line = ({ name, ttl, type, rdata }: ResourceRecord) => {
  const known = recordTypeByCode(type);
  return `${nameText(name)} ${ttl} ${known.mnemonic} ${printRdata(known, rdata)}`;
};

interface Transfer {
  readonly messages: readonly Message[];
  readonly records: readonly string[];
}

/** Transfers over TCP, signed; checks that every message is signed over the one before. */
async function transfer(query: Uint8Array): Promise<Transfer> {
  const request = signedBy("transfer.example", query);
  const client = await TcpClient.open(front.port);
  client.send(request.octets);
  const messages: Message[] = [];
  const records: string[] = [];
  let previousMac = request.mac;
  for await (const octets of client.messages()) {
    const message = readMessage(octets);
    const tsig = readTsig(message);
    if (!tsig) throw new Error("a message is not signed");
    const chain = { previousMac, later: messages.length > 0 };
    expect(verifyTsig(octets, message.tsigAt, tsig, key, secondsNow(), chain)).toBe(0);
    previousMac = tsig.mac;
    messages.push(message);
    records.push(...message.answers.map(line));
    const isSoa = (text = "") => / SOA /.test(text);
    if (records.length > 1 && isSoa(records.at(-1)) && records.at(-1) === records[0]) break;
    if (records.length === 1 && message.answers.length === 1 && message.questions[0]?.type === 251) break;
    if (message.rcode !== 0) break;
  }
  client.socket.destroy();
  return { messages, records };
}

/** Expects that the last transfer was this one; its end is reported when the client may have all of it already. */
const reported = (report: Partial<TransferReport>) =>
  eventually(() => expect(front.reports.at(-1)).toMatchObject(report));

const serialOf = (zone: string) => service.serial(zone);

/** The zone as it is stored, as lines, SOA left out. */
async function stored(zone: string): Promise<string[]> {
  const { text } = await service.rest("GET", `/domain/zonefile/${zone}`);
  return text
    .split("\n")
    .filter((each) => each !== "" && !/\sSOA\s/.test(each))
    .map((each) => each.replaceAll(/\s+/g, " ").replace(" IN ", " "))
    .toSorted();
}

describe("AXFR", () => {
  test("of 50,000 records is the whole zone between two equal SOAs, in messages that compression reaches", async () => {
    const { messages, records } = await transfer(queryOf("big.example.", "AXFR"));
    expect(records).toHaveLength(size + 4);
    expect(records.slice(1, -1).toSorted()).toEqual(await stored("big.example"));
    expect(messages.every(({ flags }) => (flags & (Flag.QR | Flag.AA | Flag.TC)) === (Flag.QR | Flag.AA))).toBe(true);
    expect(messages[0]?.questions).toHaveLength(1);
    expect(messages.length).toBeGreaterThan(40);
    await reported({ kind: "AXFR", zone: "big.example", key: "transfer.example", records: size + 4 });
  });

  test("is sent piece by piece: queries are answered before its end, and it shows one state, whatever is committed", async () => {
    // After a change it is read from the database, in many pieces.
    await service.record("big.example", "piecemeal", "A", "192.0.2.1");
    const before = await serialOf("big.example");
    const client = await TcpClient.open(front.port);
    client.send(signed(queryOf("big.example.", "AXFR")));
    const messages = client.messages();
    const first = readMessage((await messages.next()).value as Uint8Array);
    await service.record("big.example", "late", "A", "192.0.2.1");
    expect((await ask(front.port, queryOf("example.com.", "SOA"))).answers).toHaveLength(1);
    expect(await serialOf("big.example")).not.toBe(before);
    const records = first.answers.map(line);
    while (records.length < 2 || records.at(-1) !== records[0])
      records.push(...readMessage((await messages.next()).value as Uint8Array).answers.map(line));
    expect(records[0]).toContain(` ${before} `);
    expect(records.filter((each) => each.startsWith("late."))).toEqual([]);
    client.socket.destroy();
  });

  test.each<[string, (query: Uint8Array) => Uint8Array]>([
    ["a key that may not", (query) => signedBy("other.example", query).octets],
    ["no key", (query) => query],
  ])("with %s is refused", async (_what, sign) => {
    const client = await TcpClient.open(front.port);
    client.send(sign(queryOf("example.com.", "AXFR")));
    expect(await client.take(1)).toMatchObject([{ rcode: Rcode.REFUSED, answers: [] }]);
    client.socket.destroy();
  });

  test("of a zone that is not ours is NOTAUTH, over UDP FORMERR", async () => {
    expect((await transfer(queryOf("example.net.", "AXFR"))).messages[0]?.rcode).toBe(9);
    expect((await ask(front.port, queryOf("example.com.", "AXFR"))).rcode).toBe(1);
  });
});

describe("IXFR", () => {
  const changed = async () => {
    const base = await serialOf("example.com");
    const before = await stored("example.com");
    const id = await service.record("example.com", "a", "A", "192.0.2.1");
    await service.record("example.com", "a", "TXT", "Text", 60);
    await service.mutate("updateRecord", { recordId: id, rdata: "192.0.2.2" }, "record { id }");
    return { base, before };
  };

  /** Applies the sequences of an IXFR to a zone. */
  function applied(before: readonly string[], records: readonly string[]): string[] {
    const zone = new Set(before);
    let removing = false;
    for (const each of records.slice(1, -1)) {
      if (/ SOA /.test(each)) removing = !removing;
      else if (removing && !zone.delete(each)) throw new Error(`${each} is removed and was not there`);
      else if (!removing) zone.add(each);
    }
    return [...zone].toSorted();
  }

  test("leads change by change from the client's serial to ours", async () => {
    await load(service, "example.com", numbered("many", 50));
    const { base, before } = await changed();
    const { records } = await transfer(ixfrQuery("example.com", base));
    const serials = records.filter((each) => / SOA /.test(each)).map((each) => Number(each.split(" ")[5]));
    expect(serials).toEqual([base + 3, base, base + 1, base + 1, base + 2, base + 2, base + 3, base + 3]);
    expect(applied(before, records)).toEqual(await stored("example.com"));
    await reported({ kind: "IXFR", zone: "example.com", records: records.length });
  });

  test("of an import has the old SOA before what went and the new one before what came, thousands of records", async () => {
    const [base, before] = [await serialOf("big.example"), await stored("big.example")];
    const { text } = await service.rest("GET", "/domain/zonefile/big.example");
    const kept = text.replaceAll(/^host1\d\d\d\..*$/gm, "");
    const options = { headers: { "Content-Type": "text/dns" }, body: [kept, ...numbered("more", 3000)].join("\n") };
    expect((await service.rest("POST", "/domain/zonefile/big.example?mode=replace", options)).status).toBe(200);
    const { records } = await transfer(ixfrQuery("big.example", base));
    expect(records).toHaveLength(1000 + 3000 + 4);
    await reported({ kind: "IXFR", zone: "big.example", records: records.length });
    expect(applied(before, records)).toEqual(await stored("big.example"));
  });

  test.each<[string, (serial: number) => number]>([
    ["the same serial", (serial) => serial],
    ["a later serial", (serial) => serial + 1],
  ])("from %s is our SOA alone", async (_what, from) => {
    const { records } = await transfer(ixfrQuery("example.com", from(await serialOf("example.com"))));
    expect(records).toHaveLength(1);
  });

  test.each<[string, (serial: number) => number]>([
    ["a serial that the journal does not know", (serial) => serial - 1000],
    ["a serial half the circle away", (serial) => (serial + 2 ** 31) % 2 ** 32],
  ])("from %s is the whole zone", async (_what, from) => {
    const { records } = await transfer(ixfrQuery("example.com", from(await serialOf("example.com"))));
    expect(records.slice(1, -1).toSorted()).toEqual(await stored("example.com"));
    await reported({ kind: "AXFR", zone: "example.com", records: records.length });
  });

  test("whose changes outweigh the zone is the whole zone; so is one from before it was deleted, and born again or restored", async () => {
    await service.domain("small.example", user);
    const base = await serialOf("small.example");
    for (let at = 0; at < 4; at += 1) await service.record("small.example", `r${at}`, "A", "192.0.2.1");
    const { records } = await transfer(ixfrQuery("small.example", base));
    expect(records.slice(1, -1).toSorted()).toEqual(await stored("small.example"));
    await service.rest("DELETE", "/domain/delete/", { form: { zone: "small.example" } });
    await service.domain("small.example", user);
    const reborn = await transfer(ixfrQuery("small.example", base + 4));
    expect(reborn.records.slice(1, -1).toSorted()).toEqual(await stored("small.example"));
    const before = await serialOf("small.example");
    await service.rest("DELETE", "/domain/delete/", { form: { zone: "small.example" } });
    await service.mutate("restoreDomain", { by: { zone: "small.example" } }, "recordCount");
    const restored = await transfer(ixfrQuery("small.example", before));
    expect(restored.records.slice(1, -1).toSorted()).toEqual(await stored("small.example"));
  });

  test("over UDP is our SOA alone, and only for those who may", async () => {
    expect((await ask(front.port, signed(ixfrQuery("example.com", 1)))).answers.map(({ type }) => type)).toEqual([6]);
    expect((await ask(front.port, ixfrQuery("example.com", 1))).rcode).toBe(5);
  });
});

test("more transfers than there are turns wait for one, and all come through", async () => {
  const all = await Promise.all([...Array(12).keys()].map(() => transfer(queryOf("example.com.", "AXFR"))));
  const lengths = new Set(all.map(({ records }) => records.length));
  expect([...lengths]).toEqual([(await stored("example.com")).length + 2]);
});

test("a hidden zone is answered and transferred only under a key that may", async () => {
  await service.domain("hidden.example", user);
  await service.sql("update domain set user_id = null where zone = 'hidden.example'");
  const query = queryOf("hidden.example.", "SOA");
  expect((await ask(front.port, query)).rcode).toBe(5);
  expect((await ask(front.port, signedBy("other.example", query).octets)).rcode).toBe(5);
  expect((await ask(front.port, signed(query))).answers).toHaveLength(1);
  expect((await ask(front.port, ixfrQuery("hidden.example", 1))).rcode).toBe(9);
  expect((await transfer(queryOf("hidden.example.", "AXFR"))).records.length).toBeGreaterThan(4);
});
