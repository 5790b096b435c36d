/**
 * Quotas by two processes on one database: sixteen parallel writers come to each limit and not beyond it.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { dropDatabase, freshDatabase, query } from "../setup/database/database.ts";
import { RunningService } from "../setup/process/service-process.ts";
import { type Json, mutation } from "../setup/service/service.ts";
import { drift } from "../setup/zones/quota.ts";

let url: string;
let services: RunningService[] = [];
let userId = "";
beforeAll(async () => {
  url = await freshDatabase();
  services = [];
  for (const _process of [1, 2]) services.push(await RunningService.start({ DATABASE_URL: url, QUOTA_DOMAINS: "6" }));
  const { createUser } = await graphql(0, mutation("createUser", "user { id }"), { email: "limited@example.com" });
  userId = createUser.user.id;
});
afterAll(async () => {
  for (const { process } of services) {
    process.child.kill("SIGTERM");
    await process.ended();
  }
  await dropDatabase(url);
});

const serviceOf = (at: number) => services[at % 2] as RunningService;

async function graphql(at: number, document: string, input: Json): Promise<Json> {
  const { data, errors } = await serviceOf(at).graphql(document, input);
  if (errors) throw new Error(errors[0].message);
  return data;
}

const set = (limits: object) =>
  graphql(0, mutation("setUserQuota", "user { usage { domains records changesToday } }"), { id: userId, ...limits });
const usage = async () => (await set({ changesPerDay: null })).setUserQuota.user.usage;

/** What sixteen writers at once were answered: how many were refused, and with what the first of these was. */
async function sixteen(write: (at: number) => Promise<Json>): Promise<[stored: number, refused: Json[]]> {
  const answers: Json[] = await Promise.all(Array.from({ length: 16 }, (_, at) => write(at)));
  const refused = answers.filter(({ errors }) => errors).map(({ errors }) => errors[0].extensions);
  return [answers.length - refused.length, refused];
}

const refusals = (count: number, quota: string, limit: number) =>
  Array.from({ length: count }, () => ({
    code: "QUOTA_EXCEEDED",
    details: expect.objectContaining({ quotas: [expect.objectContaining({ quota, limit, usage: limit })] }),
  }));

test("a default limits a user's domains", async () => {
  const create = mutation("createDomain", "domain { recordCount }");
  const [stored, refused] = await sixteen((at) => serviceOf(at).graphql(create, { zone: `z${at}.example`, userId }));
  expect(stored).toBe(6);
  expect(refused).toEqual(refusals(10, "domains", 6));
  expect(await usage()).toMatchObject({ domains: 6, changesToday: 6 });
});

test("of the records of a domain, of those in all, and of changes exactly as many as are allowed are stored", async () => {
  const statement = "select zone from domain where user_id is not null order by zone";
  const zones = (await query<{ zone: string }>(url, statement)).map(({ zone }) => zone);
  const create = mutation("createRecord", "record { id }");
  const add = (name: string, zoneOf: (at: number) => string | undefined) => (at: number) =>
    serviceOf(at).graphql(create, { zone: zoneOf(at), owner: `${name}${at}`, type: "A", rdata: "192.0.2.1" });
  const { records } = await usage();
  const perDomain = records / 6;
  await set({ recordsPerDomain: perDomain + 7 });
  expect(await sixteen(add("one", () => zones[0]))).toEqual([7, refusals(9, "recordsPerDomain", perDomain + 7)]);
  await set({ recordsPerDomain: -1, records: records + 7 + 9 });
  expect(await sixteen(add("all", (at) => zones[at % 6]))).toEqual([9, refusals(7, "records", records + 16)]);
  const { changesToday } = await usage();
  await set({ records: -1, changesPerDay: changesToday + 5 });
  expect(await sixteen(add("changes", (at) => zones[at % 6]))).toEqual([
    5,
    refusals(11, "changesPerDay", changesToday + 5),
  ]);
  expect(await drift({ sql: (statement: string) => query(url, statement) } as never)).toEqual([]);
});
