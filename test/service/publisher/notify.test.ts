import { afterEach, expect, test } from "@jest/globals";
import { Rcode } from "../../../src/dns/message/header.ts";
import { transaction } from "../../../src/session/transaction.ts";
import { changeZone } from "../../../src/zone/edit/change-zone.ts";
import { createDomain } from "../../../src/zone/lifecycle/domain-lifecycle.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { Responder } from "../../setup/dns/responder.ts";
import { sighted, testPublication } from "../../setup/zones/publishers.ts";
import { policy } from "../../setup/zones/session.ts";

const publication = testPublication();
afterEach(() => publication.clear());

test("a commit is NOTIFYed, and what is sighted is what the secondary serves", async () => {
  const secondary = await publication.secondary();
  const { zone, serial } = await publication.domain();
  await publication.serve(secondary, zone, serial);
  publication.publish();
  await sighted(publication, zone, { serial, lastError: null });
  for (let served = serial, round = 0; round < 3; round += 1) {
    const known = secondary.notified(zone).length;
    const next = await publication.change(zone);
    await eventually(() => expect(secondary.notified(zone).length).toBeGreaterThan(known));
    const asked = secondary.queries.length;
    await eventually(() => expect(secondary.queries.length).toBeGreaterThan(asked));
    expect(await publication.sightings(zone)).toMatchObject([{ serial: served }]);
    await publication.serve(secondary, zone, next);
    await sighted(publication, zone, { serial: next, lastError: null });
    const answer = { query_answer: String(next), query_zone: zone };
    await eventually(async () =>
      expect(await publication.sql("select query_answer, query_zone from secondary")).toEqual([answer]),
    );
    served = next;
  }
});

test("NOTIFY is repeated until it is acknowledged, and no longer", async () => {
  const secondary = new Responder();
  let silent = 3;
  secondary.onNotify = () => (silent-- > 0 ? undefined : Rcode.NOERROR);
  await publication.secondary(secondary);
  const { zone, serial } = await publication.domain();
  publication.publish();
  await eventually(() => expect(secondary.notified(zone)).toHaveLength(4));
  const after = secondary.queries.length;
  await eventually(() => expect(secondary.queries.length).toBeGreaterThan(after));
  expect(secondary.notified(zone)).toHaveLength(4);
  await publication.serve(secondary, zone, serial);
  await sighted(publication, zone, { serial });
});

test.each([
  ["NSD's rcode 3", Rcode.NXDOMAIN],
  ["PowerDNS's REFUSED", Rcode.REFUSED],
  ["Knot's and BIND's NOTAUTH", Rcode.NOTAUTH],
])("%s ends NOTIFY for a zone the secondary does not have; sighting goes on", async (_, rcode) => {
  const secondary = new Responder();
  secondary.onNotify = () => rcode;
  await publication.secondary(secondary);
  const { zone, serial } = await publication.domain();
  publication.publish();
  await sighted(publication, zone, {
    serial: null,
    isRefused: true,
    lastError: "It does not have the zone (REFUSED).",
  });
  // It is sent again only when the answer is late.
  await eventually(async () =>
    expect(await publication.sql("select notify_answer from secondary")).toEqual([
      { notify_answer: expect.stringMatching(/^(NXDOMAIN|REFUSED|NOTAUTH)/) },
    ]),
  );
  const [announced, asked] = [secondary.notified(zone).length, secondary.queries.length];
  await eventually(() =>
    expect(secondary.queries.filter((query) => query.zone === zone).length).toBeGreaterThan(asked + 2),
  );
  expect(secondary.notified(zone)).toHaveLength(announced);
  await publication.serve(secondary, zone, serial);
  await sighted(publication, zone, { serial, isRefused: false, lastError: null });
});

test("the last serial of two hundred changes of a zone in a row is sighted", async () => {
  const secondary = await publication.secondary();
  const { zone, serial } = await publication.domain();
  await publication.serve(secondary, zone, serial);
  publication.publish();
  await sighted(publication, zone, { serial });
  let last = serial;
  for (let count = 0; count < 200; count += 1) last = await publication.change(zone);
  await publication.serve(secondary, zone, last);
  await sighted(publication, zone, { serial: last });
});

test("of many zones that are created, the secondary learns of those beyond a hundred from the catalog", async () => {
  const secondary = new Responder();
  secondary.missing = Rcode.REFUSED;
  await publication.secondary(secondary);
  publication.publish();
  const { zone: first } = await publication.domain();
  await eventually(() => expect(secondary.notified(first)).not.toEqual([]));
  // One commit, so that the publisher takes them up together, however busy the machine is.
  const zones = Array.from({ length: 99 }, (_, at) => `many${at}.example.com`);
  await transaction(publication.session(), async (inner) => {
    for (const zone of zones) await createDomain(inner, publication.userId, zone);
  });
  // A zone is urgent for some seconds alone, so not all are waited for.
  await eventually(() => expect(secondary.notified(zones[0] as string)).not.toEqual([]));
  await publication.domain();
  const { zone: last } = await publication.domain();
  for (const zone of zones) await eventually(() => expect(secondary.notified(zone)).not.toEqual([]));
  await eventually(() => expect(secondary.queries.filter(({ zone }) => zone === last).length).toBeGreaterThan(1));
  expect(secondary.notified(last)).toEqual([]);
});

test("what was changed while there was no secondary does not count against what is changed once there is one", async () => {
  const publisher = publication.publish();
  await publication.secondary();
  await eventually(() => expect(publisher.states()).toHaveLength(1));
  for (let count = 0; count < 20; count += 1) await publication.domain();
  await publication.sql("truncate secondary cascade");
  await eventually(() => expect(publisher.states()).toEqual([]));
  for (let count = 0; count < 90; count += 1) await publication.domain();
  const secondary = new Responder();
  secondary.missing = Rcode.REFUSED;
  await publication.secondary(secondary);
  let last = "";
  for (let count = 0; count < 30; count += 1) {
    last = (await publication.domain()).zone;
    await eventually(() => expect(secondary.queries.some(({ zone }) => zone === last)).toBe(true));
  }
  await eventually(() => expect(secondary.notified(last)).not.toEqual([]));
});

test("a change that another instance committed is found by polling", async () => {
  const secondary = await publication.secondary();
  const { zone, serial, id } = await publication.domain();
  await publication.serve(secondary, zone, serial);
  publication.publish();
  await sighted(publication, zone, { serial });
  const known = secondary.notified(zone).length;
  await publication.sql(
    `with d as (update domain set serial = serial + 1 where id = $1 returning *)
    insert into change (domain_id, zone, kind, previous_serial, serial, actor, door) select id, zone, 'EDIT', serial - 1, serial, 'x', 'rest' from d`,
    [id],
  );
  await eventually(() => expect(secondary.notified(zone).length).toBeGreaterThan(known));
});

test("a change with a lower id that commits after a higher one is found", async () => {
  const secondary = await publication.secondary();
  const [slow, fast] = [await publication.domain(), await publication.domain()];
  for (const { zone, serial } of [slow, fast]) await publication.serve(secondary, zone, serial);
  publication.publish();
  for (const { zone, serial } of [slow, fast]) await sighted(publication, zone, { serial });
  const known = secondary.notified(slow.zone).length;
  const session = publication.session();
  await session.em.transactional(async (em) => {
    await changeZone({ ...session, em }, slow.zone, { add: [{ owner: "slow", type: "A", rdata: "192.0.2.1" }] });
    const serial = await publication.change(fast.zone);
    await publication.serve(secondary, fast.zone, serial);
    await sighted(publication, fast.zone, { serial });
  });
  await eventually(() => expect(secondary.notified(slow.zone).length).toBeGreaterThan(known));
});

test("a change that was under way when the publisher began is found, though a later one was committed before", async () => {
  const secondary = await publication.secondary();
  const [slow, fast] = [await publication.domain(), await publication.domain()];
  for (const { zone, serial } of [slow, fast]) secondary.serials.set(zone, serial);
  const session = publication.session();
  let known = 0;
  await session.em.transactional(async (em) => {
    await changeZone({ ...session, em }, slow.zone, { add: [{ owner: "slow", type: "A", rdata: "192.0.2.1" }] });
    await publication.change(fast.zone);
    publication.publish();
    await sighted(publication, slow.zone, { serial: slow.serial });
    known = secondary.notified(slow.zone).length;
  });
  await eventually(() => expect(secondary.notified(slow.zone).length).toBeGreaterThan(known));
});

test("a secondary that takes no NOTIFY is sighted all the same", async () => {
  const secondary = await publication.secondary(new Responder(), { notify: false });
  const { zone, serial } = await publication.domain();
  await publication.serve(secondary, zone, serial);
  publication.publish();
  await sighted(publication, zone, { serial });
  expect(secondary.notifies).toEqual([]);
});

test("packets are signed with the secondary's key; answers that are not are not believed", async () => {
  const { secondary } = await publication.keyed();
  const { key } = secondary;
  secondary.key = undefined;
  const { zone, serial } = await publication.domain();
  await publication.serve(secondary, zone, serial);
  publication.publish();
  await sighted(publication, zone, { serial: null, lastError: expect.stringContaining("not signed") as never });
  secondary.key = key;
  await sighted(publication, zone, { serial, lastError: null });
  expect(secondary.notifies.every(({ isSigned }) => isSigned)).toBe(true);
  expect(secondary.queries.every(({ isSigned }) => isSigned)).toBe(true);
  await eventually(async () =>
    expect(await publication.sql("select notify_answer, tsig_error from secondary")).toEqual([
      { notify_answer: "NOERROR", tsig_error: expect.stringContaining("not signed") },
    ]),
  );
});

test("a secondary that was down is told, and sighted, when it is back", async () => {
  const secondary = await publication.secondary();
  const { zone } = await publication.domain();
  secondary.mute = true;
  publication.publish();
  await sighted(publication, zone, { serial: null, lastError: expect.stringMatching(/^No answer within/) as never });
  await eventually(async () =>
    expect(await publication.sql("select notify_answer from secondary")).toEqual([
      { notify_answer: expect.stringMatching(/^no answer/) },
    ]),
  );
  await publication.change(zone);
  const last = await publication.change(zone);
  await publication.serve(secondary, zone, last);
  secondary.mute = false;
  await sighted(publication, zone, { serial: last, lastError: null });
});

test("a secondary that does not follow the catalog rightly refuses it: that is not shown as its last answer", async () => {
  const catalog = policy.catalogZone;
  const { secondary } = await publication.keyed();
  secondary.onNotify = (zone) => (zone === catalog ? Rcode.NXDOMAIN : Rcode.NOERROR);
  publication.publish();
  await eventually(() => expect(secondary.notified(catalog)).not.toEqual([]));
  await sighted(publication, catalog, { serial: null, lastError: expect.stringContaining("REFUSED") as never });
  const [row] = await publication.sql("select notify_answer, query_answer from secondary");
  expect(row).toEqual({ notify_answer: null, query_answer: null });
  const { zone, serial } = await publication.domain();
  await publication.serve(secondary, zone, serial);
  await sighted(publication, zone, { serial, lastError: null });
  await publication.change(zone);
  await eventually(async () =>
    expect(await publication.sql("select notify_answer from secondary")).toEqual([{ notify_answer: "NOERROR" }]),
  );
});
