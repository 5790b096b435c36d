import { afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { preferredWait } from "../../../src/rest/write-headers.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { testZone } from "../../setup/service/graphql-zone.ts";
import { type Answer, type Json, testService } from "../../setup/service/service.ts";
import { Sightings } from "../../setup/service/sightings.ts";
import { type Stream, subscribe } from "../../setup/service/stream.ts";

const service = testService({ DATABASE_POOL: "4", CORS_ORIGINS: "https://app.example.com" });
const sightings = new Sightings(service);
const zone = testZone(service);
let secondary: string;

beforeAll(() => sightings.catalog());
afterEach(async () => {
  await service.sql("delete from secondary");
});

async function idOf(name = zone.name): Promise<string> {
  return (await service.sql<{ id: string }>("select id::text as id from domain where zone = $1", [name]))[0]?.id ?? "";
}

/** Registers the secondary of a test, which serves the fresh zone. */
async function follow(): Promise<void> {
  secondary = await sightings.secondary("one");
  await sightings.see(secondary, await idOf());
}

/** Expects that the answer to a write is held after the commit; lets the zone be sighted, and returns the answer. */
async function heldUntilSighted<T>(written: Promise<T>): Promise<T> {
  let isAnswered = false;
  const answer = written.finally(() => {
    isAnswered = true;
  });
  const served = "select from sighting g join domain d on d.id = g.domain_id and d.serial = g.serial where g.zone = $1";
  await eventually(async () => expect(await service.sql(served, [zone.name])).toEqual([]));
  // Others ask how far it is, and are answered meanwhile.
  for (let look = 0; look < 5; look += 1) {
    const { domain } = await service.data(`{ domain(by: { zone: "${zone.name}" }) { publication { state } } }`);
    expect([domain.publication.state, isAnswered]).toEqual(["PENDING", false]);
  }
  await sightings.see(secondary, await idOf());
  return answer;
}

const waiting = `mutation ($input: CreateRecordInput!, $ms: Int!) { createRecord(input: $input) {
  change { serial publication(waitMs: $ms) { state serial secondaries { state } } } } }`;
const inputOf = (owner: string) => ({ zone: zone.name, owner, type: "A", rdata: "192.0.2.1" });
const create = async (owner: string, ms: number): Promise<Json> =>
  (await service.data(waiting, { input: inputOf(owner), ms })).createRecord.change;

describe("publication(waitMs:)", () => {
  test("holds the answer until the change was sighted", async () => {
    await follow();
    const { serial, publication } = await heldUntilSighted(create("a", 60_000));
    expect(publication).toEqual({ state: "LIVE", serial, secondaries: [{ state: "LIVE" }] });
  });

  test("answers when the time is up, and says that it is not LIVE", async () => {
    await follow();
    expect((await create("a", 250)).publication.state).toBe("PENDING");
  });

  test("answers without the wait when there is no secondary", async () => {
    expect((await create("a", 60_000)).publication.state).toBe("UNSERVED");
  });

  test("refuses a longer time than a minute", async () => {
    const document = `{ change(id: "1") { publication(waitMs: 60001) { state } } }`;
    expect((await service.graphql(document)).body.data).toEqual({ change: null });
    await expect(create("b", 60_001)).rejects.toThrow(/INVALID_VALUE/);
  });

  test("holds no connection: more wait than the pool has, and others are answered; the wait ends with the client", async () => {
    await follow();
    const hangUp = new AbortController();
    const waiters = Array.from({ length: 12 }, (_, at) =>
      service
        .post({ query: waiting, variables: { input: inputOf(`w${at}`), ms: 60_000 } }, { signal: hangUp.signal })
        .catch((error: Error) => error.name),
    );
    const committed =
      "select from zone_record r join domain d on d.id = r.domain_id where zone = $1 and owner ~ '^w[0-9]+$'";
    await eventually(async () => expect(await service.sql(committed, [zone.name])).toHaveLength(12));
    expect((await service.data("{ domains { totalCount } }")).domains.totalCount).toBeGreaterThan(0);
    const open =
      "select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'";
    await eventually(async () => expect(await service.sql(open)).toEqual([]));
    hangUp.abort();
    expect(new Set(await Promise.all(waiters))).toEqual(new Set(["AbortError"]));
  });
});

describe("REST", () => {
  const add = (owner: string, headers: Record<string, string> = {}) =>
    service.rest("POST", "/record/add", {
      form: { zone: zone.name, owner, rtype: "A", rdata: "192.0.2.1", ttl: 300 },
      headers,
    });

  test("shows a change and how far it has come, with ids as integers", async () => {
    await follow();
    const { headers } = await add("a");
    const id = headers.get("x-change-id");
    const { status, body } = await service.rest("GET", `/change/${id}`);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
    const serial = Number(headers.get("x-zone-serial"));
    const seen = { name: "one", state: "PENDING", serial: serial - 1, seen_at: time, last_error: null };
    const actor = expect.stringContaining("administrator");
    expect([status, body]).toEqual([
      200,
      {
        ...{
          id: Number(id),
          zone: zone.name,
          kind: "EDIT",
          previous_serial: serial - 1,
          serial,
          actor,
          source: "rest",
        },
        ...{ created_at: time, state: "PENDING", since: time, secondaries: [seen] },
      },
    ]);
    expect((await service.rest("GET", "/change/12345")).body).toMatchObject({ code: 404, error: "NOT_FOUND" });
    expect((await service.rest("GET", "/change/none")).body).toMatchObject({ code: 422, error: "INVALID_VALUE" });
  });

  /** The status, and what is said of the wait. */
  const waited = ({ status, headers }: Answer) => [
    status,
    ...["preference-applied", "x-publication"].map((name) => headers.get(name)),
  ];

  test("Prefer: wait holds a write until it is live, and the answer is the documented one", async () => {
    await follow();
    const answer = await heldUntilSighted(add("a", { Prefer: "respond-async, wait=50" }));
    expect([...waited(answer), answer.body.owner]).toEqual([201, "wait=50", "LIVE", "a"]);
  });

  test("Prefer: wait answers when the time is up, which is a minute at most; without it nothing is held", async () => {
    expect(waited(await add("c", { Prefer: "wait=999999" }))).toEqual([201, "wait=60", "UNSERVED"]);
    await follow();
    expect(waited(await add("a", { Prefer: "wait=1" }))).toEqual([201, "wait=1", "PENDING"]);
    expect(waited(await add("b"))).toEqual([201, null, null]);
  });

  test("Prefer: wait holds a deletion and an import too", async () => {
    await follow();
    const imported = await service.rest("POST", `/domain/zonefile/${zone.name}`, {
      body: "imported 300 IN A 192.0.2.7\n",
      headers: { "Content-Type": "text/dns", Prefer: "wait=0" },
    });
    expect(waited(imported)).toEqual([200, "wait=0", "PENDING"]);
    expect(imported.headers.get("x-change-id")).toBe(String(imported.body.change_id));
    const form = { zone: zone.name };
    const deleted = await service.rest("DELETE", "/domain/delete", { form, headers: { Prefer: "wait=5" } });
    expect([...waited(deleted), deleted.text]).toEqual([204, "wait=5", "UNSERVED", ""]);
  });

  test.each([
    [undefined, undefined],
    ["", undefined],
    ["wait=10", 10],
    ["Wait = 10", 10],
    ['wait="10"', 10],
    ["respond-async, wait=5;foo=bar, wait=7", 5],
    ['foo="a, wait=3", wait=4', 4],
    ["wait=999999", 999999],
    ["wait", undefined],
    ["wait=ten", undefined],
    ["wait=-1", undefined],
    ["wait=ten, wait=4", undefined],
    ["await=4", undefined],
  ])("reads Prefer: %s as a wait of %s", (header, seconds) => {
    expect(preferredWait(header)).toBe(seconds);
  });

  test("shows the headers of a wait to frontends of other origins", async () => {
    const { headers } = await service.rest("GET", "/user/list", { headers: { Origin: "https://app.example.com" } });
    expect(headers.get("access-control-expose-headers")).toMatch(/X-Publication.*Preference-Applied/);
  });
});

describe("domainChanged of one zone", () => {
  const document = () =>
    `subscription { domainChanged(zone: "${zone.name}") { cursor domain { id serial } change { serial } publication { state serial secondaries { state } } } }`;
  const open = async (key?: string, query = document()): Promise<Stream> => {
    const stream = await subscribe(service, query, key);
    if (!("next" in stream)) throw new Error(`${stream.status} ${stream.text}`);
    return stream;
  };
  const ownersKey = async () => {
    const [{ id } = { id: "" }] = await service.sql<{ id: string }>(
      "select user_id::text as id from domain where zone = $1",
      [zone.name],
    );
    return service.key({ name: "owner", userId: id });
  };

  test("tells the publication as it is, then every other serial and state", async () => {
    await follow();
    const stream = await open();
    const next = async () => (await stream.next()).data.domainChanged;
    const first = await next();
    expect(first).toMatchObject({ publication: { state: "LIVE", secondaries: [{ state: "LIVE" }] } });
    const { serial } = await create("a", 0);
    expect(await next()).toMatchObject({
      domain: { id: await idOf(), serial },
      change: { serial },
      publication: { state: "PENDING", serial, secondaries: [{ state: "PENDING" }] },
    });
    await sightings.see(secondary, await idOf());
    expect(await next()).toMatchObject({ domain: { serial }, publication: { state: "LIVE", serial } });
    stream.close();
  });

  test("ends when the key is revoked", async () => {
    const key = await ownersKey();
    const stream = await open(key);
    expect((await stream.next()).data.domainChanged.publication.state).toBe("UNSERVED");
    await service.sql("update api_key set revoked_at = now() where name = 'owner'");
    expect((await stream.next()).errors[0].extensions.code).toBe("UNAUTHENTICATED");
    expect(await stream.next()).toBeUndefined();
    await service.sql("update api_key set name = 'past' where name = 'owner'");
  });

  test("ends when the zone leaves the user's sight, and when it is deleted", async () => {
    const [owner, admin] = [await open(await ownersKey()), await open()];
    await Promise.all([owner.next(), admin.next()]);
    const userId = await service.user(`other@${zone.name}`);
    await service.mutate("transferDomain", { by: { zone: zone.name }, userId }, "domain { id }");
    expect((await owner.next()).errors[0].extensions.code).toBe("NOT_FOUND");
    expect(await owner.next()).toBeUndefined();
    await service.rest("DELETE", "/domain/delete", { form: { zone: zone.name } });
    expect((await admin.next()).errors[0].extensions.code).toBe("NOT_FOUND");
    expect(await admin.next()).toBeUndefined();
  });

  test.each([
    ["a field that there is not", "subscription { nothing }", "BAD_REQUEST"],
    ["half a document", "subscription {", "BAD_REQUEST"],
    ["a zone that is no name", `subscription { domainChanged(zone: "x y") { cursor } }`, "INVALID_NAME"],
    ["what is no cursor", `subscription { domainChanged(after: "x") { cursor } }`, "INVALID_VALUE"],
    ["too many fields", `subscription { domainChanged { ${"cursor ".repeat(2001)} } }`, "QUERY_TOO_COMPLEX"],
  ])("refuses %s in its event, as the protocol says", async (_what, query, code) => {
    const stream = await open(undefined, query);
    expect(await stream.next()).toMatchObject({ errors: [{ extensions: { code } }] });
    expect(await stream.next()).toBeUndefined();
  });

  test("is refused without Accept: text/event-stream, which the refusal names", async () => {
    const { status, body } = await service.graphql(document());
    const message = expect.stringContaining("text/event-stream");
    expect([status, body.errors[0]]).toMatchObject([400, { extensions: { code: "BAD_REQUEST" }, message }]);
  });

  test("opens at most fifty streams for a key, and as many again when they are closed", async () => {
    const key = await ownersKey();
    const streams = await Promise.all(Array.from({ length: 50 }, () => open(key)));
    expect(await subscribe(service, document(), key)).toMatchObject({ status: 429 });
    for (const stream of streams) stream.close();
    await eventually(async () => {
      const answer = await subscribe(service, document(), key);
      if ("next" in answer) answer.close();
      return "next" in answer;
    });
  });
});

test.each([
  ["of one zone", () => `zone: "${zone.name}", `],
  ["of all zones", () => ""],
])("says on request what each secondary serves as soon as one serves another serial: %s", async (_, argument) => {
  await follow();
  const other = await sightings.secondary("two");
  await sightings.see(other, await idOf());
  const fields = "change { zone serial } publication { state serial secondaries { name serial lastError } }";
  const stream = await subscribe(
    service,
    `subscription { domainChanged(${argument()}eachSecondary: true) { ${fields} } }`,
  );
  if (!("next" in stream)) throw new Error(stream.text);
  // A stream of all zones has begun once it has shown a change.
  const until = async (matches: (event: Json) => boolean): Promise<Json> => {
    for (;;) {
      const { domainChanged } = (await stream.next()).data;
      if (domainChanged.change.zone === zone.name && matches(domainChanged)) return domainChanged.publication;
    }
  };
  let hasBegun = false;
  const first = until(() => true).then(() => {
    hasBegun = true;
  });
  for (let at = 0; !hasBegun; at += 1) await create(`begin${at}`, 0);
  await first;
  const { serial } = await create("a", 0);
  await until(({ publication }) => publication.serial === serial);
  await sightings.see(secondary, await idOf());
  const servedBy = ({ secondaries }: Json) =>
    secondaries.filter((each: Json) => each.serial === serial).map((each: Json) => each.name);
  const half = await until(({ publication }) => servedBy(publication).length > 0);
  expect([half.state, servedBy(half)]).toEqual(["PENDING", ["one"]]);
  await sightings.see(other, await idOf(), { serial: serial - 1, error: "timeout" });
  const failed = await until(({ publication }) => publication.secondaries[1].lastError !== null);
  expect(failed).toMatchObject({ state: "PENDING", secondaries: [{ lastError: null }, { lastError: "timeout" }] });
  await sightings.see(other, await idOf());
  expect(servedBy(await until(({ publication }) => publication.state === "LIVE"))).toEqual(["one", "two"]);
  stream.close();
});
