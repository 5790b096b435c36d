/** What a key may have in progress, and that its searches, imports and unread lists leave others their share. */
import { unsubscribe as offEvent, subscribe as onEvent } from "node:diagnostics_channel";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, expect, test } from "@jest/globals";
import { eventually } from "../../setup/basics/eventually.ts";
import { expectRefused } from "../../setup/service/refusal.ts";
import { RowLock } from "../../setup/service/row-lock.ts";
import { adminKey, testService } from "../../setup/service/service.ts";

const service = testService();
const strict = testService({ IN_FLIGHT_KEY: "4", IN_FLIGHT_ADDRESS: "8" });
const impatient = testService({ HTTP_SLOW_READER_SECONDS: "1" });

const sockets: Socket[] = [];
let lock: RowLock | undefined;
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await lock?.release();
  lock = undefined;
});

/** Sends a request in bytes, and reads nothing of the answer. */
async function send(url: string, head: readonly string[], key = adminKey): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.pause();
  socket.write(`${[...head, "Host: test", `X-API-Key: ${key}`].join("\r\n")}\r\n\r\n`);
  return socket;
}

const list = ["GET /api/record/list HTTP/1.1"];
/** The head of a request whose body does not come. */
const unfinished = ["POST /graphql HTTP/1.1", "Content-Type: application/json", "Content-Length: 100"];

/** Adds a record by REST. */
const add = (of: typeof service, zone: string, owner: string, key = adminKey) =>
  of.rest("POST", "/record/add", { key, form: { zone, owner, rtype: "A", rdata: "192.0.2.1", ttl: 300 } });

/** The responses that begin while something runs, as Node's HTTP server in this process has them. */
async function responsesOf(run: () => Promise<unknown>): Promise<ServerResponse[]> {
  const responses: ServerResponse[] = [];
  const note = (message: unknown) => void responses.push((message as { response: ServerResponse }).response);
  onEvent("http.server.request.start", note);
  await run();
  offEvent("http.server.request.start", note);
  return responses;
}

/** A zone of records with long texts: 16 MB as JSON, more than the sockets of a reader hold. */
async function longZone(of: typeof service): Promise<void> {
  const owner = await of.user("long@example.com");
  await of.domain("long.example", owner);
  await of.sql(
    `insert into zone_record (domain_id, owner, type, ttl, rdata, wire, digest)
     select d.id, 'r' || n, 'TXT', 300, repeat('x', 4000), '\\x00', decode(md5(n::text), 'hex')
     from domain d, generate_series(1, 4000) n where d.zone = 'long.example'`,
  );
}

test("lists that nobody reads keep 64 KB each in memory, whatever their length", async () => {
  await longZone(service);
  const readers = 20;
  const responses = await responsesOf(async () => {
    for (let at = 0; at < readers; at += 1) await send(service.url, list);
    // Others are answered meanwhile.
    expect((await service.rest("GET", "/user/list")).status).toBe(200);
  });
  const unread = responses.filter(({ req }) => req.headers.host === "test");
  expect(unread).toHaveLength(readers);
  await eventually(() => unread.every((response) => response.writableNeedDrain));
  for (const response of unread) expect(response.writableLength).toBeLessThan(2 * 64 * 1024);
});

test("an answer that is not read is cut, and so is a request that does not come", async () => {
  await longZone(impatient);
  const responses = await responsesOf(async () => {
    await send(impatient.url, list);
    await send(impatient.url, unfinished);
    await eventually(async () => expect((await impatient.rest("GET", "/user/list")).status).toBe(200));
  });
  const unanswered = responses.filter(({ req }) => req.headers.host === "test");
  expect(unanswered).toHaveLength(2);
  for (const response of unanswered) {
    if (!response.closed) await once(response, "close");
    expect(response.writableFinished).toBe(false);
  }
});

test("a client that waits for an answer is not cut", async () => {
  const owner = await impatient.user("waits@example.com");
  await impatient.domain("waits.example", owner);
  lock = await RowLock.take(impatient.databaseUrl, "waits.example");
  // The lock is given up on after three seconds, the silence of the client would be after one.
  expect((await add(impatient, "waits.example", "a")).status).toBe(503);
});

/** Runs something, and waits until the answers that it got have left the service, and with them their places. */
async function answered<T>(run: () => Promise<T>): Promise<T> {
  let result: T | undefined;
  const responses = await responsesOf(async () => {
    result = await run();
  });
  for (const response of responses) if (response.writableEnded && !response.closed) await once(response, "close");
  return result as T;
}

/** Has as many requests of a key in progress as it may have, and returns the answer to the one more. */
async function fill(key: string): Promise<string> {
  return answered(async () => {
    const sent = await Promise.all(Array.from({ length: 5 }, () => send(strict.url, unfinished, key)));
    const [answer] = await Promise.race(sent.map((socket) => once(socket.resume(), "data")));
    return String(answer);
  });
}

test("a user has so many requests in progress with all keys, and another user as many; so has an address", async () => {
  const [userId, other] = [await strict.user("keys@example.com"), await strict.user("other@example.com")];
  const second = await strict.key({ name: "two", userId });
  const keys = [await strict.key({ name: "one", userId }), await strict.key({ name: "one", userId: other })] as const;
  const expected = "4 requests of this key or its user are in progress; wait for their answers before you send more.";
  expect(await fill(keys[0])).toContain(expected);
  await answered(async () => {
    for (const answer of [
      await strict.rest("GET", "/domain/list", { key: keys[0] }),
      await strict.rest("GET", "/domain/list", { key: second }),
      await strict.graphql("{ domains { nodes { id } } }", {}, keys[0]),
    ]) {
      expectRefused(answer, "TOO_MANY_REQUESTS");
      const message = answer.body.message ?? answer.body.errors[0].message;
      expect([answer.headers.get("retry-after"), message]).toEqual(["1", expected]);
    }
    expect((await strict.rest("GET", "/domain/list", { key: keys[1] })).status).toBe(200);
  });
  await fill(keys[1]);
  const { status, body } = await strict.rest("GET", "/domain/list", { key: adminKey });
  expect([status, body.message]).toEqual([429, expect.stringMatching(/^8 requests of this address are in progress/)]);
  for (const socket of sockets.splice(0)) socket.destroy();
  await eventually(async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => strict.graphql("{ viewer { role } }")));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });
});

test("a burst of 32 requests of each kind at once is answered", async () => {
  const owner = await service.user("burst@example.com");
  await service.domain("burst.example", owner);
  const key = await service.key({ name: "burst", userId: owner });
  const search = '{ records(filter: { rdataContains: "none" }) { totalCount nodes { id } } }';
  const ask: readonly ((at: number) => Promise<{ status: number; body: unknown }>)[] = [
    () => service.rest("GET", "/record/list", { key }),
    () => service.rest("GET", "/domain/list?limit=5", { key }),
    () => service.graphql(search, {}, key),
    (at) => add(service, "burst.example", `b${at}`, key),
  ];
  for (const one of ask) {
    const answers = await Promise.all(Array.from({ length: 32 }, (_, at) => one(at)));
    expect(answers.filter(({ status }) => status >= 300)).toEqual([]);
    expect(answers.filter(({ body }) => Object.hasOwn(body as object, "errors"))).toEqual([]);
  }
});

/** How many of the service's connections wait for a lock. */
async function waiting(): Promise<number> {
  const rows = await service.sql(`select from pg_stat_activity where datname = current_database()
    and application_name = 'zonesmith' and wait_event_type = 'Lock'`);
  return rows.length;
}

test("fifty searches of one user take two connections, and another user is answered before them", async () => {
  const [userId, other] = [await service.user("searches@example.com"), await service.user("reads@example.com")];
  const greedy = await service.key({ name: "searches", userId });
  const modest = await service.key({ name: "reads", userId: other });
  lock = await RowLock.take(service.databaseUrl, "no.example");
  await lock.run("lock table zone_record in access exclusive mode");
  const order: string[] = [];
  const searches = Array.from({ length: 50 }, async () => {
    await service.graphql('{ records(filter: { rdataContains: "x" }, first: 1) { nodes { id } } }', {}, greedy);
    order.push("search");
  });
  await eventually(async () => expect(await waiting()).toBeGreaterThan(0));
  const counts: number[] = [];
  for (let at = 0; at < 12; at += 1) {
    expect((await service.graphql("{ domains(first: 1) { nodes { id } } }", {}, modest)).status).toBe(200);
    counts.push(await waiting());
  }
  order.push("read");
  await lock.release();
  lock = undefined;
  await Promise.all(searches);
  expect(Math.max(...counts)).toBeLessThanOrEqual(2);
  expect(order.indexOf("read")).toBeLessThan(10);
});

test("documents of one key that are refused let a read of another key pass", async () => {
  const [one, other] = [await service.user("refused@example.com"), await service.user("read@example.com")];
  const greedy = await service.key({ name: "refused", userId: one });
  const modest = await service.key({ name: "read", userId: other });
  const read = () => service.graphql("{ viewer { role } }", {}, modest);
  const fields = Array.from({ length: 10 }, (_, at) => `a${at}: domainz { id }`);
  const refused = () => service.graphql(`{ ${fields.join(" ")} }`, {}, greedy);
  await Promise.all([read(), ...Array.from({ length: 40 }, refused)]);
  const order: string[] = [];
  const sent = Array.from({ length: 40 }, async () => order.push(`refused ${(await refused()).status}`));
  sent.push(read().then(({ status }) => order.push(`read ${status}`)));
  await Promise.all(sent);
  expect(order.indexOf("read 200")).toBeLessThan(10);
  expect(order.filter((each) => each === "refused 400")).toHaveLength(40);
});

test("an import with thirty writes queued on its zone takes one connection, and a write to another zone passes", async () => {
  const [userId, other] = [await service.user("imports@example.com"), await service.user("writes@example.com")];
  await service.domain("busy.example", userId);
  await service.domain("free.example", other);
  const greedy = await service.key({ name: "imports", userId });
  const modest = await service.key({ name: "writes", userId: other });
  // The import waits for the test when it is about to commit, for as long as it takes.
  lock = await RowLock.ofChanges(service, "busy.example");
  const imported = service.rest("POST", "/domain/zonefile/busy.example", {
    key: greedy,
    body: "imported 300 A 192.0.2.1\n",
    headers: { "Content-Type": "text/dns" },
  });
  await lock.waiters(1);
  const order: string[] = [];
  const writes = Array.from({ length: 30 }, async (_, at) => {
    order.push(`queued ${(await add(service, "busy.example", `w${at}`, greedy)).status}`);
  });
  for (let at = 0; at < 12; at += 1) expect((await add(service, "free.example", `w${at}`, modest)).status).toBe(201);
  order.push("free");
  expect(await waiting()).toBe(1);
  await lock.release();
  lock = undefined;
  expect((await imported).status).toBe(200);
  await Promise.all(writes);
  expect(order).toEqual(["free", ...writes.map(() => "queued 201")]);
  await service.sql("drop function hold cascade");
});
