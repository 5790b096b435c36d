/** Labels of domains and notes of RRsets over GraphQL. Their rules are in test/service/zone. */
import { beforeAll, expect, test } from "@jest/globals";
import { mutation, testService } from "../../../setup/service/service.ts";

const service = testService();
const zone = "noted.example.com";
let userId: string;
beforeAll(async () => {
  userId = await service.user("labels@example.com");
  await service.domain(zone, userId);
});

test("a domain is created with labels, found by them, and given others", async () => {
  const [team, env] = [
    { name: "team", value: "" },
    { name: "env", value: "prod" },
  ];
  const labels = "domain { serial labels { name value } }";
  const made = await service.mutate("createDomain", { zone: "a.example.com", userId, labels: [team, env] }, labels);
  expect(made.domain.labels).toEqual([env, team]);
  const find = `query ($labels: [String!]) { domains(filter: { labels: $labels }) { nodes { zone } totalCount }
    records(filter: { labels: $labels, types: ["CNAME"] }) { nodes { owner zone } totalCount } }`;
  expect(await service.data(find, { labels: ["env=prod", "team"] })).toEqual({
    domains: { nodes: [{ zone: "a.example.com" }], totalCount: 1 },
    records: { nodes: [{ owner: "www", zone: "a.example.com" }], totalCount: 1 },
  });
  const changed = await service.mutate("updateDomain", { by: { zone: "a.example.com" }, labels: [] }, labels);
  expect(changed.domain).toEqual({ serial: made.domain.serial, labels: [] });
  expect((await service.data(find, { labels: ["team"] })).domains.totalCount).toBe(0);
  expect(await service.refusal(find, { labels: Array(33).fill("a") })).toBe("INVALID_VALUE");
});

test("a domain whose labels are refused is not created", async () => {
  const input = { zone: "b.example.com", userId, labels: [{ name: "a b", value: "" }] };
  expect(await service.refusal(mutation("createDomain", "domain { id }"), { input })).toBe("INVALID_VALUE");
  expect(await service.refusal('{ domain(by: { zone: "b.example.com" }) { id } }')).toBe("NOT_FOUND");
});

test("notes are written, listed in pages, shown by records, and removed, without a change of the zone", async () => {
  const before = await service.snapshot(zone);
  const written = "note { owner type text actor } notices { code owner type field message }";
  const write = (owner: string, type: string, text: string) =>
    service.mutate("setNote", { zone, owner, type, text }, written);
  const page = async (args: string) => {
    const notes = `notes(${args}) { nodes { owner type text } pageInfo { endCursor } totalCount }`;
    return (await service.data(`{ domain(by: { zone: "${zone}" }) { ${notes} } }`)).domain.notes;
  };
  const [ns, absent, cname] = [
    { owner: "@", type: "NS", text: "one\ntwo" },
    { owner: "absent", type: "TXT", text: "four" },
    { owner: "www", type: "CNAME", text: "three" },
  ];
  const note = { ...ns, actor: expect.stringMatching(/^administrator /) };
  expect(await write("@", "ns", "one\ntwo")).toEqual({ note, notices: [] });
  await write("www", "CNAME", "three");
  expect(await write("absent", "TXT", "four")).toMatchObject({
    notices: [
      {
        ...{ code: "UNKNOWN_RRSET", owner: "absent", type: "TXT", field: "owner" },
        message: expect.stringMatching(/no TXT record of absent now/),
      },
    ],
  });
  const first = await page("first: 2");
  expect(first).toMatchObject({ nodes: [ns, absent], totalCount: 3 });
  expect((await page(`after: "${first.pageInfo.endCursor}"`)).nodes).toEqual([cname]);
  const found = async () =>
    (await service.data('{ records(filter: { noteContains: "T" }) { nodes { owner type text: note } } }')).records
      .nodes;
  expect(await found()).toEqual([ns, ns, cname]);
  expect(await write("www", "CNAME", "")).toEqual({ note: null, notices: [] });
  expect(await found()).toEqual([ns, ns]);
  expect(await service.snapshot(zone)).toEqual(before);
});
