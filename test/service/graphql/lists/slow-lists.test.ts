/** Lists that take PostgreSQL too long, here by a lock, are refused with what to narrow, and nothing else is. */
import { afterEach, beforeAll, expect, test } from "@jest/globals";
import { RowLock } from "../../../setup/service/row-lock.ts";
import { testService } from "../../../setup/service/service.ts";

const service = testService({ LIST_TIMEOUT_MS: "300" });
const zone = "slow.example.com";
let lock: RowLock | undefined;

beforeAll(async () => {
  await service.domain(zone, await service.user("owner@example.com"));
});
afterEach(async () => {
  await lock?.release();
  lock = undefined;
});

const lockRecords = async () => {
  lock = await RowLock.take(service.databaseUrl);
  await lock.run("lock table zone_record in access exclusive mode");
};

const narrow = expect.stringMatching(
  /^The database took longer than 0\.3 s to find these rows; narrow what you ask for/,
);

test.each([
  ["a search across zones", '{ records(filter: { rdataContains: "example" }) { nodes { id } } }'],
  ["a page of a zone", `{ records(filter: { zone: "${zone}" }) { nodes { id } } }`],
  ["lists within rows", "{ domains { nodes { records { nodes { id } } } } }"],
  ["a count", "{ records(first: 1, orderBy: CREATED) { totalCount } }"],
])("%s is refused with what to narrow", async (_, query) => {
  await lockRecords();
  const { errors } = (await service.graphql(query)).body;
  expect(errors).toMatchObject([{ message: narrow, extensions: { code: "QUERY_TOO_COMPLEX" } }]);
});

test("a list over REST is refused likewise", async () => {
  await lockRecords();
  const { status, body } = await service.rest("GET", "/record/list?type=A");
  expect([status, body]).toMatchObject([400, { error: "QUERY_TOO_COMPLEX", message: narrow }]);
});

test("a change on the same connections has the time that it needs", async () => {
  const list = async () => (await service.graphql("{ records { nodes { id } } }")).body.errors;
  await lockRecords();
  const refused = await Promise.all(Array.from({ length: 12 }, list));
  expect(refused.every((errors) => errors?.length === 1)).toBe(true);
  const change = service.record(zone, "late", "A", "192.0.2.1");
  await lock?.waiters(1);
  // The change has waited for as long as a list may.
  expect(await list()).toHaveLength(1);
  await lock?.release();
  lock = undefined;
  expect(await change).toMatch(/^\d+$/);
});
