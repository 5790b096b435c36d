import { afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { preferredWait } from "../../../src/rest/prefer-header.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { testZone } from "../../setup/service/graphql-zone.ts";
import { adminKey, type Json, testService } from "../../setup/service/service.ts";
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

const idOf = async (): Promise<string> =>
  (await service.data(`{ domain(by: { zone: "${zone.name}" }) { id } }`)).domain.id;

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
  change { serial publication(waitFor: LIVE, timeoutMs: $ms) { state serial secondaries { state } } } } }`;
const create = async (owner: string, ms: number): Promise<Json> => {
  const input = { zone: zone.name, owner, type: "A", rdata: "192.0.2.1" };
  return (await service.data(waiting, { input, ms })).createRecord.change;
};

describe("publication(waitFor: LIVE)", () => {
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
    const document = `{ change(id: "1") { publication(waitFor: LIVE, timeoutMs: 60001) { state } } }`;
    expect((await service.graphql(document)).body.data).toEqual({ change: null });
    const change = (await create("a", 0)).serial;
    expect(change).toBeGreaterThan(0);
    await expect(create("b", 60_001)).rejects.toThrow(/INVALID_VALUE/);
  });

  test("holds no connection: more wait than the pool has, and others are answered; the wait ends with the client", async () => {
    await follow();
    const hangUp = new AbortController();
    const waiters = Array.from({ length: 12 }, (_, at) =>
      fetch(`${service.url}/graphql`, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-API-Key": adminKey },
        body: JSON.stringify({
          query: waiting,
          variables: { input: { zone: zone.name, owner: `w${at}`, type: "A", rdata: "192.0.2.1" }, ms: 60_000 },
        }),
        signal: hangUp.signal,
      }).catch((error: Error) => error.name),
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
    const serial = Number(headers.get("x-zone-serial"));
    const shown = { id: Number(id), zone: zone.name, kind: "EDIT", previous_serial: serial - 1, serial, door: "rest" };
    const secondaries = [{ name: "one", state: "PENDING", serial: serial - 1, last_error: null }];
    expect([status, body]).toMatchObject([200, { ...shown, state: "PENDING", secondaries }]);
    for (const time of [body.created_at, body.since, body.secondaries[0].seen_at])
      expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
    expect((await service.rest("GET", "/change/12345")).body).toMatchObject({ code: 404, error: "NOT_FOUND" });
    expect((await service.rest("GET", "/change/none")).body).toMatchObject({ code: 422, error: "INVALID_VALUE" });
  });

  test("Prefer: wait holds a write until it is live, and the answer is the documented one", async () => {
    await follow();
    const { status, body, headers } = await heldUntilSighted(add("a", { Prefer: "respond-async, wait=50" }));
    expect([status, body.owner]).toEqual([201, "a"]);
    expect(headers.get("preference-applied")).toBe("wait=50");
    expect(headers.get("x-publication")).toBe("LIVE");
  });

  test("Prefer: wait answers when the time is up; without it nothing is held", async () => {
    await follow();
    const { status, headers } = await add("a", { Prefer: "wait=1" });
    expect([status, headers.get("preference-applied"), headers.get("x-publication")]).toEqual([
      201,
      "wait=1",
      "PENDING",
    ]);
    const plain = await add("b");
    expect([plain.headers.get("preference-applied"), plain.headers.get("x-publication")]).toEqual([null, null]);
  });

  test("Prefer: wait holds a deletion and an import too", async () => {
    await follow();
    const body = "imported 300 IN A 192.0.2.7\n";
    const imported = await service.rest("POST", `/domain/zonefile/${zone.name}`, {
      body,
      headers: { "Content-Type": "text/dns", Prefer: "wait=0" },
    });
    expect([imported.status, imported.headers.get("x-publication")]).toEqual([200, "PENDING"]);
    expect(imported.headers.get("x-change-id")).toBe(String(imported.body.change_id));
    const deleted = await service.rest("DELETE", "/domain/delete", {
      form: { zone: zone.name },
      headers: { Prefer: "wait=5" },
    });
    expect([deleted.status, deleted.text, deleted.headers.get("x-publication")]).toEqual([204, "", "UNSERVED"]);
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

  test("grants a minute at most", async () => {
    const { headers } = await add("a", { Prefer: "wait=999999" });
    expect(headers.get("preference-applied")).toBe("wait=60");
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
    const { domain } = await service.data(`{ domain(by: { zone: "${zone.name}" }) { user { id } } }`);
    return service.key({ name: "owner", userId: domain.user.id });
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
    await service.mutate("transferDomain", { zone: zone.name, userId }, "domain { id }");
    expect((await owner.next()).errors[0].extensions.code).toBe("NOT_FOUND");
    expect(await owner.next()).toBeUndefined();
    await service.rest("DELETE", "/domain/delete", { form: { zone: zone.name } });
    expect((await admin.next()).errors[0].extensions.code).toBe("NOT_FOUND");
    expect(await admin.next()).toBeUndefined();
  });

  test.each([
    ["subscription { nothing }", "BAD_REQUEST"],
    [`subscription { domainChanged(zone: "none.example.com") { cursor } }`, "NOT_FOUND"],
    [`subscription { domainChanged(zone: "x y") { cursor } }`, "INVALID_NAME"],
    [`subscription { domainChanged(zone: "a.example") { ${"cursor ".repeat(2001)} } }`, "QUERY_TOO_COMPLEX"],
  ])("refuses %s in its event, as the protocol says", async (query, code) => {
    const stream = await open(undefined, query);
    expect(await stream.next()).toMatchObject({ errors: [{ extensions: { code } }] });
    expect(await stream.next()).toBeUndefined();
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
