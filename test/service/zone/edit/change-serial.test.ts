import { expect, test } from "@jest/globals";
import { domainByZone } from "../../../../src/zone/domain.ts";
import { changeZone } from "../../../../src/zone/edit/change-zone.ts";
import { createDomain, deleteDomain } from "../../../../src/zone/edit/lifecycle.ts";
import { listRecords } from "../../../../src/zone/record-list.ts";
import { testZones } from "../../../setup/zones/session.ts";

const zones = testZones();

const soaOf = async (zone: string) => {
  const { rows } = await listRecords(zones.session(), { zone, types: ["SOA"] }, { first: 1, order: "NAME" });
  return rows[0] as { id: number; rdata: string };
};
const setSerial = async (zone: string, serial: number) => {
  const soa = await soaOf(zone);
  const rdata = soa.rdata.split(" ").with(2, String(serial)).join(" ");
  return changeZone(zones.session(), zone, { update: [{ id: soa.id, rdata }] });
};
let host = 0;
const addHost = (zone: string) =>
  changeZone(zones.session(), zone, { add: [{ owner: `h${++host}`, type: "A", rdata: "192.0.2.1" }] });

test.each([
  {
    rule: "the first change of a day takes the day's first serial",
    at: "2026-11-22T00:00:00Z",
    from: 2026112107,
    to: 2026112201,
  },
  { rule: "a later change of the day adds one", at: "2026-11-22T23:59:59Z", from: 2026112201, to: 2026112202 },
  {
    rule: "the hundredth change of a day runs into the next day's",
    at: "2026-11-22T10:00:00Z",
    from: 2026112299,
    to: 2026112300,
  },
  {
    rule: "a serial that is ahead of the day never goes back",
    at: "2026-11-22T10:00:00Z",
    from: 2030010101,
    to: 2030010102,
  },
  {
    rule: "past the end of the circle the day's serial comes next",
    at: "2026-11-22T10:00:00Z",
    from: 4294967295,
    to: 2026112201,
  },
  { rule: "a small serial after the wrap is behind the day", at: "2026-11-22T10:00:00Z", from: 5, to: 2026112201 },
])("$rule", async ({ at, from, to }) => {
  zones.now = new Date("2026-11-21T12:00:00Z");
  const zone = `from-${from}-${at.slice(11, 13)}.example.com`;
  await createDomain(zones.session(), zones.userId, zone);
  await zones.sql("update domain set serial = $2 where zone = $1", [zone, from]);
  await forceSoa(zone, from);
  zones.now = new Date(at);
  const { change } = await addHost(zone);
  expect([change?.previousSerial, change?.serial]).toEqual([from, to]);
  expect((await domainByZone(zones.session(), zone)).serial).toBe(to);
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
  await createDomain(zones.session(), zones.userId, "kept.example.com");
  expect((await setSerial("kept.example.com", 2026112150)).change?.serial).toBe(2026112150);
  expect((await addHost("kept.example.com")).change?.serial).toBe(2026112151);
});

test.each([2026112101, 2026112100, 1, 2026112101 + 2 ** 31])(
  "an SOA edit to %d, which does not come after 2026112101, is refused",
  async (serial) => {
    const zone = `refused-${serial}.example.com`;
    await createDomain(zones.session(), zones.userId, zone);
    await expect(setSerial(zone, serial)).rejects.toMatchObject({
      code: "SERIAL_NOT_INCREASED",
      field: "update.0.rdata",
    });
    expect((await domainByZone(zones.session(), zone)).serial).toBe(2026112101);
  },
);

test("an SOA edit together with other edits keeps the caller's serial", async () => {
  await createDomain(zones.session(), zones.userId, "both.example.com");
  const soa = await soaOf("both.example.com");
  const rdata = soa.rdata.replace("2026112101", "2026112177");
  const add = [{ owner: "a", type: "A", rdata: "192.0.2.1" }];
  const { change, removed, added } = await changeZone(zones.session(), "both.example.com", {
    update: [{ id: soa.id, rdata }],
    add,
  });
  expect(change).toMatchObject({ previousSerial: 2026112101, serial: 2026112177 });
  expect([removed, added].map((side) => side.map(({ type }) => type))).toEqual([["SOA"], ["SOA", "A"]]);
});

test("a zone born again starts above the last serial ever used under its name", async () => {
  await createDomain(zones.session(), zones.userId, "again.example.com");
  await setSerial("again.example.com", 2030010105);
  await deleteDomain(zones.session(), "again.example.com");
  expect((await createDomain(zones.session(), zones.userId, "again.example.com")).domain.serial).toBe(2030010106);
  await deleteDomain(zones.session(), "AGAIN.example.com.");
  expect((await createDomain(zones.session(), zones.userId, "again.example.com")).domain.serial).toBe(2030010107);
});

test("an edit that changes nothing writes nothing", async () => {
  await createDomain(zones.session(), zones.userId, "still.example.com");
  const { records } = await changeZone(zones.session(), "still.example.com", {
    add: [{ owner: "m", type: "MX", ttl: 300, rdata: "10 mail" }],
  });
  const id = records[0]?.id as number;
  const again = await changeZone(zones.session(), "still.example.com", {
    update: [{ id, owner: "M.still.example.com.", type: "mx", ttl: 300, rdata: "010 mail.still.example.com." }],
  });
  expect(again).toMatchObject({ change: null, removed: [], added: [], records: [{ id, owner: "m", ttl: 300 }] });
  expect((await domainByZone(zones.session(), "still.example.com")).serial).toBe(2026112102);
});
