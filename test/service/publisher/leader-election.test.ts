import { afterEach, expect, test } from "@jest/globals";
import { createTsigKey } from "../../../src/account/create-tsig-key.ts";
import { serial as toSerial } from "../../../src/dns/serial.ts";
import {
  catalogHold,
  confirmCatalog,
  ensureCatalog,
  reconcileCatalogs,
  renewMember,
} from "../../../src/secondary/catalog-zone.ts";
import { beginTerm, forgetDeleted, sessionOfTerm, storeSightings } from "../../../src/secondary/record-sightings.ts";
import { noteJoined } from "../../../src/secondary/registry.ts";
import { raisePast } from "../../../src/secondary/resync.ts";
import type { SecondaryState } from "../../../src/secondary/secondary.ts";
import { transferAccess } from "../../../src/secondary/transfer-access.ts";
import { transaction } from "../../../src/session/transaction.ts";
import { sql } from "../../../src/sql/sql.ts";
import { lookAtPublications } from "../../../src/webhook/awaited-publication.ts";
import { changeZone } from "../../../src/zone/edit/change-zone.ts";
import { deleteDomain } from "../../../src/zone/lifecycle/domain-lifecycle.ts";
import { withMomentsAhead } from "../../setup/basics/clock.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import type { Responder } from "../../setup/dns/responder.ts";
import { sighted, testPublication } from "../../setup/zones/publishers.ts";

const publication = testPublication();
afterEach(() => publication.clear());
const catalog = "catalog.zonesmith";

/** Starts a publisher, which leads; a secondary serves a zone. */
async function leading() {
  const secondary = await publication.secondary();
  const { zone, serial } = await publication.domain();
  await publication.serve(secondary, zone, serial);
  const first = publication.publish();
  await sighted(publication, zone, { serial });
  return { first, secondary, zone, serial, term: await publication.term() };
}

test("of two publishers one leads, and the other takes over when it ends", async () => {
  const { first, secondary, zone, term } = await leading();
  publication.publish();
  let last = await publication.change(zone);
  await publication.serve(secondary, zone, last);
  await sighted(publication, zone, { serial: last, term });
  // By the one that leads alone, however often, as when an answer is late.
  expect(new Set(secondary.notified(zone).map(({ port }) => port)).size).toBe(1);
  await publication.stop(first);
  last = await publication.change(zone);
  await publication.serve(secondary, zone, last);
  await sighted(publication, zone, { serial: last, term: term + 1 });
});

const endElection = () =>
  publication.sql(
    `select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'zonesmith-publisher' and datname = current_database()`,
  );

test("a leader whose connection is cut campaigns again, and nothing is lost", async () => {
  const { secondary, zone, term } = await leading();
  await endElection();
  const last = await publication.change(zone);
  await publication.serve(secondary, zone, last);
  await sighted(publication, zone, { serial: last, term: term + 1 });
});

test("a write of an earlier term that ends late does not end the next leadership of the same process", async () => {
  const { secondary, zone, serial, term } = await leading();
  const waiting = "select from pg_stat_activity where wait_event = 'relation' and datname = current_database()";
  await transaction(publication.session(), async (inner) => {
    await sql`lock table sighting in share mode`.run(inner);
    await publication.change(zone);
    await eventually(async () => expect(await publication.sql(waiting)).toHaveLength(1));
    await endElection();
    await eventually(async () => expect(await publication.term()).toBe(term + 1));
  });
  await sighted(publication, zone, { serial, term: term + 1 });
  const last = await publication.change(zone);
  await publication.serve(secondary, zone, last);
  await sighted(publication, zone, { serial: last, term: term + 1 });
});

test("a writer of an earlier term changes nothing", async () => {
  await publication.secondary();
  const { zone, id, serial } = await publication.domain();
  const [row] = await publication.sql<{ id: string }>("select id from secondary");
  const seen = {
    ...{ secondaryId: Number(row?.id), domainId: id, zone, serial, provenSerial: serial, lastError: null },
    ...{ isUnproven: false, isHeld: false, isRefused: false, seenAt: new Date("2026-11-22T00:00:00Z") },
  };
  const old = await beginTerm(publication.session());
  const now = await beginTerm(publication.session());
  expect(await storeSightings(publication.session(), now, [seen], [])).toBe(true);
  expect(await storeSightings(publication.session(), old, [{ ...seen, serial: serial + 5 }], [])).toBe(false);
  expect(await publication.sightings(zone)).toMatchObject([{ serial, term: now.number }]);
});

test("what a leader of an earlier term would commit is refused, and it resigns", async () => {
  await publication.secondary();
  const { zone, id, serial } = await publication.domain();
  const [joining] = await publication.sql<{ id: string }>("select id from secondary");
  let resigned = 0;
  const underNewTerm = async () => {
    const term = await beginTerm(publication.session());
    return sessionOfTerm(publication.session(), term, () => {
      resigned += 1;
    });
  };
  const former = await underNewTerm();
  const leader = await underNewTerm();
  await ensureCatalog(leader);
  const record = { owner: "host", type: "A", rdata: "192.0.2.1" };
  const writes: readonly (() => Promise<unknown>)[] = [
    () => ensureCatalog({ ...former, policy: { ...former.policy, catalogZone: "other.zonesmith" } }),
    () => reconcileCatalogs(former),
    () => raisePast(former, id, { past: toSerial(serial + 5), isWhole: true }),
    () => noteJoined(former, [Number(joining?.id)]),
    () => forgetDeleted(former),
    // As a job does, in a transaction and without one.
    () => transaction(former, (inner) => changeZone(inner, zone, { add: [record] })),
    () => changeZone(former, zone, { add: [record] }),
    () => lookAtPublications(former, new AbortController().signal),
  ];
  await publication.sql(
    "insert into awaited_publication (change_id, since, next_at) select max(id), now(), now() from change",
  );
  const stored = () =>
    publication.sql(
      `select zone, serial, joined_at, (select count(*) from zone_record), (select count(*) from awaited_publication)
      from domain, secondary order by zone`,
    );
  const before = await stored();
  for (const write of writes) await expect(write()).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect(await stored()).toEqual(before);
  expect(resigned).toBe(writes.length);
  expect(await reconcileCatalogs(leader)).toMatchObject({ changed: true });
  const raised = await raisePast(leader, id, { past: toSerial(serial + 5), isWhole: true });
  expect(raised).toEqual({ serial: serial + 6, leap: 5 });
  expect(await noteJoined(leader, [Number(joining?.id)])).toHaveLength(1);
  expect(resigned).toBe(writes.length);
});

test("what a leader that is suspended in the midst of a transaction holds is free after a while", async () => {
  const { zone } = await publication.domain();
  const term = await beginTerm(publication.session());
  const leader = sessionOfTerm({ ...publication.session(), idleLimitMs: 500 }, term, () => {});
  const [held, resumed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const suspended = transaction(leader, async (inner) => {
    await changeZone(inner, zone, { add: [{ owner: "leader", type: "A", rdata: "192.0.2.1" }] });
    held.resolve();
    await resumed.promise;
  });
  const outcome = expect(suspended).rejects.toThrow();
  await Promise.race([held.promise, outcome]);
  await publication.change(zone).finally(resumed.resolve);
  await outcome;
  expect(await publication.sql("select owner from zone_record where owner = 'leader'")).toEqual([]);
});

test("a deleted zone is looked for at those who follow the catalog until they refuse it", async () => {
  const { follower, other } = await followers();
  const { zone, serial } = await publication.domain();
  for (const secondary of [follower, other]) await publication.serve(secondary, zone, serial);
  publication.publish();
  await eventually(async () => expect(await publication.sightings(zone)).toMatchObject([{ serial }, { serial }]));
  await eventually(async () =>
    expect(
      await publication.sql("select from sighting where zone = $1 and serial is not null", [catalog]),
    ).toHaveLength(1),
  );
  const announced = follower.notified(zone).length;
  await deleteDomain(publication.session(), zone);
  const asked = follower.queries.filter((query) => query.zone === zone).length;
  await eventually(() =>
    expect(follower.queries.filter((query) => query.zone === zone).length).toBeGreaterThan(asked + 1),
  );
  expect((await publication.sightings(zone)).some(({ isRefused }) => isRefused)).toBe(false);
  follower.serials.delete(zone);
  await eventually(async () =>
    expect((await publication.sightings(zone)).map(({ isRefused }) => isRefused).toSorted()).toEqual([false, true]),
  );
  expect(follower.notified(zone)).toHaveLength(announced);
});

test("the catalog holds every domain under its member id, and a new id for one that is renewed", async () => {
  await followers();
  const [one, two] = [await publication.domain(), await publication.domain()];
  publication.publish();
  await eventually(async () => expect(await members()).toEqual([`${one.zone}.`, `${two.zone}.`]));
  const owners = await memberOwners();
  await transaction(publication.session(), (inner) => renewMember(inner, one.id));
  await eventually(async () =>
    expect((await memberOwners()).filter((owner) => owners.includes(owner))).toHaveLength(1),
  );
  expect(await members()).toEqual([`${one.zone}.`, `${two.zone}.`]);
});

test("a catalog that would shrink suddenly waits for an administrator; additions do not", async () => {
  await followers();
  const zones: string[] = [];
  for (let count = 0; count < 12; count += 1) zones.push((await publication.domain()).zone);
  const publisher = publication.publish();
  await eventually(async () => expect(await members()).toHaveLength(12));
  await publication.stop(publisher);
  for (const zone of zones.slice(0, 11)) await deleteDomain(publication.session(), zone);
  publication.publish();
  await eventually(async () =>
    expect(await catalogHold(publication.session())).toMatchObject({ members: 12, removals: 11 }),
  );
  const added = await publication.domain();
  await eventually(async () => expect(await members()).toContain(`${added.zone}.`));
  expect(await members()).toHaveLength(13);
  await confirmCatalog(publication.session(), 11);
  await eventually(async () => expect(await members()).toEqual([`${zones[11]}.`, `${added.zone}.`].toSorted()));
  await eventually(async () => expect(await catalogHold(publication.session())).toBeUndefined());
});

test("without a secondary there is no catalog", async () => {
  await publication.domain();
  publication.publish();
  await eventually(async () => expect(publication.logged.join()).toContain("publishing"));
  expect(await publication.sql("select from domain where user_id is null")).toEqual([]);
});

test("a key opens every zone and the catalog; an address only what is not the catalog, and only where allowed", async () => {
  const { name } = await followers();
  const { zone } = await publication.domain();
  await ensureCatalog(publication.session());
  const accessOf = (which: string, address: string, keyName?: string) =>
    transferAccess(publication.session(), which, undefined, { address, keyName });
  const may = async (...peer: Parameters<typeof accessOf>) => (await accessOf(...peer)).mayTransfer;
  const users = "users.key.example";
  await createTsigKey(publication.session(), users, "hmac-sha256", { userId: publication.userId });
  expect(await accessOf(zone, "192.0.2.9", users)).toMatchObject({ mayTransfer: true, isSecondary: false });
  expect(await accessOf(zone, "192.0.2.9", name)).toMatchObject({ mayTransfer: true, isSecondary: true });
  expect(await may(catalog, "192.0.2.9", name)).toBe(true);
  expect(await may(zone, "127.0.0.1", "other.key.example")).toBe(false);
  await publication.sql("update secondary set allow_unsigned_transfer = false");
  expect(await may(zone, "127.0.0.1")).toBe(false);
  await publication.sql("update secondary set allow_unsigned_transfer = true");
  expect(await may(zone, "::ffff:127.0.0.1")).toBe(true);
  expect(await may(zone, "192.0.2.9")).toBe(false);
  expect(await may(catalog, "127.0.0.1")).toBe(false);
});

test("a change does not reset the lag, what is served ends that of its serial alone, and the last one all of it", async () => {
  const [one, other] = [await publication.secondary(), await publication.secondary()];
  const { zone, serial } = await publication.domain();
  const publisher = publication.publish();
  const states = () => [0, 1].map((at) => publisher.states()?.[at] ?? noState);
  const bothLag = () => {
    for (const state of states()) expect(state).toMatchObject({ pending: 1, late: 0, isSilent: false });
    for (const { lagMs } of states()) expect(lagMs).toBeGreaterThan(1000);
  };
  await eventually(bothLag);
  const notified = one.notified(zone).length;
  const last = await publication.change(zone);
  await eventually(() => expect(one.notified(zone).length).toBeGreaterThan(notified));
  bothLag();
  await publication.serve(one, zone, serial);
  await eventually(() => {
    const [behindOne = noState, behindBoth = noState] = states();
    expect(behindBoth.lagMs - behindOne.lagMs).toBeGreaterThan(900);
    expect(behindOne.pending).toBe(1);
  });
  for (const secondary of [one, other]) await publication.serve(secondary, zone, last);
  await eventually(() => {
    expect(publisher.states()).toHaveLength(2);
    for (const state of states()) expect(state).toMatchObject({ pending: 0, late: 0, lagMs: 0, isSilent: false });
  });
});
const noState: SecondaryState = { name: "", isSilent: true, isJoining: false, pending: 0, late: 0, lagMs: 0 };

test("when changes may have been missed, the catalog is compared, also where the only secondary is silent and has enough to do", async () => {
  const secondary = await publication.secondary();
  secondary.mute = true;
  const add = (count: number, at: string) =>
    publication.sql(
      `insert into domain (zone, user_id, serial) select 'z' || n || '.${at}.example', $1, 1 from generate_series(1, $2) n`,
      [publication.userId, count],
    );
  await add(2100, "first");
  const publisher = publication.publish();
  await eventually(() => expect(publisher.states()).toMatchObject([{ isSilent: true, pending: 2100 }]));
  await eventually(async () => expect(await memberRecords()).toHaveLength(2100));
  await add(1, "later");
  await withMomentsAhead(61_000, () => eventually(async () => expect(await memberRecords()).toHaveLength(2101)));
});

test("a leader forgets the zones that were deleted two days ago and that the secondary refuses", async () => {
  await publication.secondary();
  await publication.sql(
    `with gone as (insert into deleted_domain (id, zone, user_id, serial, deleted_at)
      values (16, 'gone.example', $1, 1, now() - interval '2 days') returning id, zone)
    insert into sighting (secondary_id, domain_id, zone, is_refused, term)
    select s.id, gone.id, gone.zone, true, 1 from secondary s, gone`,
    [publication.userId],
  );
  expect(await publication.sightings("gone.example")).toHaveLength(1);
  publication.publish();
  await eventually(async () => expect(await publication.sightings("gone.example")).toEqual([]));
});

test("one that does not lead knows nothing of secondaries", async () => {
  await publication.secondary();
  const leader = publication.publish();
  await eventually(() => expect(leader.states()).toHaveLength(1));
  expect(publication.publish().states()).toBeUndefined();
});

/** A secondary with a key that serves the catalog, and one without. */
async function followers(): Promise<{ follower: Responder; other: Responder; name: string }> {
  const { secondary: follower, keyName: name } = await publication.keyed();
  follower.serials.set(catalog, 4000000000);
  follower.signed.add(catalog);
  return { follower, other: await publication.secondary(), name };
}

const memberRecords = () =>
  publication.sql<{ owner: string; rdata: string }>(
    "select owner, rdata from zone_record where type = 'PTR' order by rdata",
  );
const members = async () => (await memberRecords()).map(({ rdata }) => rdata);
const memberOwners = async () => (await memberRecords()).map(({ owner }) => owner);
