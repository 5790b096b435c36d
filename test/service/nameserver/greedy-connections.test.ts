import { afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { eventually } from "../../setup/basics/eventually.ts";
import { queryOf, TcpClient } from "../../setup/dns/dns-client.ts";
import { type Greed, GreedyClients } from "../../setup/dns/greedy-clients.ts";
import { signed, testFront } from "../../setup/service/nameserver.ts";
import { testService } from "../../setup/service/service.ts";

const service = testService();
/** With times this long nobody is cut off for being idle or slow as long as places are not scarce. */
const front = testFront(service, { connections: 16, transfers: 2, idle: 600, slowReader: 600 });
const soa = queryOf("example.com.", "SOA");
const large = queryOf("large.example.com.", "TXT");

beforeAll(async () => {
  const user = await service.user("owner@example.com");
  await service.domain("example.com", user);
  const text = [...Array(90).keys()].map((at) => `large TXT "${at}" ${`"${"x".repeat(200)}" `.repeat(3)}\n`).join("");
  const options = { headers: { "Content-Type": "text/dns" }, body: text };
  await service.rest("POST", "/domain/zonefile/example.com?mode=merge", options);
});

let greedy: GreedyClients | undefined;
afterEach(() => greedy?.stop());
const attack = (greed: Partial<Greed> & Pick<Greed, "addresses">) => {
  greedy = new GreedyClients({ port: front.port, question: large, ...greed });
  return greedy;
};

/** Asks on a connection of its own and reads the first message of the answer; false when there is none. */
async function isAnswered(question: Uint8Array, localAddress = "127.0.0.1"): Promise<boolean> {
  const client = await TcpClient.open(front.port, localAddress);
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
    const client = await TcpClient.open(front.port);
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
  const before = front.logged.length;
  const clients = attack({ addresses: network(24) });
  await eventually(() => clients.cut > 60);
  expect(front.logged.slice(before).length).toBeLessThan(10);
});
