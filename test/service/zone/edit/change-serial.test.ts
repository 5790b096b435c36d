/** The serials and times of the changes of a zone: neither decreases, whatever the clock of the process shows and the caller sends. */
import { expect, test } from "@jest/globals";
import { transaction } from "../../../../src/session/transaction.ts";
import { changeZone } from "../../../../src/zone/edit/change-zone.ts";
import { createDomain } from "../../../../src/zone/lifecycle/domain-lifecycle.ts";
import { importZone } from "../../../../src/zone/master-file/import.ts";
import { actorOf, fieldsOf, reasonsOf, testZones } from "../../../setup/zones/session.ts";

const zones = testZones();

const soaOf = async (zone: string) =>
  (await zones.records(zone)).find(({ type }) => type === "SOA") as { id: number; rdata: string };
const create = (zone: string) => zones.create(zone);
const setSerial = async (zone: string, serial: number) => {
  const soa = await soaOf(zone);
  const rdata = soa.rdata.split(" ").with(2, String(serial)).join(" ");
  return zones.change(zone, { update: [{ id: soa.id, rdata }] });
};
let host = 0;
const addHost = (zone: string) => zones.change(zone, { add: [{ owner: `h${++host}`, type: "A", rdata: "192.0.2.1" }] });

test.each([
  ["the first change of a day takes the day's first serial", "2026-11-22T00:00:00Z", 2026112107, 2026112201],
  ["a later change of the day adds one", "2026-11-22T23:59:59Z", 2026112201, 2026112202],
  ["the hundredth change of a day runs into the next day's", "2026-11-22T10:00:00Z", 2026112299, 2026112300],
  ["a serial that is ahead of the day never goes back", "2026-11-22T10:00:00Z", 2030010101, 2030010102],
  ["one that is half the circle ahead does not either", "2026-11-22T10:00:00Z", 4173595860, 4173595861],
  ["past the end of the circle the day's serial comes next", "2026-11-22T10:00:00Z", 4294967295, 2026112201],
  ["a small serial after the wrap is behind the day", "2026-11-22T10:00:00Z", 5, 2026112201],
])("%s", async (_rule, at, from, to) => {
  zones.now = new Date("2026-11-21T12:00:00Z");
  const zone = `from-${from}-${at.slice(11, 13)}.example.com`;
  await create(zone);
  await zones.sql("update domain set serial = $2 where zone = $1", [zone, from]);
  await forceSoa(zone, from);
  zones.now = new Date(at);
  const { change } = await addHost(zone);
  expect([change?.previousSerial, change?.serial]).toEqual([from, to]);
  expect((await zones.domain(zone)).serial).toBe(to);
  expect((await soaOf(zone)).rdata.split(" ")[2]).toBe(String(to));
});

/** Puts a serial under a zone's SOA that no sequence of changes could reach in a test. */
async function forceSoa(zone: string, serial: number): Promise<void> {
  await zones.sql(
    `update zone_record r set wire = overlay(wire placing decode(lpad(to_hex($2::bigint), 8, '0'), 'hex') from length(wire) - 19),
      rdata = regexp_replace(rdata, ' \\d+ (\\d+ \\d+ \\d+ \\d+)$', ' ' || $2::bigint || ' \\1')
    from domain d where d.id = r.domain_id and d.zone = $1 and r.type = 'SOA'`,
    [zone, serial],
  );
}

test("the caller's greater serial is kept as given, and the next change adds one to it", async () => {
  zones.now = new Date("2026-11-21T12:00:00Z");
  await create("kept.example.com");
  expect((await setSerial("kept.example.com", 2026112150)).change?.serial).toBe(2026112150);
  expect((await addHost("kept.example.com")).change?.serial).toBe(2026112151);
});

test.each([2026112101, 2026112100, 1, 2026112101 + 2 ** 31])(
  "an SOA edit to %d, which does not come after 2026112101, is refused",
  async (serial) => {
    const zone = `refused-${serial}.example.com`;
    await create(zone);
    expect(await reasonsOf(setSerial(zone, serial))).toEqual(["SERIAL_NOT_INCREASED update.0.rdata"]);
    expect((await zones.domain(zone)).serial).toBe(2026112101);
  },
);

test("an SOA edit together with other edits keeps the caller's serial", async () => {
  await create("both.example.com");
  const soa = await soaOf("both.example.com");
  const rdata = soa.rdata.replace("2026112101", "2026112177");
  const add = [{ owner: "a", type: "A", rdata: "192.0.2.1" }];
  const { change, removed, added } = await zones.change("both.example.com", {
    update: [{ id: soa.id, rdata }],
    add,
  });
  expect(change).toMatchObject({ previousSerial: 2026112101, serial: 2026112177 });
  expect([removed, added].map((side) => side.map(({ type }) => type))).toEqual([[], ["A"]]);
});

test("a zone that is created again starts above the last serial ever used under its name", async () => {
  await create("again.example.com");
  await setSerial("again.example.com", 2030010105);
  await zones.remove("again.example.com");
  expect((await create("again.example.com")).domain.serial).toBe(2030010106);
  await zones.remove("AGAIN.example.com.");
  expect((await create("again.example.com")).domain.serial).toBe(2030010107);
});

const noon = new Date("2026-11-21T12:00:00Z");
const [later, earlier] = [new Date("2026-11-21T12:30:00Z"), new Date("2026-11-21T11:00:00Z")];

const times = async (zone: string) => (await zones.journal(zone)).map(({ createdAt }) => createdAt);

test("the time of a change is never before that of the previous change, by every way in which a zone is changed", async () => {
  zones.now = noon;
  const zone = await zones.zone();
  zones.now = later;
  expect((await zones.add(zone, "a A 192.0.2.1")).change?.createdAt).toEqual(later);
  zones.now = earlier;
  expect((await zones.add(zone, "b A 192.0.2.1")).change?.createdAt).toEqual(later);
  const inTransaction = await transaction(zones.session(), (session) =>
    changeZone(session, zone, { add: [fieldsOf("c A 192.0.2.1")] }),
  );
  expect(inTransaction.change?.createdAt).toEqual(later);
  await importZone(zones.session(), { zone, text: ["d 300 IN A 192.0.2.1\n"], mode: "MERGE" });
  expect((await zones.remove(zone)).createdAt).toEqual(later);
  expect(await times(zone)).toEqual([noon, later, later, later, later, later]);
});

test("a zone whose name was used before begins at the time of its creation", async () => {
  zones.now = later;
  const zone = await zones.zone();
  await zones.remove(zone);
  zones.now = earlier;
  await create(zone);
  expect((await times(zone)).at(-1)).toEqual(earlier);
  await zones.remove(zone);
  await createDomain(zones.session(actorOf(zones.userId)), zones.userId, zone);
  expect((await times(zone)).at(-1)).toEqual(earlier);
});
