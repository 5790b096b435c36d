/**
 * DNS over TLS and zone transfers over it (RFC 9103): what a handshake needs, who is served, and that a TLS connection keeps to the
 * rules of those over TCP.
 */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import type { ConnectionOptions, TLSSocket } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { pino } from "pino";
import { MetaType, Rcode, Section } from "../../../src/dns/message/header.ts";
import { readMessage } from "../../../src/dns/message/message-reader.ts";
import { parseName } from "../../../src/dns/name.ts";
import { TypeCode } from "../../../src/dns/type-codes.ts";
import type { TlsOptions } from "../../../src/nameserver/tls.ts";
import { Certificate } from "../../../src/net/certificate.ts";
import { type IssuedFiles, TestAuthority } from "../../setup/basics/certificates.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { queryOf, TcpClient } from "../../setup/dns/dns-client.ts";
import { load, signed, TestFront, type TestFrontOptions } from "../../setup/service/nameserver.ts";
import { testService } from "../../setup/service/service.ts";

const service = testService();
const authority = new TestAuthority();
const clients = new TestAuthority();
const strangers = new TestAuthority();
const serverName = "dns.example.net";
const silent = pino({ level: "silent" });
const zone = "example.com";
/** Those of the zone as it is transferred: what is imported, and what a zone begins with, its SOA twice. */
const records = 2000 + 90 + 5;
const soa = queryOf(`${zone}.`, "SOA");
const client = clients.issue("client", "DNS:ns1.example.net");
const stranger = strangers.issue("stranger", "DNS:ns1.example.net");
const resources = new AsyncDisposableStack();

/** Starts a name server that speaks TLS; with `ca` it wants certificates of clients that these authorities signed. */
async function frontWith(issued: IssuedFiles, ca?: string, options: TestFrontOptions = {}): Promise<TestFront> {
  const files = {
    cert: { setting: "TLS_CERT", path: issued.cert },
    key: { setting: "TLS_KEY", path: issued.key },
    ca: ca === undefined ? undefined : { setting: "DNS_TLS_CLIENT_CA", path: ca },
  };
  const certificate = await Certificate.open(files, silent);
  resources.defer(() => certificate.stop());
  const tls: TlsOptions & { port: number } = { certificate, needsClientCertificate: ca !== undefined, port: 0 };
  const front = new TestFront(service, { idle: 600, slowReader: 600, ...options, tls });
  await front.start();
  resources.defer(() => front.stop());
  return front;
}

let front: TestFront;
let mutual: TestFront;
let strict: TestFront;
let impatient: TestFront;
let crowded: TestFront;
const gaveWay = "a TCP connection gave way to a newer one";
beforeAll(async () => {
  const user = await service.user("owner@example.com");
  await service.domain(zone, user);
  const lines = Array.from({ length: 2000 }, (_, at) => `h${at} 300 TXT "${"x".repeat(200)}"`);
  const large = Array.from({ length: 90 }, (_, at) => `large 300 TXT "${at}" ${`"${"x".repeat(200)}" `.repeat(3)}`);
  await load(service, zone, [...lines, ...large]);
  const issued = authority.issue("server", `DNS:${serverName}`);
  front = await frontWith(issued);
  mutual = await frontWith(issued, clients.file);
  strict = await frontWith(issued, undefined, { transfersNeedTls: true });
  crowded = await frontWith(issued, undefined, { connections: 8 });
  impatient = await frontWith(issued, undefined, { idle: 1, connections: 8 });
});
afterAll(() => resources.disposeAsync());

/** Connects as a secondary that verifies the service. */
const open = (to: TestFront, options: ConnectionOptions & { localAddress?: string } = {}) =>
  TcpClient.openTls(to.tlsPort, { ca: readFileSync(authority.file), servername: serverName, ...options });

const own = ({ cert, key }: IssuedFiles): ConnectionOptions => ({ cert: readFileSync(cert), key: readFileSync(key) });

const axfr = () => signed(queryOf(`${zone}.`, "AXFR"));

/** The rcode of the first message of an answer. */
async function rcodeOf(connection: TcpClient, question: Uint8Array): Promise<number> {
  connection.send(question);
  const [answer] = await connection.take(1);
  connection.socket.destroy();
  return (answer?.flags ?? 0) & 15;
}

/** How many records the answer to a transfer has: it ends with a second SOA. */
async function transferred(connection: TcpClient): Promise<number> {
  connection.send(axfr());
  let count = 0;
  for await (const octets of connection.messages()) {
    const { answers } = readMessage(octets);
    const isOver = answers.at(-1)?.type === TypeCode.SOA && count + answers.length > 1;
    count += answers.length;
    if (!isOver) continue;
    connection.socket.destroy();
    return count;
  }
  throw new Error("the transfer was cut off");
}

/** Settled when a connection is closed, or breaks. */
const closing = (socket: Socket) => new Promise((resolve) => socket.once("close", resolve));

describe("a client that speaks DNS over TLS", () => {
  test("gets a signed transfer whole, and the log says that it was over TLS", async () => {
    expect(await transferred(await open(front))).toBe(records);
    await eventually(() => expect(front.logged.at(-1)).toMatchObject({ msg: "transferred", zone, tls: true }));
    expect(await transferred(await TcpClient.open(front.port))).toBe(records);
    await eventually(() => expect(front.logged.at(-1)).not.toHaveProperty("tls"));
  });

  test("gets many answers on one connection, also when it has ended its side", async () => {
    const connection = await open(front);
    for (let times = 0; times < 3; times += 1) connection.send(soa);
    connection.socket.end();
    expect(await connection.take(3)).toHaveLength(3);
    await connection.closed;
  });

  test("needs the signature that it needs over TCP", async () => {
    expect(await rcodeOf(await open(front), queryOf(`${zone}.`, "AXFR"))).toBe(Rcode.REFUSED);
  });

  test("is counted apart from those over TCP", async () => {
    const countOf = (over: string) =>
      front.counts.filter(({ transport }) => transport === over).reduce((sum, { count }) => sum + count, 0);
    const answered = () => [countOf("tcp"), countOf("tls")];
    const [tcp = 0, tls = 0] = answered();
    await rcodeOf(await open(front), soa);
    expect(answered()).toEqual([tcp, tls + 1]);
    await rcodeOf(await TcpClient.open(front.port), soa);
    expect(answered()).toEqual([tcp + 1, tls + 1]);
  });

  test("takes up its session again", async () => {
    const connection = await open(front);
    const socket = connection.socket as TLSSocket;
    const session = once(socket, "session").then(([ticket]) => ticket as Buffer);
    connection.send(soa);
    await connection.take(1);
    const again = await open(front, { session: await session });
    expect((again.socket as TLSSocket).isSessionReused()).toBe(true);
    expect(await rcodeOf(again, soa)).toBe(Rcode.NOERROR);
    socket.destroy();
  });

  test.each<[what: string, options: ConnectionOptions]>([
    ["another protocol alone by ALPN", { ALPNProtocols: ["h2"] }],
    ["TLS 1.2", { maxVersion: "TLSv1.2" }],
  ])("and names %s gets no connection", async (_what, options) => {
    await expect(open(front, options)).rejects.toThrow();
    expect(await rcodeOf(await open(front), soa)).toBe(Rcode.NOERROR);
  });

  test("and names no protocol by ALPN gets answers, and no transfer", async () => {
    const options = { ALPNProtocols: [] };
    expect(await rcodeOf(await open(front, options), soa)).toBe(Rcode.NOERROR);
    expect(await rcodeOf(await open(front, options), axfr())).toBe(Rcode.REFUSED);
    expect(front.logged).toContainEqual(expect.objectContaining({ reason: expect.stringContaining("ALPN") }));
  });

  test.each<[what: string, isSigned: boolean]>([
    ["plain", false],
    ["signed", true],
  ])("and asks for padding gets %s answers whose length says nothing of them", async (_what, isSigned) => {
    const lengthOf = async (name: string, padded: boolean) => {
      const question = queryOf(name, "TXT", (writer) => {
        const rdata = Uint8Array.of(0, padded ? 12 : 10, 0, 2, 0, 0);
        writer.add(Section.ADDITIONAL, { name: parseName("."), type: MetaType.OPT, class: 1232, ttl: 0, rdata });
      });
      const connection = await open(front);
      connection.send(isSigned ? signed(question) : question);
      for await (const octets of connection.messages()) {
        connection.socket.destroy();
        return octets.length;
      }
      throw new Error("no answer came");
    };
    for (const name of [`${zone}.`, `h1.${zone}.`]) expect((await lengthOf(name, true)) % 468).toBe(0);
    expect((await lengthOf(`${zone}.`, false)) % 468).not.toBe(0);
  });
});

describe("where clients need a certificate", () => {
  test("one of an authority that is named gets answers and transfers", async () => {
    expect(await transferred(await open(mutual, own(client)))).toBe(records);
  });

  test.each<[what: string, options: () => ConnectionOptions]>([
    ["none", () => ({})],
    ["one of another authority", () => own(stranger)],
  ])("%s gets nothing, and the log says why", async (_what, options) => {
    const before = mutual.logged.length;
    const connection = await open(mutual, options());
    connection.send(soa);
    expect(await connection.take(1).catch(() => [])).toEqual([]);
    const reason = expect.stringMatching(/certificate/i);
    const refused = { msg: "a TLS handshake failed", address: "127.0.0.1", reason };
    await eventually(() => expect(mutual.logged.slice(before)).toContainEqual(expect.objectContaining(refused)));
  });
});

describe("a session", () => {
  test.each<[what: string, options: () => ConnectionOptions]>([
    ["with a certificate", () => own(client)],
    ["without one", () => ({})],
  ])("%s is not taken up again where clients need one", async (_what, options) => {
    const connection = await open(mutual, options());
    const socket = connection.socket as TLSSocket;
    const session = new Promise<Buffer>((resolve) => socket.once("session", resolve));
    socket.resume();
    const ticket = await Promise.race([session, connection.closed.then(() => undefined)]);
    socket.destroy();
    const again = await open(mutual, ticket && { session: ticket });
    expect((again.socket as TLSSocket).isSessionReused()).toBe(false);
    again.send(soa);
    expect(await again.take(1).catch(() => [])).toEqual([]);
  });
});

describe("where transfers need TLS", () => {
  test("one over TCP is refused, whoever signed it, and logged; one over TLS is not, nor is an SOA over TCP", async () => {
    expect(await rcodeOf(await TcpClient.open(strict.port), axfr())).toBe(Rcode.REFUSED);
    const refused = { msg: "a transfer was refused", zone, reason: expect.stringContaining("DNS_TRANSFER") };
    expect(strict.logged).toContainEqual(expect.objectContaining(refused));
    expect(await transferred(await open(strict))).toBe(records);
    expect(await rcodeOf(await TcpClient.open(strict.port), soa)).toBe(Rcode.NOERROR);
  });
});

describe("a TLS connection has a place as one over TCP has", () => {
  test("it is closed when its client does not shake hands, or falls silent", async () => {
    const raw = connect(impatient.tlsPort, "127.0.0.1").on("error", () => {});
    const silentOne = await open(impatient);
    await Promise.all([closing(raw), silentOne.closed]);
  });

  test("connections without a handshake do not keep others out", async () => {
    const idle = Array.from({ length: 40 }, () => connect(impatient.tlsPort, "127.0.0.1").on("error", () => {}));
    await eventually(async () => expect(await rcodeOf(await open(impatient), soa)).toBe(Rcode.NOERROR));
    await eventually(async () => expect(await rcodeOf(await TcpClient.open(impatient.port), soa)).toBe(Rcode.NOERROR));
    for (const socket of idle) socket.destroy();
  });

  test("those who ask and never read lose theirs, and others are answered", async () => {
    const question = queryOf(`large.${zone}.`, "TXT");
    const greedy: TcpClient[] = [];
    for (let at = 0; at < 12; at += 1) {
      const each = await eventually(() => open(crowded, { localAddress: `127.0.1.${(at % 3) + 1}` }));
      for (let times = 0; times < 80; times += 1) each.send(question);
      greedy.push(each);
    }
    await eventually(async () => expect(await rcodeOf(await TcpClient.open(crowded.port), soa)).toBe(Rcode.NOERROR));
    await eventually(async () => expect(await transferred(await open(crowded))).toBe(records));
    await eventually(() => expect(crowded.logged.map(({ msg }) => msg)).toContain(gaveWay));
    for (const { socket } of greedy) socket.destroy();
  });

  test("it ends with the service, whatever its client does", async () => {
    const ending = await frontWith(authority.issue("ending", `DNS:${serverName}`));
    const raw = connect(ending.tlsPort, "127.0.0.1").on("error", () => {});
    await once(raw, "connect");
    const quiet = await open(ending);
    const closed = Promise.all([closing(raw), quiet.closed]);
    await ending.stop();
    await closed;
  });
});
