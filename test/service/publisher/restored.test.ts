/**
 * Secondaries that serve what was not transferred to them from here, as after a restored backup: the zone's serial is raised past
 * theirs, once in a term, or their copy is compared with ours.
 */
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { Flag, Rcode } from "../../../src/dns/message/header.ts";
import { type ResourceRecord, readMessage } from "../../../src/dns/message/message-reader.ts";
import { MessageWriter } from "../../../src/dns/message/message-writer.ts";
import { resyncDomain } from "../../../src/secondary/resync.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { Responder } from "../../setup/dns/responder.ts";
import { sighted, testPublication } from "../../setup/zones/publishers.ts";
import { policy } from "../../setup/zones/session.ts";
import { committedRecords, recordOf, transferMessages } from "../../setup/zones/zone-copy.ts";

const publication = testPublication();
const catalog = policy.catalogZone;
let zone: string;
let serial: number;

beforeEach(async () => {
  ({ zone, serial } = await publication.domain());
});
afterEach(() => publication.clear());

const serialOf = async (name = zone): Promise<number> =>
  Number((await publication.sql<{ serial: string }>("select serial from domain where zone = $1", [name]))[0]?.serial);
const becomes = (expected: number, name = zone) => eventually(async () => expect(await serialOf(name)).toBe(expected));
const proven = (at: number) =>
  sighted(publication, zone, { serial: at, provenSerial: at, isUnproven: false, lastError: null });
/** Expects a sighting with a text about the problem. */
const unproven = (at: number, text: string) =>
  sighted(publication, zone, { serial: at, isUnproven: true, lastError: expect.stringContaining(text) as never });

describe("a secondary at a serial that was not transferred to it", () => {
  test.each([
    ["ahead of ours", 7],
    ["equal to ours by chance", 0],
  ])("%s: the serial is raised past it, and the zone is published again", async (_what, lead) => {
    const secondary = await publication.secondary();
    secondary.serials.set(zone, serial + lead);
    publication.publish();
    await becomes(serial + lead + 1);
    await unproven(serial + lead, "not transferred to it from here");
    await eventually(() => expect(secondary.notified(zone)).not.toEqual([]));
    await publication.serve(secondary, zone, serial + lead + 1);
    await proven(serial + lead + 1);
    expect(await publication.sql("select from change where zone = $1", [zone])).toHaveLength(2);
  });

  test("behind ours: it gets the whole zone when it transfers, and the serial stays", async () => {
    const secondary = await publication.secondary();
    const last = await publication.change(zone);
    secondary.serials.set(zone, serial);
    publication.publish();
    await unproven(serial, "it gets the whole zone");
    await eventually(() => expect(secondary.notified(zone)).not.toEqual([]));
    await publication.serve(secondary, zone, last);
    await proven(last);
    expect(await serialOf()).toBe(last);
  });

  test("of the catalog: that is raised too", async () => {
    const { secondary } = await publication.keyed();
    const publisher = publication.publish();
    await eventually(async () => expect(await serialOf(catalog)).not.toBeNaN());
    await eventually(async () =>
      expect(await publication.sql("select from zone_record where type = 'PTR'")).toHaveLength(1),
    );
    await publication.stop(publisher);
    const before = await serialOf(catalog);
    secondary.serials.set(catalog, before + 3);
    publication.publish();
    await becomes(before + 4, catalog);
    expect(await publication.sql("select ttl from zone_record where type = 'SOA' and ttl = 0")).toHaveLength(1);
  });

  test("is raised past once in a term, although it takes up each serial without a transfer from here", async () => {
    const secondary = await publication.secondary();
    secondary.serials.set(zone, serial);
    const publisher = publication.publish();
    await becomes(serial + 1);
    secondary.serials.set(zone, serial + 1);
    await unproven(serial + 1, "register it as indirect");
    secondary.serials.set(zone, serial + 5);
    await publication.change(zone);
    await unproven(serial + 5, "register it as indirect");
    expect(await serialOf()).toBe(serial + 2);
    await publication.stop(publisher);
    publication.publish();
    await becomes(serial + 6);
  });

  test("is raised past by resyncDomain as well", async () => {
    const secondary = await publication.secondary();
    secondary.serials.set(zone, serial);
    publication.publish();
    await becomes(serial + 1);
    secondary.serials.set(zone, serial + 9);
    await publication.change(zone);
    await unproven(serial + 9, "register it as indirect");
    expect((await resyncDomain(publication.session(), zone)).change?.serial).toBe(serial + 10);
  });
});

describe("a secondary whose transfers are not recognized", () => {
  test.each<[string, () => Promise<Responder>]>([
    [
      "since another has its key",
      async () => {
        const { secondary, tsigKeyId } = await publication.keyed();
        const other = await publication.secondary(new Responder(), { tsigKeyId });
        other.key = secondary.key;
        return secondary;
      },
    ],
    [
      "since it has neither a key nor the right to transfer unsigned",
      async () => {
        const secondary = await publication.secondary();
        await publication.sql("update secondary set allow_unsigned_transfer = false");
        return secondary;
      },
    ],
  ])("%s is proven by its move to a serial of ours in this term", async (_what, create) => {
    const secondary = await create();
    secondary.serials.set(zone, serial + 2);
    publication.publish();
    await becomes(serial + 3);
    secondary.serials.set(zone, serial + 3);
    const sighting = `select proven_serial::float8 as serial from sighting g join secondary s on s.id = g.secondary_id
      where zone = $1 and port = $2`;
    await eventually(async () =>
      expect(await publication.sql(sighting, [zone, secondary.port])).toEqual([{ serial: serial + 3 }]),
    );
    expect(await serialOf()).toBe(serial + 3);
  });
});

describe("a copy is compared with ours", () => {
  /** Lets a secondary serve a copy of the zone as it is now, at this serial, edited. */
  async function serveCopy(
    secondary: Responder,
    at: number,
    edit = (records: readonly ResourceRecord[]) => records,
  ): Promise<void> {
    const records = edit(await committedRecords(publication, zone, at));
    secondary.onTransfer = (_zone, request) => transferMessages(request, records);
    secondary.serials.set(zone, at);
  }
  const signature = () =>
    recordOf(zone, "@", "RRSIG", "SOA 13 2 300 20300101000000 20200101000000 1 copy.example. aaaa");
  const withOther = (records: readonly ResourceRecord[]) => [...records, recordOf(zone, "lost", "A", "192.0.2.1")];

  test("of an indirect secondary: an equal one is LIVE, and stays so without another transfer", async () => {
    const secondary = await publication.secondary(new Responder(), { indirect: true });
    await serveCopy(secondary, serial);
    const publisher = publication.publish();
    await proven(serial);
    await publication.stop(publisher);
    secondary.onTransfer = () => [];
    publication.publish();
    await eventually(async () => expect((await publication.sightings(zone))[0]?.term).toBe(await publication.term()));
    await proven(serial);
    expect(await serialOf()).toBe(serial);
  });

  test("of an indirect secondary: another one is raised past, and its server is named when that does not help", async () => {
    const secondary = await publication.secondary(new Responder(), { indirect: true });
    await serveCopy(secondary, serial, withOther);
    publication.publish();
    await becomes(serial + 1);
    await serveCopy(secondary, serial + 1, withOther);
    await unproven(serial + 1, "look at the server that it transfers from");
    const last = await publication.change(zone);
    await serveCopy(secondary, last);
    await proven(last);
  });

  test("of an indirect secondary that lets us transfer nothing: nothing is known, and it is said", async () => {
    const secondary = await publication.secondary(new Responder(), { indirect: true });
    secondary.serials.set(zone, serial);
    publication.publish();
    await sighted(publication, zone, {
      provenSerial: null,
      lastError: expect.stringContaining("cannot be compared with ours") as never,
    });
    expect(await serialOf()).toBe(serial);
  });

  /** A signer to which the zone was transferred, and that was sighted at a serial of its own in a term that has ended. */
  async function signer(own = serial + 1, onTransfer?: Responder["onTransfer"]): Promise<Responder> {
    const secondary = await publication.secondary();
    secondary.signed.add(zone);
    if (onTransfer) secondary.onTransfer = onTransfer;
    await publication.transferred(secondary, zone, serial);
    secondary.serials.set(zone, own);
    const publisher = publication.publish();
    await sighted(publication, zone, { serial: own, provenSerial: serial });
    await publication.stop(publisher);
    return secondary;
  }

  test.each([
    ["equal", "as it is", (records: readonly ResourceRecord[]) => records],
    ["another", "raised past", withOther],
  ])("of a signer whose serial moved between two terms: %s copy is %s", async (kind, _what, edit) => {
    const secondary = await signer();
    await serveCopy(secondary, serial + 3, (records) => [...edit(records), signature()]);
    publication.publish();
    if (kind === "another") {
      await becomes(serial + 4);
      expect(await publication.sql("select is_whole_due from transferred_zone")).toEqual([{ is_whole_due: true }]);
      const probes = secondary.queries.length;
      await eventually(() => expect(secondary.queries.length).toBeGreaterThan(probes + 3));
      expect(await serialOf()).toBe(serial + 4);
      return;
    }
    await sighted(publication, zone, { serial: serial + 3, provenSerial: serial, isUnproven: false, lastError: null });
    expect(await serialOf()).toBe(serial);
  });

  const refused = (rcode: number) => (_zone: string, request: Uint8Array) => [
    new MessageWriter({ id: readMessage(request).id, flags: Flag.QR | rcode }).finish(),
  ];

  test("of a signer with serials of its own that refuses us the transfer: the serial is raised once in a term", async () => {
    const own = serial + 20_000_000;
    const secondary = await signer(own, refused(Rcode.REFUSED));
    secondary.serials.set(zone, own + 1);
    publication.publish();
    await becomes(serial + 1);
    await unproven(own + 1, "a later serial has not changed that");
    expect(await serialOf()).toBe(serial + 1);
  });

  test("of a signer that fails while it reloads: it is compared again, and nothing is raised", async () => {
    const secondary = await signer();
    await serveCopy(secondary, serial + 3, (records) => [...records, signature()]);
    const { onTransfer } = secondary;
    let failures = 2;
    const failing = refused(Rcode.SERVFAIL);
    secondary.onTransfer = (name, request) => (failures-- > 0 ? failing : onTransfer)(name, request);
    publication.publish();
    await sighted(publication, zone, { serial: serial + 3, provenSerial: serial, isUnproven: false, lastError: null });
    expect(failures).toBeLessThan(0);
    expect(await serialOf()).toBe(serial);
    expect(await publication.sql("select from transferred_zone where is_whole_due")).toEqual([]);
  });
});

test("those who raise a zone at once wait for each other, and each gets a serial of its own", async () => {
  const raised = await Promise.all(Array.from({ length: 6 }, () => resyncDomain(publication.session(), zone)));
  expect(new Set(raised.map(({ change }) => change?.serial)).size).toBe(6);
  expect(await serialOf()).toBe(serial + 6);
});
