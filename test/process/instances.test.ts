/** Two instances on one database: what is counted, remembered or revoked at one holds at the other. */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { signMessage } from "../../src/dns/message/tsig.ts";
import { parseName } from "../../src/dns/name.ts";
import { secondsNow } from "../setup/basics/clock.ts";
import { eventually } from "../setup/basics/eventually.ts";
import { type ClientKey, UpdateClient, updateMessage } from "../setup/dns/update-client.ts";
import type { RunningService } from "../setup/process/running-service.ts";
import { servicesOfDatabase } from "../setup/process/service-process.ts";

const limit = 35;
const zone = "shared.example.com";
const instances = servicesOfDatabase();
let first: RunningService;
let second: RunningService;
let userId: string;

beforeAll(async () => {
  const settings = { RATE_LIMIT_KEY: String(limit), RATE_LIMIT_WRONG_KEY: String(limit) };
  first = await instances.start(settings);
  second = await instances.start(settings);
  userId = await first.domains(zone);
});

const statusOf = async (service: RunningService, key: string) =>
  (await service.rest("GET", "/domain/list", { key })).status;

test("a key that is revoked at one instance ends at the other", async () => {
  const { apiKey, key } = await first.mutate("createApiKey", { name: "revoked", userId }, "apiKey { id } key");
  expect(await statusOf(second, key)).toBe(200);
  await first.mutate("revokeApiKey", { apiKeyId: apiKey.id }, "apiKey { id }");
  await eventually(async () => expect(await statusOf(second, key)).toBe(401));
});

test.each([
  ["requests with a key", "requests with this key counted", 200],
  ["wrong keys", "wrong keys", 401],
])("a limit of %s holds in sum", async (what, name, status) => {
  const key = status === 200 ? await first.key({ name: "counted", userId }) : what;
  const sum = async () =>
    (
      await instances.sql<{ count: number }>(
        `select sum(count)::int as count from request_count where name like '${name}%'`,
      )
    )[0]?.count ?? 0;
  for (let at = 0; at < 30; at += 1) expect(await statusOf(first, key)).toBe(status);
  await eventually(async () => expect(await sum()).toBeGreaterThanOrEqual(30));
  // The other instance learns the sum with what it counts itself, and refuses long before it has counted so many.
  let answered = 0;
  for (; (await statusOf(second, key)) === status; answered += 1)
    await eventually(async () => expect(await sum()).toBeGreaterThanOrEqual(31 + answered));
  expect(answered).toBeLessThanOrEqual(limit - 30);
  await eventually(async () => expect(await statusOf(first, key)).toBe(429));
});

describe("a copy of a signed update", () => {
  let key: ClientKey;
  let clients: [UpdateClient, UpdateClient];
  beforeAll(async () => {
    key = await first.tsigKey({ name: "copied.example.com", userId });
    clients = [new UpdateClient(() => first.dnsPort), new UpdateClient(() => second.dnsPort)];
    await eventually(async () => expect((await clients[1].update(zone, ["del b"], { key })).rcode).toBe("NOERROR"));
  });

  // The last column is done before the copy comes, which would then do something else.
  test.each([
    ["that changed the zone", ["nxdomain a", "add a 300 A 192.0.2.1"], 0, "del a"],
    ["that changed nothing", ["del a"], 0, "add a 300 A 192.0.2.1"],
    ["that was refused", ["nxdomain a", "add b 300 A 192.0.2.1"], 6, "del a"],
  ])("%s is answered by the other instance as the first was", async (_, lines, rcode, meanwhile) => {
    const message = updateMessage(zone, lines);
    const { octets } = signMessage(message, key, { keyName: parseName(`${key.name}.`), time: secondsNow() });
    const rcodeOf = (answer: Uint8Array) => (answer[3] as number) % 16;
    expect(rcodeOf(await clients[0].exchange(octets))).toBe(rcode);
    expect(await clients[0].update(zone, [meanwhile], { key })).toMatchObject({ rcode: "NOERROR" });
    const [stood] = await instances.sql("select serial from domain");
    expect(rcodeOf(await clients[1].exchange(octets))).toBe(rcode);
    expect(await instances.sql("select serial from domain")).toEqual([stood]);
  });
});
