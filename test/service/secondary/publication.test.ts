import { afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { eventually } from "../../setup/basics/eventually.ts";
import { FollowingResponder } from "../../setup/service/following-responder.ts";
import { type Json, testService } from "../../setup/service/service.ts";
import { Sightings } from "../../setup/service/sightings.ts";

const service = testService({ PUBLICATION_LATE_SECONDS: "60" });
const sightings = new Sightings(service);
let userId: string;
let userKey: string;
let made = 0;
/** Secondaries that are there. */
const following = new Set<FollowingResponder>();

beforeAll(async () => {
  userId = await service.user("publication@example.com");
  userKey = await service.key({ name: "user", userId });
});
afterEach(async () => {
  await service.sql("delete from secondary");
  for (const each of following) await each.close();
  following.clear();
});

/** A fresh domain; answers its id, its zone and the change that created it. */
async function domain(zone = `p${++made}.example.com`): Promise<{ id: string; zone: string; change: string }> {
  const made = await service.mutate("createDomain", { zone, userId }, "domain { id } change { id }");
  return { id: made.domain.id, zone, change: made.change.id };
}

async function edit(zone: string, owner: string): Promise<{ change: string; serial: number }> {
  const input = { zone, owner, type: "A", rdata: "192.0.2.1" };
  const { change } = await service.mutate("createRecord", input, "change { id serial }");
  return { change: change.id, serial: change.serial };
}

const remove = async (zone: string): Promise<string> =>
  (await service.mutate("deleteDomain", { by: { zone } }, "change { id }")).change.id;

const publication = "publication { state serial since secondaries { name state isJoining serial seenAt lastError } }";
const ofDomain = async (zone: string, key?: string): Promise<Json> =>
  (await service.data(`{ domain(by: { zone: "${zone}" }) { ${publication} } }`, {}, key)).domain.publication;
const ofChange = async (id: string): Promise<Json> =>
  (await service.data(`{ change(id: "${id}") { ${publication} } }`)).change.publication;
const state = async (zone: string): Promise<string> => (await ofDomain(zone)).state;
const stateOfChange = async (id: string): Promise<string> => (await ofChange(id)).state;
/** The secondaries of a publication by name, each with its state. */
const statesOf = ({ secondaries }: Json): unknown =>
  Object.fromEntries(secondaries.map((each: Json) => [each.name, each.state]));

describe("the catalog", () => {
  const name = "catalog.zonesmith";
  async function register(label: string): Promise<FollowingResponder> {
    const secondary = new FollowingResponder(service);
    following.add(secondary);
    return secondary.register(label);
  }

  const catalog = async (): Promise<Json> =>
    (await service.data(`{ catalog { zone serial memberCount ${publication} } }`)).catalog;
  const expectCatalog = (content: Json) => eventually(async () => expect(await catalog()).toMatchObject(content));
  const resync = (zone: string) => service.mutate("resyncDomain", { by: { zone } }, "change { serial }");

  test("there is none before the first secondary; it is UNSERVED while all that there are have no key", async () => {
    expect(await catalog()).toBeNull();
    await expect(resync(name)).rejects.toThrow("NOT_FOUND");
    await sightings.secondary("plain");
    await expectCatalog({ zone: name, memberCount: 0, publication: { state: "UNSERVED", secondaries: [] } });
  });

  test("it is LIVE when all that follow it serve it, whoever else refuses it; a secondary that is away makes it PENDING", async () => {
    await service.domain("one.example", await service.user("owner@example.com"));
    const [knot, nsd] = [await register("knot"), await register("nsd")];
    nsd.onNotify = () => 9;
    const refusing = { name: "nsd", lastError: "It does not have the zone (REFUSED)." };
    await expectCatalog({
      memberCount: 1,
      publication: {
        state: "LIVE",
        secondaries: [{ name: "knot", state: "LIVE", lastError: null }, refusing],
      },
    });
    knot.mute = true;
    await service.domain("two.example", await service.user("other@example.com"));
    await expectCatalog({
      memberCount: 2,
      publication: { state: "PENDING", secondaries: [{ lastError: expect.stringContaining("No answer") }, refusing] },
    });
    knot.mute = false;
    await expectCatalog({ publication: { state: "LIVE" } });
  });

  test("its serial is raised by resyncDomain, and it is LIVE again", async () => {
    const bind = await register("bind");
    await expectCatalog({ publication: { state: "LIVE" } });
    const { serial } = await catalog();
    expect(await resync("Catalog.Zonesmith.")).toEqual({ change: { serial: serial + 1 } });
    await expectCatalog({ serial: serial + 1, publication: { state: "LIVE" } });
    expect(bind.serials.get(name)).toBe(serial + 1);
  });
});

describe("a zone", () => {
  test("is UNSERVED while there is no secondary", async () => {
    const { zone, change } = await domain();
    expect(await ofDomain(zone)).toMatchObject({ state: "UNSERVED", secondaries: [] });
    expect(await stateOfChange(change)).toBe("UNSERVED");
  });

  test("is PENDING until every required secondary was sighted at its serial, and PENDING again after a change", async () => {
    const { id, zone } = await domain();
    const [one, two] = [await sightings.secondary("one"), await sightings.secondary("two")];
    expect(await state(zone)).toBe("PENDING");
    await sightings.see(one, id);
    const half = await ofDomain(zone);
    expect(half.state).toBe("PENDING");
    expect(statesOf(half)).toEqual({ one: "LIVE", two: "PENDING" });
    await sightings.see(two, id);
    expect(await state(zone)).toBe("LIVE");
    await edit(zone, "a");
    expect(await state(zone)).toBe("PENDING");
  });

  test("does not wait for a secondary that is not required, unless none is", async () => {
    const { id, zone } = await domain();
    const spare = await sightings.secondary("spare", { requiredForLive: false });
    expect(await state(zone)).toBe("PENDING");
    await sightings.see(spare, id);
    expect(await state(zone)).toBe("LIVE");
    const required = await sightings.secondary("required");
    expect(await state(zone)).toBe("PENDING");
    await sightings.see(required, id);
    await sightings.see(spare, id, { serial: 1 });
    expect(await state(zone)).toBe("LIVE");
  });

  test("is not LIVE at a secondary whose copy is not proven to be ours, or that refuses it", async () => {
    const { id, zone } = await domain();
    const one = await sightings.secondary("one");
    await sightings.see(one, id, { unproven: true });
    expect(await state(zone)).toBe("PENDING");
    await sightings.see(one, id, { refused: true, error: "REFUSED" });
    expect(await ofDomain(zone)).toMatchObject({ state: "PENDING", secondaries: [{ lastError: "REFUSED" }] });
  });

  test("is LATE when a required secondary lacks what was committed longer than the limit ago, though edits follow each other", async () => {
    const { id, zone } = await domain();
    const one = await sightings.secondary("one");
    await sightings.see(one, id);
    await edit(zone, "a");
    await sightings.age(zone, 50);
    expect(await state(zone)).toBe("PENDING");
    await sightings.age(zone, 20);
    await edit(zone, "b");
    expect(await state(zone)).toBe("LATE");
    await sightings.see(one, id);
    expect(await state(zone)).toBe("LIVE");
  });

  test("is not LATE at a secondary that was registered just now", async () => {
    const { zone } = await domain();
    await sightings.age(zone, 3600);
    await sightings.secondary("new");
    expect(await state(zone)).toBe("PENDING");
  });

  test("does not wait for a secondary that is joining, unless none has joined, and is not LATE there", async () => {
    const { id, zone, change } = await domain();
    const [old, fresh] = [await sightings.secondary("old"), await sightings.secondary("fresh")];
    const joining = (...ids: string[]) =>
      service.sql("update secondary set joined_at = null where id = any($1::bigint[])", [ids]);
    await sightings.age(zone, 61);
    await joining(fresh);
    await sightings.see(old, id);
    expect([await state(zone), await stateOfChange(change)]).toEqual(["LIVE", "LIVE"]);
    expect([statesOf(await ofDomain(zone)), statesOf(await ofChange(change))]).toEqual([
      { old: "LIVE", fresh: "PENDING" },
      { old: "LIVE", fresh: "PENDING" },
    ]);
    const { secondaries } = await ofDomain(zone);
    expect(secondaries.map(({ isJoining }: Json) => isJoining)).toEqual([true, false]);
    await joining(old);
    expect([await state(zone), await stateOfChange(change)]).toEqual(["PENDING", "PENDING"]);
    await sightings.see(fresh, id);
    expect(await state(zone)).toBe("LIVE");
  });

  test("of an added secondary: it joins when it first has all zones, and is asked for by its count until then", async () => {
    await service.sql("delete from domain where user_id is not null");
    const { id, zone } = await domain();
    const [one, two] = [await domain(), await domain()];
    const input = { name: "added", address: "127.0.0.9", port: 19_999, notify: false };
    const added = (await service.mutate("createSecondary", input, "secondary { id joinedAt }")).secondary;
    expect(added.joinedAt).toBeNull();
    const times = async () =>
      (await service.data(`{ secondary(by: { id: "${added.id}" }) { progress { firstAt lastAt } } }`)).secondary
        .progress;
    expect(await times()).toEqual({ firstAt: null, lastAt: null });
    await sightings.see(added.id, id);
    const { firstAt, lastAt } = await times();
    expect(lastAt).toBe(firstAt);
    await sightings.see(added.id, one.id);
    expect((await times()).firstAt).toBe(firstAt);
    expect(Date.parse((await times()).lastAt)).toBeGreaterThan(Date.parse(firstAt));
    const shown = async () =>
      (await service.data(`{ secondary(by: { id: "${added.id}" }) { joinedAt progress { served total } } }`)).secondary;
    expect(await shown()).toEqual({ joinedAt: null, progress: { served: 2, total: 3 } });
    await edit(zone, "later");
    await sightings.see(added.id, two.id);
    await eventually(async () => expect((await shown()).joinedAt).not.toBeNull());
    expect((await shown()).progress).toEqual({ served: 2, total: 3 });
    const moved = { by: { id: added.id }, port: 19_998 };
    const { secondary } = await service.mutate("updateSecondary", moved, "secondary { joinedAt progress { served } }");
    expect(secondary).toEqual({ joinedAt: null, progress: { served: 0 } });
  });

  test("of an added secondary: it does not wait for zones that were made since, or restored, until these are late", async () => {
    await service.sql("delete from domain where user_id is not null");
    const [first, back] = [await domain(), await domain()];
    await remove(back.zone);
    const input = { name: "busy", address: "127.0.0.9", port: 19_999, notify: false };
    const { id } = (await service.mutate("createSecondary", input, "secondary { id }")).secondary;
    const fresh = await domain();
    await service.mutate("restoreDomain", { by: { zone: back.zone } }, "domain { id }");
    await sightings.see(id, first.id);
    const joinedAt = async () =>
      (await service.data(`{ secondary(by: { id: "${id}" }) { joinedAt } }`)).secondary.joinedAt;
    await eventually(async () => expect(await joinedAt()).not.toBeNull());
    await remove(first.zone);
    await sightings.age(fresh.zone, 61);
    const { secondary } = await service.mutate(
      "updateSecondary",
      { by: { id }, port: 19_998 },
      "secondary { joinedAt }",
    );
    expect(secondary).toEqual({ joinedAt: null });
  });

  test("says since when: of PENDING the commit, of LIVE the sighting", async () => {
    const { id, zone } = await domain();
    const one = await sightings.secondary("one");
    await sightings.age(zone, 30);
    const [commit] = await service.sql<{ at: Date }>("select created_at as at from change where zone = $1", [zone]);
    expect((await ofDomain(zone)).since).toBe(commit?.at.toISOString());
    await sightings.see(one, id);
    const [sighting] = await service.sql<{ at: Date }>("select serial_at as at from sighting where zone = $1", [zone]);
    expect((await ofDomain(zone)).since).toBe(sighting?.at.toISOString());
  });

  test("shows a user of the secondaries the name and the state", async () => {
    const { id, zone } = await domain();
    await sightings.see(await sightings.secondary("one"), id, { error: "timeout at 127.0.0.9" });
    const expected = { name: "one", state: "LIVE", isJoining: false, serial: null, seenAt: null, lastError: null };
    expect((await ofDomain(zone, userKey)).secondaries).toEqual([expected]);
    expect((await ofDomain(zone)).secondaries[0]).toMatchObject({ lastError: "timeout at 127.0.0.9" });
  });

  test("is found by its state", async () => {
    const [late, live] = [await domain(), await domain()];
    const one = await sightings.secondary("one");
    await sightings.see(one, live.id);
    await sightings.age(late.zone, 100);
    const document = `query ($state: PublicationState!, $part: String!) {
      domains(filter: { state: $state, zoneContains: $part }) { totalCount nodes { zone } } }`;
    const found = async (which: string, part: string) => (await service.data(document, { state: which, part })).domains;
    expect(await found("LATE", late.zone)).toEqual({ totalCount: 1, nodes: [{ zone: late.zone }] });
    expect((await found("LATE", live.zone)).nodes).toEqual([]);
    expect((await found("LIVE", live.zone)).nodes).toEqual([{ zone: live.zone }]);
    expect((await found("UNSERVED", live.zone)).nodes).toEqual([]);
  });
});

test("zones are listed by exception, the late ones first, those on their way next, and by name", async () => {
  const [live, pending, late, other] = [await domain(), await domain(), await domain(), await domain()];
  const one = await sightings.secondary("one");
  for (const { id } of [live, other]) await sightings.see(one, id);
  await sightings.age(late.zone, 100);
  const zones = [live, pending, late, other].map(({ zone }) => zone);
  const expected = [late, pending, ...[live, other].toSorted((a, b) => (a.zone < b.zone ? -1 : 1))].map(
    ({ zone }) => zone,
  );
  const document = `query ($zones: [String!], $after: String) {
    domains(filter: { zones: $zones }, first: 1, after: $after, orderBy: EXCEPTION) {
      nodes { zone } pageInfo { endCursor hasNextPage } } }`;
  const found: string[] = [];
  for (let after: string | null = null; found.length < 5; ) {
    const { nodes, pageInfo }: Json = (await service.data(document, { zones, after })).domains;
    found.push(...nodes.map(({ zone }: Json) => zone));
    if (!pageInfo.hasNextPage) break;
    after = pageInfo.endCursor;
  }
  expect(found).toEqual(expected);
  const ofUser = `query ($id: ID!) { user(by: { id: $id }) {
    domains(first: 1, orderBy: EXCEPTION) { nodes { publication { state } } } } }`;
  expect((await service.data(ofUser, { id: userId })).user.domains.nodes).toEqual([{ publication: { state: "LATE" } }]);
});

describe("a change", () => {
  test("is LIVE when its serial or a later one was sighted, each change by its own serial", async () => {
    const { id, zone, change } = await domain();
    const one = await sightings.secondary("one");
    const [first, second] = [await edit(zone, "a"), await edit(zone, "b")];
    await sightings.see(one, id, { serial: first.serial });
    const states = await Promise.all([change, first.change, second.change].map(stateOfChange));
    expect(states).toEqual(["LIVE", "LIVE", "PENDING"]);
    await sightings.age(zone, 61);
    expect(await stateOfChange(second.change)).toBe("LATE");
  });

  test("that deletes a zone is UNSERVED while no secondary follows the catalog, LIVE when all that do refuse it", async () => {
    const catalog = await sightings.catalog();
    const { id, zone } = await domain();
    const [knot, bind, nsd] = [
      await sightings.secondary("knot"),
      await sightings.secondary("bind", { requiredForLive: false }),
      await sightings.secondary("nsd"),
    ];
    for (const each of [knot, bind, nsd]) await sightings.see(each, id);
    const deletion = await remove(zone);
    expect(await stateOfChange(deletion)).toBe("UNSERVED");
    await sightings.see(knot, catalog);
    await sightings.see(bind, catalog);
    await sightings.see(nsd, catalog, { refused: true });
    expect(await stateOfChange(deletion)).toBe("PENDING");
    await sightings.see(knot, id, { refused: true });
    expect(statesOf(await ofChange(deletion))).toEqual({ bind: "PENDING", knot: "LIVE" });
    await sightings.see(bind, id, { refused: true });
    expect(await stateOfChange(deletion)).toBe("LIVE");
  });

  test("that deletes a zone is LIVE where the zone, born again, was sighted", async () => {
    const catalog = await sightings.catalog();
    const { id, zone } = await domain();
    const knot = await sightings.secondary("knot");
    await sightings.see(knot, catalog);
    await sightings.see(knot, id);
    const deletion = await remove(zone);
    const again = await domain(zone);
    expect(await stateOfChange(deletion)).toBe("PENDING");
    await sightings.see(knot, again.id);
    expect(await stateOfChange(deletion)).toBe("LIVE");
    expect(await stateOfChange(again.change)).toBe("LIVE");
  });

  test("of a zone that was deleted since is LIVE where the zone is refused", async () => {
    const { id, zone, change } = await domain();
    const knot = await sightings.secondary("knot");
    await remove(zone);
    expect(await stateOfChange(change)).toBe("PENDING");
    await sightings.see(knot, id, { refused: true });
    expect(await stateOfChange(change)).toBe("LIVE");
  });
});
