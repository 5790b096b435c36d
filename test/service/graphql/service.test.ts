/** What a client needs to know of the service, of its limits, and of secondaries and keys. */
import { beforeAll, expect, test } from "@jest/globals";
import { type Json, mutation, testService } from "../../setup/service/service.ts";
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
  const added = (name: string) => rows((at) => ({ owner: `${name}-${at}`, type: "TXT", ttl: 3600, rdata: text }));
  const change = async (edits: Json) =>
    (await service.mutate("changeRecords", { zone: zones[2], ...edits }, "records { id owner }")).records;
  const records = await change({ add: added("host-number") });
  const gone = await change({ add: added("gone") });
  const edits = {
    remove: gone.map(({ id }: Json) => id),
    update: records.map(({ id }: Json) => ({ recordId: id, ttl: 300, rdata: `"${"y".repeat(200)}"` })),
    add: added("another"),
  };
  const { length } = JSON.stringify({ query: mutation("changeRecords", "records { id owner }"), variables: edits });
  expect(length).toBeGreaterThan(500_000);
  expect(length).toBeLessThan(viewer.limits.requestBytes - 100);
  expect(await change(edits)).toHaveLength(2000);
});

test("a secondary shows the zones that it does not serve as they are", async () => {
  const secondary = await sightings.secondary("one");
  await sightings.see(secondary, ids[0] as string);
  await sightings.see(secondary, ids[1] as string, { serial: 1 });
  const behind = async (page = "") => {
    const fields = `behind${page} { nodes { zone } totalCount pageInfo { hasNextPage } }`;
    const { nodes, totalCount, pageInfo } = (await service.data(`{ secondaries { nodes { ${fields} } } }`)).secondaries
      .nodes[0].behind;
    return [totalCount, pageInfo.hasNextPage, ...nodes.map(({ zone }: Json) => zone)];
  };
  expect(await behind()).toEqual([2, false, zones[1], zones[2]]);
  expect(await behind("(first: 1)")).toEqual([2, true, zones[1]]);
  await sightings.see(secondary, ids[1] as string);
  await sightings.see(secondary, ids[2] as string, { unproven: true });
  expect(await behind()).toEqual([1, false, zones[2]]);
});

test.each(["createApiKey", "createTsigKey"])("%s warns of a zone that does not exist", async (name) => {
  const run = (key: string, more: Json) =>
    service.mutate(name, { name: `${key}.example.com`, userId, ...more }, "notices { code field message }");
  const { notices } = await run("absent", { zones: ["absent.example", zones[0]] });
  expect(notices).toEqual([
    { code: "UNKNOWN_ZONE", field: "zones", message: expect.stringContaining("no zone absent.example") },
  ]);
  expect(await run("there", { zones: [zones[1]] })).toEqual({ notices: [] });
  expect(await run("unlimited", {})).toEqual({ notices: [] });
});

const configuration = `mutation ($input: CreateTsigKeyInput!, $client: UpdateClient!, $server: String!, $zone: String) {
  createTsigKey(input: $input) { secret config(client: $client, server: $server, zone: $zone) } }`;

test("the service says what a new TSIG key may be of; it comes with the configuration of each client, with its scope", async () => {
  const document = "{ service { tsigAlgorithms } updateClients { client owners types transfer } }";
  const { service: shown, updateClients } = await service.data(document);
  expect(shown.tsigAlgorithms).toEqual(["HMAC_SHA256", "HMAC_SHA384", "HMAC_SHA512"]);
  const scope = { owners: ["_acme-challenge*"], types: ["TXT"], transfer: false };
  expect(updateClients).toContainEqual({ client: "LEGO", ...scope });
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
