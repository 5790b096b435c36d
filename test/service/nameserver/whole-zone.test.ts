import { beforeAll, describe, expect, test } from "@jest/globals";
import { Rcode } from "../../../src/dns/message/header.ts";
import { type Message, type ResourceRecord, readMessage } from "../../../src/dns/message/message-reader.ts";
import { lowerName, nameText, parseName, zoneNameWire } from "../../../src/dns/name.ts";
import { withSoaSerial } from "../../../src/dns/rdata/soa.ts";
import { serial } from "../../../src/dns/serial.ts";
import { typeCode } from "../../../src/dns/type-codes.ts";
import { ZoneMessages } from "../../../src/nameserver/zone/zone-messages.ts";
import type { TransferMessage } from "../../../src/nameserver/zone/zone-packer.ts";
import { queryOf, TcpClient } from "../../setup/dns/dns-client.ts";
import { generateZone } from "../../setup/service/generated-zone.ts";
import { insertAddresses, testFront } from "../../setup/service/nameserver.ts";
import { testService } from "../../setup/service/service.ts";

const service = testService({ RRSET_RECORDS: "4000", OWNER_TYPES: "200" });
const front = testFront(service, {
  idle: 600,
  hooks: { transferAccess: () => ({ mayTransfer: true, isSecondary: true, fitsDifferencesTo: null }) },
});
let user = "";

beforeAll(async () => {
  user = await service.user("owner@example.com");
});

const line = ({ name, type, ttl, rdata }: Omit<ResourceRecord, "class">) =>
  `${nameText(name)} ${type} ${ttl} ${Buffer.from(rdata).toString("hex")}`;

/** Transfers a zone; the records as lines, and the messages. */
async function transfer(query: Uint8Array): Promise<{ lines: string[]; messages: Message[] }> {
  const client = await TcpClient.open(front.port);
  client.send(query);
  const messages: Message[] = [];
  const lines: string[] = [];
  for await (const octets of client.messages()) {
    const message = readMessage(octets);
    messages.push(message);
    for (const answer of message.answers) lines.push(line({ ...answer, name: lowerName(answer.name) }));
    if (message.rcode !== Rcode.NOERROR || (lines.length > 1 && lines.at(-1) === lines[0])) break;
  }
  client.socket.destroy();
  return { lines, messages };
}

/** The records of a zone as they are in the database, its SOA first and last. */
async function stored(zone: string): Promise<string[]> {
  const apex = zoneNameWire(zone);
  const rows = await service.sql<{ owner: string; type: string; ttl: number; wire: Buffer; serial: number }>(
    `select r.*, d.serial::float8 as serial from zone_record r join domain d on d.id = r.domain_id where d.zone = $1
      order by r.position, r.id`,
    [zone],
  );
  const lines = rows.map(({ owner, type, ttl, wire, serial: next }) =>
    line({
      name: parseName(owner, apex),
      type: typeCode(type) as number,
      ttl,
      rdata: type === "SOA" ? withSoaSerial(wire, serial(next)) : wire,
    }),
  );
  return [...lines, lines[0] as string];
}

const add = (zone: string, records: readonly object[]) =>
  service.mutate("changeRecords", { zone, add: records, force: true }, "change { serial }");

const label = "a".repeat(63);
type Fill = (zone: string) => Promise<unknown>;
const created =
  (fill: Fill): Fill =>
  async (zone) => {
    await service.domain(zone, user);
    await fill(zone);
  };
const zones: readonly (readonly [name: string, zone: string, fill: Fill])[] = [
  ["nothing but what every zone has", "empty.example", created(async () => {})],
  ["records of every type", "types.example", (zone) => generateZone(service, user, zone, 7)],
  [
    "names of 255 octets, escapes, wildcards and Unicode",
    "names.example",
    created((zone) =>
      add(
        zone,
        [
          `${label}.${label}.${label}.${"b".repeat(47)}`,
          "\\000".repeat(60),
          "a\\.b.c\\\\d",
          "*",
          "*.sub",
          "bücher",
          "münchen.straße",
          "\\064",
          "@",
        ].flatMap((owner) => [
          { owner, type: "A", rdata: "192.0.2.1", ttl: 60 },
          { owner, type: "A", rdata: "192.0.2.2", ttl: 60 },
          { owner, type: "TXT", rdata: "x", ttl: 2147483647 },
        ]),
      ),
    ),
  ],
  [
    "RRsets of 64 KB and records of 50 KB",
    "large.example",
    created(async (zone) => {
      const text = (at: number, strings: number) => `"${at}" ${`"${"x".repeat(250)}" `.repeat(strings)}`;
      const set = (owner: string, type: string, count: number, rdata: (at: number) => string) =>
        add(
          zone,
          Array.from({ length: count }, (_, at) => ({ owner, type, rdata: rdata(at), ttl: 60 })),
        );
      for (const at of [0, 1, 2]) await set(`one${at}`, "TXT", 1, () => text(at, 200));
      await set("set", "TXT", 120, (at) => text(at, 2));
      await set("many", "A", 1000, (at) => `192.0.${at >> 8}.${at & 255}`);
    }),
  ],
  ["60,000 records", "long.example", created((zone) => insertAddresses(service, zone, 60_000))],
];

describe("a zone of", () => {
  test.each(zones)("%s is transferred record for record, cold and from memory", async (_name, zone, fill) => {
    await fill(zone);
    const expected = await stored(zone);
    if (zone === "types.example") expect(new Set(expected.map((each) => each.split(" ")[1])).size).toBeGreaterThan(60);
    const cold = await transfer(queryOf(`${zone}.`, "AXFR"));
    expect(cold.lines).toEqual(expected);
    const warm = await transfer(queryOf(`${zone}.`, "AXFR"));
    expect(warm).toEqual(cold);
  });

  test("a large first record begins with the SOA and it: alone, in an answer to IXFR, an SOA means no differences", async () => {
    await service.domain("first.example", user);
    await service.sql(
      `delete from zone_record using domain d where d.id = domain_id and d.zone = 'first.example' and type <> 'SOA'`,
    );
    const wire = Buffer.from(`\xfa${"x".repeat(250)}`.repeat(200), "latin1");
    await service.sql(
      `insert into zone_record (domain_id, owner, type, ttl, rdata, wire, digest)
       select id, '@', 'TXT', 60, 'x', $1::bytea, sha256($1::bytea) from domain where zone = 'first.example'`,
      [wire],
    );
    const { messages } = await transfer(queryOf("first.example.", "AXFR"));
    expect(messages[0]?.answers.map(({ type }) => type)).toEqual([6, 16]);
  });
});

describe("the messages that are kept", () => {
  /** More records than are read at once. */
  const notSmall = 600;
  /** Changes a record behind the journal's back, which no transfer from memory shows. */
  const spoil = (zone: string, ttl: number) =>
    service.sql(
      `update zone_record r set ttl = $1 from domain d where d.id = r.domain_id and d.zone = $2 and r.type = 'NS'`,
      [ttl, zone],
    );
  const filled = async (zone: string, records = notSmall) => {
    await service.domain(zone, user);
    await insertAddresses(service, zone, records);
  };
  const nameServers = async (zone: string) =>
    (await transfer(queryOf(`${zone}.`, "AXFR"))).lines.filter((each) => each.split(" ")[1] === "2");
  const hasTtl = (lines: readonly string[], ttl: number) =>
    lines.length > 0 && lines.every((each) => each.split(" ")[2] === `${ttl}`);

  test("are sent as long as the zone does not change", async () => {
    await filled("kept.example");
    const before = await nameServers("kept.example");
    await spoil("kept.example", 71);
    expect(await nameServers("kept.example")).toEqual(before);
    await service.record("kept.example", "a", "A", "192.0.2.1");
    expect(hasTtl(await nameServers("kept.example"), 71)).toBe(true);
  });

  test("are not those of another history with the same serial, as after a restored backup", async () => {
    await filled("restored.example");
    await nameServers("restored.example");
    await spoil("restored.example", 72);
    await service.sql("update change set created_at = created_at - interval '1 ms' where zone = 'restored.example'");
    expect(hasTtl(await nameServers("restored.example"), 72)).toBe(true);
  });

  test("are not those of the zone of this name that was deleted", async () => {
    await filled("deleted.example");
    await service.record("deleted.example", "gone", "A", "192.0.2.1");
    await nameServers("deleted.example");
    await service.rest("DELETE", "/domain/delete/", { form: { zone: "deleted.example" } });
    expect((await transfer(queryOf("deleted.example.", "AXFR"))).messages[0]?.rcode).toBe(Rcode.NOTAUTH);
    await service.domain("deleted.example", user);
    expect((await transfer(queryOf("deleted.example.", "AXFR"))).lines).toEqual(await stored("deleted.example"));
  });

  test("are of the zone before a change that was committed while they were sent", async () => {
    await filled("moving.example", 20_000);
    const before = await stored("moving.example");
    const client = await TcpClient.open(front.port);
    client.send(queryOf("moving.example.", "AXFR"));
    const messages = client.messages();
    await messages.next();
    await service.record("moving.example", "late", "A", "192.0.2.1");
    const after = await transfer(queryOf("moving.example.", "AXFR"));
    expect(after.lines).toEqual(await stored("moving.example"));
    expect(after.lines).not.toEqual(before);
    client.socket.destroy();
    expect((await transfer(queryOf("moving.example.", "AXFR"))).lines).toEqual(after.lines);
  });
});

describe("the memory for messages", () => {
  const message = (octets: number, isLast: boolean): TransferMessage => ({
    octets: new Uint8Array(octets),
    records: 1,
    isLast,
  });
  const keep = (messages: ZoneMessages, zoneId: number, octets: number, version = "1") => {
    const collector = messages.collect({ zoneId, version });
    collector?.add(message(octets, true));
    collector?.end();
  };
  const has = (messages: ZoneMessages, ...ids: number[]) =>
    ids.map((zoneId) => {
      using lent = messages.lend({ zoneId, version: "1" });
      return lent !== undefined;
    });

  test("is bounded: the zone that was requested least recently goes first", () => {
    const messages = new ZoneMessages(10_000);
    for (const zoneId of [1, 2, 3]) keep(messages, zoneId, 2000);
    expect(has(messages, 2, 3, 1)).toEqual([true, true, true]);
    keep(messages, 4, 2000);
    expect(has(messages, 1, 2, 3, 4)).toEqual([true, false, true, true]);
    expect(messages.octets).toBe(9000);
  });

  test("includes what is being collected, and keeps no zone of which a message is missing or that is too long", () => {
    const messages = new ZoneMessages(10_000);
    const unfinished = messages.collect({ zoneId: 1, version: "1" });
    unfinished?.add(message(2200, false));
    expect(messages.octets).toBe(3200);
    expect(messages.collect({ zoneId: 1, version: "1" })).toBeUndefined();
    unfinished?.end();
    keep(messages, 2, 5000);
    expect(has(messages, 1, 2)).toEqual([false, false]);
    expect(messages.octets).toBe(0);
  });

  test("counts each version of a zone as long as one who was lent it has not given it back", () => {
    const messages = new ZoneMessages(10_000);
    keep(messages, 1, 2000);
    const readers = [messages.lend({ zoneId: 1, version: "1" }), messages.lend({ zoneId: 1, version: "1" })];
    keep(messages, 1, 2000, "2");
    const ofSecond = messages.lend({ zoneId: 1, version: "2" });
    keep(messages, 1, 2000, "3");
    expect(messages.octets).toBe(9000);
    readers[0]?.[Symbol.dispose]();
    ofSecond?.[Symbol.dispose]();
    expect(messages.octets).toBe(6000);
    expect(readers[1]?.messages).toHaveLength(1);
    readers[1]?.[Symbol.dispose]();
    expect(messages.octets).toBe(3000);
  });

  test("collects nothing while all of it is lent, and takes no kept zone from its readers in vain", () => {
    const messages = new ZoneMessages(10_000);
    for (const zoneId of [1, 2, 3]) keep(messages, zoneId, 2000);
    const lent = [1, 3].map((zoneId) => messages.lend({ zoneId, version: "1" }));
    keep(messages, 4, 3200);
    expect(has(messages, 1, 2, 3, 4)).toEqual([true, false, true, false]);
    expect(messages.octets).toBe(6000);
    for (const each of lent) each?.[Symbol.dispose]();
    keep(messages, 4, 3200);
    expect(has(messages, 1, 3, 4)).toEqual([false, true, true]);
  });

  test("keeps one version of a zone, and none without a journal", () => {
    const messages = new ZoneMessages(10_000);
    keep(messages, 1, 1000);
    keep(messages, 1, 500, "2");
    expect(has(messages, 1)).toEqual([false]);
    expect(messages.octets).toBe(1500);
    expect(messages.collect({ zoneId: 2, version: null })).toBeUndefined();
  });
});
