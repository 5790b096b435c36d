/**
 * Quotas through all interfaces of the service, and by two processes on one database: sixteen parallel writers come to each limit and not
 * beyond it.
 */
import { beforeAll, expect, test } from "@jest/globals";
import type { RunningService } from "../setup/process/running-service.ts";
import { servicesOfDatabase } from "../setup/process/service-process.ts";
import { type Answer, type Json, mutation } from "../setup/service/service.ts";
import { drift } from "../setup/zones/quota.ts";

const processes = servicesOfDatabase();
let services: RunningService[];
let userId = "";
beforeAll(async () => {
  services = [await processes.start({ QUOTA_DOMAINS: "6" }), await processes.start({ QUOTA_DOMAINS: "6" })];
  userId = await serviceOf(0).domains();
});

const serviceOf = (at: number) => services[at % 2] as RunningService;
/** The zones of the user, the first ones first. */
const zonesOfUser = async () =>
  (await processes.sql<{ zone: string }>("select zone from domain where user_id is not null order by zone")).map(
    ({ zone }) => zone,
  );

const set = (limits: object) =>
  serviceOf(0).mutate(
    "setUserQuota",
    { by: { id: userId }, ...limits },
    "user { quota { domains { usage } records { usage } changesPerDay { usage } } }",
  );
/** What is used of each quota. */
async function usage(): Promise<{ domains: number; records: number; changesPerDay: number }> {
  const { quota } = (await set({ changesPerDay: { isDefault: true } })).user;
  return { domains: quota.domains.usage, records: quota.records.usage, changesPerDay: quota.changesPerDay.usage };
}

/** What sixteen writers at once were answered: how many were refused, and with what the first of these was. */
async function sixteen(write: (at: number) => Promise<Answer>): Promise<[stored: number, refused: Json[]]> {
  const answers = await Promise.all(Array.from({ length: 16 }, (_, at) => write(at)));
  const refused = answers.flatMap(({ body }) => body.errors?.[0].extensions ?? []);
  return [answers.length - refused.length, refused];
}

const refusals = (count: number, quota: string, limit: number) =>
  Array.from({ length: count }, () => ({
    code: "QUOTA_EXCEEDED",
    details: expect.objectContaining({ quotas: [expect.objectContaining({ quota, limit, usage: limit })] }),
  }));

test("a default limits a user's domains", async () => {
  const create = mutation("createDomain", "domain { recordCount }");
  const [stored, refused] = await sixteen((at) =>
    serviceOf(at).graphql(create, { input: { zone: `z${at}.example`, userId } }),
  );
  expect(stored).toBe(6);
  expect(refused).toEqual(refusals(10, "domains", 6));
  expect(await usage()).toMatchObject({ domains: 6, changesPerDay: 6 });
});

test("of the records of a domain, of those in all, and of changes exactly as many as are allowed are stored", async () => {
  const zones = await zonesOfUser();
  const create = mutation("createRecord", "record { id }");
  const add = (name: string, zoneOf: (at: number) => string | undefined) => (at: number) =>
    serviceOf(at).graphql(create, {
      input: { zone: zoneOf(at), owner: `${name}${at}`, type: "A", rdata: "192.0.2.1" },
    });
  const { records } = await usage();
  const perDomain = records / 6;
  await set({ recordsPerDomain: { limit: perDomain + 7 } });
  expect(await sixteen(add("one", () => zones[0]))).toEqual([7, refusals(9, "recordsPerDomain", perDomain + 7)]);
  await set({ recordsPerDomain: { limit: null }, records: { limit: records + 7 + 9 } });
  expect(await sixteen(add("all", (at) => zones[at % 6]))).toEqual([9, refusals(7, "records", records + 16)]);
  const { changesPerDay } = await usage();
  await set({ records: { limit: null }, changesPerDay: { limit: changesPerDay + 5 } });
  expect(await sixteen(add("changes", (at) => zones[at % 6]))).toEqual([
    5,
    refusals(11, "changesPerDay", changesPerDay + 5),
  ]);
  expect(await drift({ sql: (statement: string) => processes.sql(statement) } as never)).toEqual([]);
});
