/**
 * What a client needs to know of the service, of its own limits, and of the secondaries and keys that are behind or for nothing.
 */
import { beforeAll, expect, test } from "@jest/globals";
import { type Json, testService } from "../setup/service.ts";
import { Sightings } from "../setup/sightings.ts";

const service = testService();
const sightings = new Sightings(service);
const zones = ["a.example.com", "b.example.com", "c.example.com"];
const ids: string[] = [];
let userId = "";

beforeAll(async () => {
  userId = await service.user("owner@example.com");
  for (const zone of zones) ids.push(await service.domain(zone, userId));
  await sightings.catalog();
});

test("the largest change of long records fits a request, whose limit the viewer has", async () => {
  const { viewer } = await service.data("{ viewer { limits { requestBytes recordsPerChange } } }");
  const text = `"${"x".repeat(200)}"`;
  const rows = <Row>(row: (at: number) => Row) =>
    Array.from({ length: viewer.limits.recordsPerChange }, (_, at) => row(at));
  const change = `mutation ($input: ChangeRecordsInput!) { changeRecords(input: $input) { records { id owner } } }`;
  const first = {
    zone: zones[2],
    add: rows((at) => ({ owner: `host-number-${at}`, type: "TXT", ttl: 3600, rdata: text })),
  };
  const { records } = (await service.data(change, { input: first })).changeRecords;
  const second = { zone: zones[2], add: rows((at) => ({ owner: `gone-${at}`, type: "TXT", rdata: text })) };
  const gone = (await service.data(change, { input: second })).changeRecords.records;
  const input = {
    zone: zones[2],
    remove: gone.map(({ id }: Json) => id),
    update: records.map(({ id }: Json) => ({ id, ttl: 300, rdata: `"${"y".repeat(200)}"` })),
    add: rows((at) => ({ owner: `another-${at}`, type: "TXT", ttl: 3600, rdata: text })),
  };
  const length = JSON.stringify({ query: change, variables: { input } }).length;
  expect(length).toBeGreaterThan(500_000);
  expect(length).toBeLessThan(viewer.limits.requestBytes);
  expect((await service.data(change, { input })).changeRecords.records).toHaveLength(2000);
}, 60_000);

test("the service says which algorithms a new TSIG key may have", async () => {
  const { service: shown } = await service.data("{ service { tsigAlgorithms } }");
  expect(shown.tsigAlgorithms).toEqual(["HMAC_SHA256", "HMAC_SHA384", "HMAC_SHA512"]);
});

test("a secondary shows the zones that it does not serve as they are", async () => {
  const secondary = await sightings.secondary("one");
  await sightings.see(secondary, ids[0] as string);
  await sightings.see(secondary, ids[1] as string, { serial: 1 });
  const behind = async (page = "") =>
    (
      await service.data(
        `{ secondaries { nodes { name behind${page} { nodes { zone } totalCount pageInfo { hasNextPage } } } } }`,
      )
    ).secondaries.nodes[0].behind;
  expect(await behind()).toEqual({
    nodes: [{ zone: zones[1] }, { zone: zones[2] }],
    totalCount: 2,
    pageInfo: { hasNextPage: false },
  });
  expect(await behind("(first: 1)")).toMatchObject({ nodes: [{ zone: zones[1] }], pageInfo: { hasNextPage: true } });
  await sightings.see(secondary, ids[1] as string);
  await sightings.see(secondary, ids[2] as string, { unproven: true });
  expect((await behind()).nodes).toEqual([{ zone: zones[2] }]);
});

test.each([
  ["createApiKey", "CreateApiKeyInput", (at: number) => ({ name: `limited${at}`, userId })],
  ["createTsigKey", "CreateTsigKeyInput", (at: number) => ({ name: `key${at}.example.com`, userId })],
])("%s warns of a zone that does not exist", async (mutation, input, fields) => {
  const document = `mutation ($input: ${input}!) { ${mutation}(input: $input) { warnings notices { code field message } } }`;
  let made = 0;
  const run = async (more: Json) => {
    made += 1;
    return (await service.data(document, { input: { ...fields(made), ...more } }))[mutation];
  };
  const { warnings, notices } = await run({ zones: ["absent.example", zones[0]] });
  expect(notices).toEqual([{ code: "UNKNOWN_ZONE", field: "zones", message: warnings[0] }]);
  expect(warnings).toEqual([expect.stringContaining("no zone absent.example")]);
  expect(await run({ zones: [zones[1]] })).toEqual({ warnings: [], notices: [] });
  expect(await run({})).toEqual({ warnings: [], notices: [] });
});
