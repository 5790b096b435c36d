/** Mutations over HTTP by both ways are the same to the byte: on the road, and by Apollo, to which a Content-Encoding leads and whose calls are counted. */
import { ApolloServer } from "@apollo/server";
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { eventually } from "../../../setup/basics/eventually.ts";
import { a, create, done, notRun, refused, type Sent, type Target } from "../../../setup/service/mutations.ts";
import { adminKey, type Json, testService } from "../../../setup/service/service.ts";

const origin = "https://app.example.com";
const service = testService({ LOG_LEVEL: "info", CORS_ORIGINS: origin });
const byApollo = jest.spyOn(ApolloServer.prototype, "executeHTTPGraphQLRequest");

/** What each way writes to: the same, under names of the same length. */
const [short, ordinary] = ["s", "o"];
const targets = new Map<string, Target>();
let userKey = "";
let readOnlyKey = "";
let made = 0;

beforeAll(async () => {
  const userId = await service.user("owner@example.com");
  userKey = await service.key({ name: "owner", userId });
  readOnlyKey = await service.key({ name: "read-only", userId, readOnly: true });
  await service.domain("taken.example", userId);
  await service.sql(`create function fail() returns trigger language plpgsql as $$ begin
    raise exception 'as the test wants it' using errcode = right(new.owner, 5); end $$`);
  await service.sql(
    "create trigger fail before insert on zone_record for each row when (new.owner like 'fail-%') execute function fail()",
  );
});

beforeEach(async () => {
  made += 1;
  const [userId] = (await service.data("{ users { nodes { id } } }")).users.nodes;
  for (const way of [short, ordinary]) {
    const zone = `${way}${made}.example`;
    await service.domain(zone, userId.id);
    const recordId = await service.record(zone, "a", "A", "192.0.2.1", 300);
    const [{ id }] = (await service.sql<{ id: string }>(
      "select r.id::text as id from zone_record r join domain d on d.id = domain_id where zone = $1 and type = 'SOA'",
      [zone],
    )) as [{ id: string }];
    targets.set(way as string, { zone, user: userId.id, recordId, soaId: id });
  }
  byApollo.mockClear();
});

afterAll(() => byApollo.mockRestore());

/** An answer, without what differs between two targets: ids, names, times, and the ids of errors. */
async function send(body: Sent, target: Target, key: string, headers: Record<string, string>, id: string) {
  const response = await service.post(body, { key, headers: { "X-Request-Id": id, ...headers } });
  const withoutNames = (text: string) =>
    text
      .replaceAll(target.zone, "ZONE")
      .replace(/\b\d{16}\b/g, "ID")
      .replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, "UUID")
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
      .replace(/zs_[\w-]+/g, "KEY");
  const compared = [...response.headers].filter(([name]) => !["date", "x-request-id"].includes(name));
  return {
    status: response.status,
    headers: Object.fromEntries(compared),
    requestId: response.headers.get("x-request-id") === id,
    text: withoutNames(await response.text()),
  };
}

/** The log lines of a request, without what differs. */
const logged = (id: string) =>
  service.logged
    .map((line) => JSON.parse(line))
    .filter(({ requestId }) => requestId === id)
    .map(({ time: _, requestId: __, id: ___, ms: ____, err, ...line }) => ({
      ...line,
      ...(err && { err: err.message }),
    }));

/** Sends the same by both ways, and expects the same; returns the answer. */
async function both(sent: (target: Target) => Sent, { key = adminKey, headers = {}, calls = 0 } = {}): Promise<Json> {
  const [one, other] = [targets.get("s") as Target, targets.get("o") as Target];
  const [shortId, ordinaryId] = [`short-${made}`, `ordinary-${made}`];
  const answer = await send(sent(one), one, key, headers, shortId);
  expect(byApollo).toHaveBeenCalledTimes(calls);
  const toApollo = { ...headers, "Content-Encoding": "identity" };
  expect(answer).toEqual(await send(sent(other), other, key, toApollo, ordinaryId));
  expect(byApollo).toHaveBeenCalledTimes(calls + 1);
  for (const id of [shortId, ordinaryId]) await eventually(() => logged(id).some(({ msg }) => msg === "request"));
  expect(logged(shortId)).toEqual(logged(ordinaryId));
  expect(logged(shortId).at(-1)).toMatchObject({ msg: "request", status: answer.status, completed: true });
  return JSON.parse(answer.text);
}

describe("done by both ways", () => {
  test.each(done)("%s", async (_, sent) => {
    expect(await both(sent)).not.toHaveProperty("errors");
  });
});

describe("refused by both ways", () => {
  test.each(refused)("%s", async (_, code, sent) => {
    const { errors } = await both(sent);
    expect(errors[0].extensions.code).toBe(code);
  });
});

test.each(notRun)("what does not run is refused by Apollo: %s", async (_, code, sent) => {
  const before = await service.state();
  const { errors } = await both(sent, { calls: 1 });
  expect(errors[0].extensions.code).toBe(code);
  expect(await service.state()).toEqual(before);
});

test.each<[string, () => string, string | undefined]>([
  ["a user's key", () => userKey, undefined],
  ["a read-only key", () => readOnlyKey, "FORBIDDEN"],
])("%s", async (_, key, code) => {
  const { errors } = await both(({ zone }) => ({ query: create, variables: a(zone, "b") }), { key: key() });
  expect(errors?.[0].extensions.code).toBe(code);
});

test("an origin has the same headers, and a failure says when to try again", async () => {
  const { zone } = targets.get("s") as Target;
  await both((target) => ({ query: create, variables: a(target.zone, "fail-53200") }), { headers: { Origin: origin } });
  const body = { query: create, variables: a(zone, "fail-53200") };
  const response = await service.post(body, { headers: { Origin: origin } });
  expect([response.status, response.headers.get("retry-after")]).toEqual([200, "10"]);
  expect(response.headers.get("access-control-allow-origin")).toBe(origin);
});
