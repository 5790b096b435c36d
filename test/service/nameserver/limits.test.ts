import { beforeAll, describe, expect, test } from "@jest/globals";
import { pino } from "pino";
import { readMessage } from "../../../src/dns/message/message-reader.ts";
import { parseName } from "../../../src/dns/name.ts";
import { startNameserver } from "../../../src/nameserver/nameserver.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { ask, queryOf, TcpClient } from "../../setup/dns/dns-client.ts";
import { signed, testFront } from "../../setup/service/nameserver.ts";
import { testService } from "../../setup/service/service.ts";

const service = testService();
const front = testFront(service, { connections: 4, transfers: 1, idle: 1, slowReader: 1 });
/** One that closes no connection for being idle while a test runs. */
const patient = testFront(service, { idle: 600 });
/** One that has few places besides. */
const small = testFront(service, { connections: 4, idle: 600 });
/** One with two transfers at a time, to every key, whose readers may be slow. */
const slow = testFront(service, {
  transfers: 2,
  idle: 600,
  slowReader: 600,
  hooks: { transferAccess: () => ({ mayTransfer: true, fitsDifferencesTo: null }) },
});
/** The TXT records of a zone whose transfer, 6 MB, is more than the sockets of a reader hold. */
const longRecords = 2000;
const soa = queryOf("example.com.", "SOA");

beforeAll(async () => {
  const user = await service.user("owner@example.com");
  await service.domain("example.com", user);
  const data = `"${"x".repeat(200)}" `.repeat(15);
  const text = [...Array(longRecords).keys()].map((at) => `host${at} TXT ${data}\n`).join("");
  const options = { headers: { "Content-Type": "text/dns" }, body: text };
  await service.rest("POST", `/domain/zonefile/long.example?user_id=${user}`, options);
});

const axfr = (key?: string) => signed(queryOf("long.example.", "AXFR"), key);

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
  test("takes several messages, in one packet or cut in pieces, and answers them in order", async () => {
    const client = await TcpClient.open(patient.port);
    const names = ["example.com.", "www.example.com.", "no.example.com."];
    const framed = names.map((name) => {
      const octets = queryOf(name, "SOA");
      return Buffer.concat([Uint8Array.of(0, octets.length), octets]);
    });
    const stream = Buffer.concat(framed);
    client.socket.setNoDelay(true);
    const [first = stream] = framed;
    for (let at = 0; at < first.length; at += 3) {
      client.socket.write(stream.subarray(at, Math.min(at + 3, first.length)));
      await new Promise((resolve) => setImmediate(resolve));
    }
    client.socket.write(stream.subarray(first.length));
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
    clients[3].send(soa);
    expect(await clients[3].take(1)).toHaveLength(1);
    for (const client of [...clients, newest]) client.socket.destroy();
  });
});

describe("a transfer", () => {
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
    const copying = "application_name = 'zonesmith-dns' and query like '%copy (%' and datname = current_database()";
    const terminate = `select pg_terminate_backend(pid) from pg_stat_activity where ${copying} and state = 'active'`;
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
    const idle = async () => {
      const [row] = await service.sql<{ busy: number }>(
        "select count(*)::int as busy from pg_stat_activity where application_name = 'zonesmith-dns' and state <> 'idle' and datname = current_database()",
      );
      return row?.busy === 0;
    };
    await eventually(idle);
    expect((await ask(front.port, soa)).answers).toHaveLength(1);
  });

  test("waits for no transfer of another key, however many that has and whether or not it reads them", async () => {
    const greedy = await Promise.all(Array.from({ length: 4 }, () => TcpClient.open(slow.port)));
    for (const client of greedy) {
      client.send(axfr());
      client.socket.pause();
    }
    const inTransaction = "application_name = 'zonesmith-dns' and state <> 'idle' and datname = current_database()";
    const count = `select from pg_stat_activity where ${inTransaction}`;
    await eventually(async () => expect(await service.sql(count)).toHaveLength(1));
    const other = await TcpClient.open(slow.port);
    other.send(axfr("other.example"));
    expect((await other.take(1))[0]?.answers.length).toBeGreaterThan(1);
    for (const client of [...greedy, other]) client.socket.destroy();
  });
});

test("an address that this machine does not have is one line that names the setting to change", async () => {
  const options = { address: "192.0.2.1", port: 0, pool: undefined as never, hooks: undefined as never };
  const limits = { connections: 1, transfers: 1, idle: 1, slowReader: 1, weakTsig: false };
  const log = pino({ level: "silent" });
  await expect(startNameserver({ ...options, ...limits, log })).rejects.toThrow(/set DNS_LISTEN/);
});
