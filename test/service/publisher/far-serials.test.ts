/**
 * Secondaries that serve a serial which no lost history can have given: the zone's is not raised past it by itself, however often they
 * answer, and an administrator's resync raises it.
 */
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { serial as serialOfNumber } from "../../../src/dns/serial.ts";
import { raisePast, resyncDomain } from "../../../src/secondary/resync.ts";
import { system } from "../../../src/session/authorization.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { sighted, testPublication } from "../../setup/zones/publishers.ts";

const publication = testPublication();
let zone: string;
let serial: number;
let id: number;

beforeEach(async () => {
  ({ zone, serial, id } = await publication.domain());
});
afterEach(() => publication.clear());

const serialOf = async (): Promise<number> =>
  Number((await publication.sql<{ serial: string }>("select serial from domain where zone = $1", [zone]))[0]?.serial);
const becomes = (expected: number) => eventually(async () => expect(await serialOf()).toBe(expected));
const proven = (at: number) =>
  sighted(publication, zone, { serial: at, provenSerial: at, isUnproven: false, lastError: null });
/** Expects a sighting with a text about the problem. */
const unproven = (at: number, text: string) =>
  sighted(publication, zone, { serial: at, isUnproven: true, lastError: expect.stringContaining(text) as never });

const farthest = 2 ** 31 - 2;
const ahead = (steps: number) => (serial + steps) % 2 ** 32;

test("a far serial is not raised past by itself, and not when another secondary's is; it is said how an administrator does", async () => {
  const liar = await publication.secondary();
  liar.serials.set(zone, ahead(farthest));
  publication.publish();
  await unproven(ahead(farthest), "zonesmith resync --all");
  const honest = await publication.secondary();
  honest.serials.set(zone, serial + 7);
  await becomes(serial + 8);
  await publication.serve(honest, zone, serial + 8);
  const states = async () => (await publication.sightings(zone)).map(({ serial }) => serial).toSorted();
  await eventually(async () => expect(await states()).toEqual([serial + 8, ahead(farthest)].toSorted()));
  expect(await serialOf()).toBe(serial + 8);

  const asUser = {
    ...publication.session(),
    actor: { ...system, role: "user", userId: publication.userId } as const,
  };
  await expect(resyncDomain(asUser, zone)).rejects.toMatchObject({
    code: "FORBIDDEN",
    field: "zone",
    message: expect.stringContaining(`serves serial ${ahead(farthest)}`),
  });
  const near = "update sighting set serial = $1, is_unproven = true where serial = $2";
  await publication.sql(near, [serial + 14, serial + 8]);
  expect((await resyncDomain(asUser, zone)).change?.serial).toBe(serial + 15);
  expect((await resyncDomain(publication.session(), zone)).change?.serial).toBe(ahead(farthest + 1));
});

test.each([
  ["exactly half the circle away, which has no order", 2 ** 31, 2],
  ["one less, past which there is no order", 2 ** 31 - 1, 2],
])("%s: resyncDomain takes ordinary steps before it raises past it", async (_what, lead, steps) => {
  const liar = await publication.secondary();
  liar.serials.set(zone, ahead(lead));
  publication.publish();
  await unproven(ahead(lead), "zonesmith resync --all");
  const resync = async () => (await resyncDomain(publication.session(), zone)).change?.serial;
  expect(await resync()).toBe(serial + steps);
  expect(await resync()).toBe(ahead(lead + 1));
});

test("a far serial is not reached by several raises in a term either, of a secondary that is proven between or of another", async () => {
  const leap = 4_000_000;
  const liar = await publication.secondary();
  await publication.serve(liar, zone, serial);
  publication.publish();
  await proven(serial);
  for (const raised of [serial + leap + 1, serial + 2 * leap + 2]) {
    liar.serials.set(zone, raised - 1);
    await publication.change(zone);
    await becomes(raised);
    await publication.serve(liar, zone, raised);
    await proven(raised);
  }
  const last = await publication.change(zone);
  liar.serials.set(zone, last + leap);
  await unproven(last + leap, "zonesmith resync --all");
  const other = await publication.secondary();
  other.serials.set(zone, last + leap - 1);
  await eventually(async () =>
    expect((await publication.sightings(zone)).map(({ lastError }) => lastError)).toEqual(
      Array(2).fill(expect.stringContaining("zonesmith resync --all")),
    ),
  );
  expect(await serialOf()).toBe(last);
  other.serials.set(zone, last + 1_000_000);
  await publication.change(zone);
  await becomes(last + 1_000_001);
});

test.each([
  ["an ordinary change and a leap that needs no force", 10_000_001, 10_000_002],
  ["farther", 10_000_002, 0],
  ["half the circle, which has no order", 2 ** 31, 0],
  ["behind", -1, 0],
])("%s: %p past it is raised by %p", async (_what, lead, raised) => {
  const past = serialOfNumber(ahead(lead));
  expect((await raisePast(publication.session(), id, { past, isWhole: false }))?.serial).toBe(serial + raised);
});
