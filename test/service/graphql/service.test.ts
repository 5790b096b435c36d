/**
 * What a client needs to know of the service, of its own limits, and of the secondaries and keys that are behind or for nothing.
 */
import { beforeAll, expect, test } from "@jest/globals";
import { type Json, testService } from "../../setup/service/service.ts";
import { Sightings } from "../../setup/service/sightings.ts";

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
});

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

const configuration = `mutation ($input: CreateTsigKeyInput!, $client: UpdateClient!, $server: String!, $zone: String) {
  createTsigKey(input: $input) { secret config(client: $client, server: $server, zone: $zone) } }`;

test("a new TSIG key comes with the configuration of each client, with what its scope is to be", async () => {
  const { updateClients } = await service.data("{ updateClients { client owners types transfer } }");
  expect(updateClients).toContainEqual({
    client: "LEGO",
    owners: ["_acme-challenge*"],
    types: ["TXT"],
    transfer: false,
  });
  expect(updateClients).toContainEqual({ client: "OCTODNS", owners: null, types: null, transfer: true });
  expect(updateClients).toContainEqual({ client: "NSUPDATE", owners: null, types: null, transfer: false });
  for (const { client, ...scope } of updateClients) {
    const name = `${client.toLowerCase().replaceAll("_", "-")}.keys.example.com`;
    const input = { name, zones: [zones[0]], ...scope };
    const { createTsigKey } = await service.data(configuration, { input, client, server: "[2001:db8::1]:5353" });
    for (const part of [name, createTsigKey.secret, "2001:db8::1", "5353"])
      expect(createTsigKey.config).toContain(part);
    expect(createTsigKey.config).not.toMatch(/(?<![[:])2001:db8::1:5353/);
  }
});

test.each([
  ["a server without a port", { server: "192.0.2.1" }, ["INVALID_VALUE", "server"]],
  ["a server that would be a command", { server: "$(reboot):53" }, ["INVALID_VALUE", "server"]],
  ["no zone", { server: "192.0.2.1:53" }, ["MISSING_FIELD", "zone"]],
])("its configuration is refused beside the key that was created: %s", async (what, variables, [code, field]) => {
  const input = {
    name: `refused-${what.replaceAll(" ", "-")}.example.com`,
    ...(code === "INVALID_VALUE" && { zones }),
  };
  const { body } = await service.graphql(configuration, { input, client: "LEGO", ...variables });
  expect(body.data.createTsigKey).toEqual({ secret: expect.any(String), config: null });
  expect(body.errors[0].extensions).toMatchObject({ code, field });
});
