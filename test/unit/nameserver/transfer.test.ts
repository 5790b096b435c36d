import { expect, test } from "@jest/globals";
import { readMessage } from "../../../src/dns/message/message-reader.ts";
import type { Client, NameserverHooks } from "../../../src/nameserver/hooks.ts";
import { RequestContext } from "../../../src/nameserver/request-context.ts";
import { answerTransfer, type TransferDeps } from "../../../src/nameserver/transfer.ts";
import { ZoneMessages } from "../../../src/nameserver/zone/zone-messages.ts";
import { queryOf } from "../../setup/dns/dns-client.ts";

const zoneId = 1;
const client: Client = { protocol: "tcp", address: "192.0.2.1", port: 1 };
const hooks: NameserverHooks = {
  tsigKey: () => undefined,
  transferAccess: () => ({ mayTransfer: true, isSecondary: true, fitsDifferencesTo: null }),
  isWithheld: () => false,
  recordTransfer: () => {},
};

/** Keeps a version of the zone in two messages. */
function keep(zoneMessages: ZoneMessages, version: string): void {
  const collector = zoneMessages.collect({ zoneId, version });
  for (const isLast of [false, true]) collector?.add({ octets: new Uint8Array(800), records: 1, isLast });
  collector?.end();
}

/** The messages of a transfer of the version "first", with the other records in JSON; null where they are many. */
async function transfer(
  zoneMessages: ZoneMessages,
  records: string | null = null,
  noteRead = () => {},
): Promise<AsyncIterator<Uint8Array>> {
  const cells = [`${zoneId}`, "example.com", "1", "f", "@", "SOA", "60", `\\x${"00".repeat(22)}`, "first", records];
  const query = async () => {
    noteRead();
    return [cells];
  };
  const deps = { hooks, zoneMessages, log: { info: () => {} }, reads: { query } };
  const asked = queryOf("example.com.", "AXFR");
  const message = readMessage(asked);
  const request = await RequestContext.open(asked, message, client, hooks, () => 0, false);
  const [question] = message.questions;
  const reply = await answerTransfer(deps as unknown as TransferDeps, request, question as typeof question & {});
  return (reply as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
}

test.each<[string, (messages: AsyncIterator<Uint8Array>) => Promise<unknown>]>([
  ["is read to its end", async (messages) => [await messages.next(), await messages.next(), await messages.next()]],
  ["is left by its reader", async (messages) => messages.return?.()],
])("a transfer from memory keeps messages that are kept no more until it %s", async (_what, finish) => {
  const zoneMessages = new ZoneMessages();
  keep(zoneMessages, "first");
  const messages = await transfer(zoneMessages);
  expect((await messages.next()).value).toHaveLength(12 + 17 + 800);
  keep(zoneMessages, "second");
  expect(zoneMessages.octets).toBe(5600);
  await finish(messages);
  expect(zoneMessages.octets).toBe(2800);
});

test("a small zone is read by one statement, without a turn or a connection of its own", async () => {
  let reads = 0;
  const messages = await transfer(new ZoneMessages(), '[["www","A",60,"c0000201"]]', () => {
    reads += 1;
  });
  const { value } = await messages.next();
  expect(readMessage(value).answers.map(({ rdata }) => rdata.length)).toEqual([22, 4, 22]);
  expect((await messages.next()).done).toBe(true);
  expect(reads).toBe(1);
});
