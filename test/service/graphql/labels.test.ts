/**
 * Labels of domains over GraphQL.
 */
import { beforeAll, expect, test } from "@jest/globals";
import { mutation, testService } from "../../setup/service/service.ts";

const service = testService();
let userId: string;
beforeAll(async () => {
  userId = await service.user("labels@example.com");
});

test("a domain is created with labels, found by them, and given others", async () => {
  const create = mutation("createDomain", "domain { zone serial labels { name value } }");
  const input = {
    zone: "a.example.com",
    userId,
    labels: [
      { name: "team", value: "" },
      { name: "env", value: "prod" },
    ],
  };
  const { domain } = (await service.data(create, { input })).createDomain;
  expect(domain.labels).toEqual([
    { name: "env", value: "prod" },
    { name: "team", value: "" },
  ]);
  const find = `query ($labels: [String!]) { domains(filter: { labels: $labels }) { nodes { zone } totalCount }
    records(filter: { labels: $labels, types: ["CNAME"] }) { nodes { owner zone } totalCount } }`;
  expect(await service.data(find, { labels: ["env=prod", "team"] })).toEqual({
    domains: { nodes: [{ zone: "a.example.com" }], totalCount: 1 },
    records: { nodes: [{ owner: "www", zone: "a.example.com" }], totalCount: 1 },
  });
  const update = mutation("updateDomain", "domain { serial labels { name } }");
  const changed = await service.data(update, { input: { zone: "a.example.com", labels: [] } });
  expect(changed.updateDomain.domain).toEqual({ serial: domain.serial, labels: [] });
  expect((await service.data(find, { labels: ["team"] })).domains.totalCount).toBe(0);
  expect(await service.refusal(find, { labels: Array(33).fill("a") })).toBe("INVALID_VALUE");
});

test("a domain whose labels are refused is not created", async () => {
  const create = mutation("createDomain", "domain { id }");
  const input = { zone: "b.example.com", userId, labels: [{ name: "a b", value: "" }] };
  expect(await service.refusal(create, { input })).toBe("INVALID_VALUE");
  expect(await service.refusal('{ domain(by: { zone: "b.example.com" }) { id } }')).toBe("NOT_FOUND");
});
