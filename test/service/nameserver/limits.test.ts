import { once } from "node:events";
import { connect, createServer } from "node:net";
import { afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { pino } from "pino";
import { lengthPrefix } from "../../../src/dns/message/framing.ts";
import { Rcode } from "../../../src/dns/message/header.ts";
import { readMessage } from "../../../src/dns/message/message-reader.ts";
import type { TsigKey } from "../../../src/dns/message/tsig.ts";
import { parseName } from "../../../src/dns/name.ts";
import { startNameserver } from "../../../src/nameserver/nameserver.ts";
import { withMomentsAhead } from "../../setup/basics/clock.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { ask, queryOf, TcpClient } from "../../setup/dns/dns-client.ts";
import { type Greed, GreedyClients } from "../../setup/dns/greedy-clients.ts";
import { keys, load, signed, signedBy, testFront } from "../../setup/service/nameserver.ts";
import { testService } from "../../setup/service/service.ts";

const service = testService();
const secondaryKey = keys["transfer.example"] as TsigKey;
const front = testFront(service, { connections: 4, transfers: 1, idle: 1, slowReader: 1 });
/** One that closes no connection for being idle while a test runs. */
const patient = testFront(service, { idle: 600 });
/** One that has few places besides. */
const small = testFront(service, { connections: 4, idle: 600 });
/** Whose the keys are; that of the secondary has no user. */
const users: Readonly<Record<string, number>> = { "one.example": 1, "another-of-one.example": 1, "two.example": 2 };
const access = { isSecondary: true, fitsDifferencesTo: null };
/** One with some transfers at a time, whose readers may be slow. */
const patientWithReaders = (transfers: number) =>
  testFront(service, {
    transfers,
    idle: 600,
    slowReader: 600,
    hooks: {
      tsigKey: (name) => ({
        ...secondaryKey,
        name,
        userId: users[name] ?? null,
        zones: null,
        owners: null,
        types: null,
      }),
      transferAccess: (...[, , , key]) => ({ ...access, mayTransfer: true, isSecondary: key === "transfer.example" }),
    },
  });
const slow = patientWithReaders(4);
/** Whose single turn one transfer would keep from all others. */
const single = patientWithReaders(1);
/** One with a single transfer at a time, where a key has lost its permission when a transfer has been admitted. */
const admitted: (string | undefined)[] = [];
const revoking = testFront(service, {
  transfers: 1,
  idle: 600,
  slowReader: 600,
  hooks: {
    tsigKey: (name) => ({ ...secondaryKey, name, userId: null, zones: null, owners: null, types: null }),
    transferAccess: (...[, , , key]) => ({ ...access, mayTransfer: !admitted.includes(key) }),
    isWithheld: (...[, , , key]) => admitted.push(key) === 0,
  },
});
/** With times this long nobody is cut off for being idle or slow as long as places are not scarce. */
const beset = testFront(service, { connections: 16, transfers: 2, idle: 600, slowReader: 600 });
/** The TXT records of a zone whose transfer, 6 MB, is more than the sockets of a reader hold. */
const longRecords = 2000;
const soa = queryOf("example.com.", "SOA");

beforeAll(async () => {
  const user = await service.user("owner@example.com");
  await service.domain("example.com", user);
  const data = (strings: number) => `"${"x".repeat(200)}" `.repeat(strings);
  const large = Array.from({ length: 90 }, (_, at) => `large TXT "${at}" ${data(3)}`);
  await load(service, "example.com", large);
  const long = Array.from({ length: longRecords }, (_, at) => `host${at} TXT ${data(15)}`);
  await load(service, "long.example", long, user);
});

const axfr = (key = "transfer.example", zone = "long.example.") =>
  signedBy(key, queryOf(zone, "AXFR"), {}, secondaryKey).octets;

/** Reads a transfer as it comes; returns how many records it has. */
async function recordsOf(client: TcpClient): Promise<number> {
  let records = 0;
  for await (const octets of client.messages()) {
    records += readMessage(octets).answers.length;
    if (records === longRecords + 4) break;
  }
  return records;
}

describe("a TCP connection", () => {
  test("takes several messages at once, and answers them in order", async () => {
    const client = await TcpClient.open(patient.port);
    const names = ["example.com.", "www.example.com.", "no.example.com."];
    const framed = names.map((name) => queryOf(name, "SOA")).flatMap((octets) => [lengthPrefix(octets), octets]);
    client.socket.write(Buffer.concat(framed));
    const answers = await client.take(3);
    expect(answers.map(({ questions }) => questions[0]?.name)).toEqual(names.map((name) => parseName(name)));
    client.socket.destroy();
  });

  test("that only sends and closes its side still gets its answers", async () => {
    const client = await TcpClient.open(patient.port);
    client.send(soa);
    client.socket.end();
    expect(await client.take(1)).toHaveLength(1);
    await client.closed;
  });

  test.each<[string, (client: TcpClient) => void]>([
    ["sends nothing", () => {}],
    ["sends half a message", (client) => client.socket.write(Uint8Array.of(0, 50, 1, 2, 3))],
    [
      "sends an octet now and then",
      (client) => {
        client.socket.write(Uint8Array.of(255, 255));
        const timer = setInterval(() => client.socket.write(Uint8Array.of(1)), 100);
        client.socket.on("close", () => clearInterval(timer));
      },
    ],
    ["asks once and stays", (client) => client.send(soa)],
  ])("that %s is closed when it has been idle too long, and not before", async (_what, use) => {
    const [idle, kept] = [await TcpClient.open(front.port), await TcpClient.open(patient.port)];
    for (const client of [idle, kept]) {
      client.socket.resume();
      use(client);
    }
    await idle.closed;
    expect(kept.socket.readable && kept.socket.writable).toBe(true);
    kept.socket.destroy();
  });

  test.each([0, 5, 11])("that sends a message of %d octets is closed at once", async (length) => {
    const client = await TcpClient.open(patient.port);
    client.socket.resume();
    client.send(new Uint8Array(length));
    await client.closed;
  });

  test("gives way when there are too many: the idlest is closed, the newest is answered", async () => {
    const open = async () => {
      const client = await TcpClient.open(small.port);
      client.send(soa);
      await client.take(1);
      return client;
    };
    const clients = [await open(), await open(), await open(), await open()] as const;
    const newest = await open();
    clients[0].socket.resume();
    await clients[0].closed;
    // Its idle time began while places were not scarce.
    clients[1].send(soa);
    expect(await clients[1].take(1)).toHaveLength(1);
    for (const client of [...clients, newest]) client.socket.destroy();
  });
});

describe("a transfer", () => {
  const ofNameServer = "application_name = 'zonesmith-dns' and datname = current_database()";
  const inTransaction = `select from pg_stat_activity where ${ofNameServer} and state <> 'idle'`;
  const noTransfer = () => eventually(async () => expect(await service.sql(inTransaction)).toEqual([]));

  test("whose reader stops waits for it, is cut off, and gives its turn and its connection to the next", async () => {
    const slow = await TcpClient.open(front.port);
    slow.send(axfr());
    slow.socket.pause();
    const next = await TcpClient.open(front.port);
    next.send(axfr());
    const received = recordsOf(next);
    await eventually(() => front.logged.some(({ msg }) => msg === "a TCP connection was cut off"));
    expect(await received).toBe(longRecords + 4);
    await eventually(() => expect(front.reports).toHaveLength(1));
    slow.socket.destroy();
    next.socket.destroy();
  });

  test("whose database connection is lost is cut off, and the next one comes through", async () => {
    const slow = await TcpClient.open(patient.port);
    slow.send(axfr());
    slow.socket.pause();
    // What it reads before its records is read again by another connection.
    const copying = `${ofNameServer} and query like '%copy (%' and state = 'active'`;
    const terminate = `select pg_terminate_backend(pid) from pg_stat_activity where ${copying}`;
    await eventually(async () => expect(await service.sql(terminate)).toHaveLength(1));
    slow.socket.resume();
    await slow.closed;
    const next = await TcpClient.open(patient.port);
    next.send(axfr());
    expect((await next.take(1))[0]?.answers.length).toBeGreaterThan(1);
    next.socket.destroy();
  });

  test("whose reader goes away in the middle leaves nothing behind", async () => {
    const gone = await TcpClient.open(front.port);
    gone.send(axfr());
    await gone.messages().next();
    gone.socket.destroy();
    await noTransfer();
    expect((await ask(front.port, soa)).answers).toHaveLength(1);
  });

  const open = async (question: Uint8Array, port = slow.port) => {
    const client = await TcpClient.open(port);
    client.send(question);
    return client;
  };
  /** Asks several times with each of some keys, and reads nothing. */
  const greedy = async (names: readonly string[], port = slow.port) => {
    const clients = await Promise.all(names.flatMap((name) => [1, 2, 3].map(() => open(axfr(name), port))));
    for (const { socket } of clients) socket.pause();
    return clients;
  };

  test("waits for none of another user, nor does that of a secondary, however many keys those have and whether or not they read", async () => {
    const clients = await greedy(["one.example", "another-of-one.example"]);
    await eventually(async () => expect(await service.sql(inTransaction)).toHaveLength(1));
    clients.push(...(await greedy(["two.example"])));
    await eventually(async () => expect(await service.sql(inTransaction)).toHaveLength(2));
    const secondary = await open(axfr());
    expect((await secondary.take(1))[0]?.answers.length).toBeGreaterThan(1);
    for (const client of [...clients, secondary]) client.socket.destroy();
  });

  test("that waits for a turn while its key is revoked is refused", async () => {
    const reader = await open(axfr(), revoking.port);
    await reader.messages().next();
    reader.socket.pause();
    const waiting = await open(axfr("revoked.example"), revoking.port);
    await eventually(() => expect(admitted).toContain("revoked.example"));
    await withMomentsAhead(200, async () => {
      reader.socket.destroy();
      expect((await waiting.take(1))[0]?.rcode).toBe(Rcode.REFUSED);
    });
    waiting.socket.destroy();
  });

  test("from memory needs no turn: those who do not read theirs keep none from others", async () => {
    const first = await open(axfr(), single.port);
    await recordsOf(first);
    await eventually(() => expect(single.reports).toHaveLength(1));
    const clients = await greedy(["transfer.example", "one.example", "two.example"], single.port);
    for (const key of ["transfer.example", "one.example"])
      clients.push(await open(axfr(key, "example.com."), single.port));
    for (const client of clients) expect((await client.take(1))[0]?.answers.length).toBeGreaterThan(1);
    for (const client of [first, ...clients]) client.socket.destroy();
  });
});

let attackers: GreedyClients | undefined;
afterEach(() => attackers?.stop());
const attack = (greed: Partial<Greed> & Pick<Greed, "addresses">) => {
  attackers = new GreedyClients({ port: beset.port, question: queryOf("large.example.com.", "TXT"), ...greed });
  return attackers;
};

/** Asks on a connection of its own and reads the first message of the answer; false when there is none. */
async function isAnswered(question: Uint8Array, localAddress = "127.0.0.1"): Promise<boolean> {
  const client = await TcpClient.open(beset.port, localAddress);
  client.send(question);
  const answers = await client.take(1).catch(() => []);
  client.socket.destroy();
  return answers.length === 1;
}

const network = (count: number) => Array.from({ length: count }, (_, at) => `127.0.1.${(at % 3) + 1}`);
const networks = (count: number) => Array.from({ length: count }, (_, at) => `127.0.${at + 1}.1`);

describe.each<[string, string[]]>([
  ["24 connections of three hosts of one network", network(24)],
  ["24 connections, each of another network", networks(24)],
])("beside %s that go on asking and never read", (_what, addresses) => {
  test("a plain client and a signed transfer get their answers, at once or when they ask again", async () => {
    const clients = attack({ addresses });
    for (let round = 0; round < 8; round += 1) {
      await eventually(() => isAnswered(soa));
      await eventually(() => isAnswered(signed(queryOf("example.com.", "AXFR"))));
      await eventually(() => clients.opened + clients.cut > round * 10);
    }
  });

  test("a connection whose signature was accepted keeps its place", async () => {
    const client = await TcpClient.open(beset.port);
    client.send(signed(soa));
    await client.take(1);
    const clients = attack({ addresses });
    await eventually(() => clients.cut > 40);
    client.send(signed(soa));
    expect(await client.take(1)).toHaveLength(1);
    client.socket.destroy();
  });
});

test("a modest host is answered although its neighbours in the network are greedy", async () => {
  attack({ addresses: network(24) });
  for (let round = 0; round < 8; round += 1) await eventually(() => isAnswered(soa, "127.0.1.77"));
});

test("a client that ends its side and never reads holds a place until its answers are gone", async () => {
  const clients = attack({ addresses: network(24), endsItsSide: true, givesUp: true });
  await eventually(() => clients.opened === 24);
  clients.read();
  await eventually(() => clients.cut >= 8);
  await eventually(() => isAnswered(soa));
});

test("the log says that connections give way, once and with a count", async () => {
  const before = beset.logged.length;
  const clients = attack({ addresses: network(24) });
  await eventually(() => clients.cut > 60);
  expect(beset.logged.slice(before).filter(({ msg }) => !/was cut off/.test(msg)).length).toBeLessThan(10);
});

test("a taken port is one line that names the setting to change", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address() as { port: number };
  const options = { address: "127.0.0.1", pool: undefined as never, hooks: undefined as never };
  const log = pino({ level: "silent" });
  const limits = { connections: 1, transfers: 1, idle: 1, slowReader: 1, weakTsig: false, log };
  await expect(startNameserver({ ...options, ...limits, port })).rejects.toThrow(
    `Port ${port} on 127.0.0.1 is in use; stop what listens there, or set DNS_PORT to a free port.`,
  );
  taken.close();
  await once(taken, "close");
  await expect(startNameserver({ ...options, ...limits, address: "192.0.2.1", port: 0 })).rejects.toThrow(
    /set DNS_LISTEN/,
  );
  const probe = connect(port, "127.0.0.1");
  await expect(once(probe, "connect")).rejects.toThrow("ECONNREFUSED");
});
