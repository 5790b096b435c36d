/**
 * Databases as earlier versions wrote them: the present version migrates each, gives the answers that were recorded from
 * the version that wrote it, and continues its serials and ids. A version joins by its folder alone; README.md says how one is made.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { zoneNameWire } from "../../../src/dns/name.ts";
import { compareSerial, serial } from "../../../src/dns/serial.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { emptyDatabase, freshDatabase, query } from "../../setup/database/database.ts";
import { serialOf, transfer } from "../../setup/dns/transfer.ts";
import { RunningService } from "../../setup/process/running-service.ts";
import type { Answer, Json, RestOptions } from "../../setup/service/client.ts";
import { drift } from "../../setup/zones/quota.ts";
import type { TestZones } from "../../setup/zones/session.ts";
import { momentsOf, withoutSerials } from "./past.ts";
import { ask, readRecorded, tsigKeyOf } from "./questions.ts";
import { holdPublisher, openSecondaries } from "./surroundings.ts";
import { tables } from "./tables.ts";

/** A key has a limit of requests in progress. */
const askedAtOnce = 8;

const versions = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

describe.each(versions)("a database of version %s", (version) => {
  const recorded = readRecorded(join(import.meta.dirname, version));
  const { settings, writes, apiKeys } = recorded.setup;
  const tsigKey = tsigKeyOf(recorded.setup, writes.tsigKey);
  let databaseUrl: string;
  let service: RunningService;
  let release = async () => {};

  beforeAll(async () => {
    databaseUrl = await emptyDatabase();
    await query(databaseUrl, recorded.dump);
    release = await holdPublisher(databaseUrl);
    service = await RunningService.start({ DATABASE_URL: databaseUrl, ...settings }, apiKeys[writes.apiKey]);
  });
  afterAll(async () => {
    await service?.end();
    await release();
  });

  const write = (method: string, path: string, form?: RestOptions["form"]): Promise<Answer> =>
    service.rest(method, path, form ? { form } : {});
  const axfr = (zone: string) => transfer(service.dnsPort, zone, { key: tsigKey });
  /** Records that the secondary with this key has the zone at this serial from here, which version 0.1 did not record. */
  const recordTransfer = ({ key: keyName, zone, since }: Json) =>
    query(
      databaseUrl,
      `insert into transferred_zone as t (domain_id, secondary_id, serial, transferred_at)
      select d.id, s.id, $3, now() from domain d, secondary s join tsig_key k on k.id = s.tsig_key_id where d.zone = $1 and k.name = $2
      on conflict (domain_id, secondary_id) do update set previous_serial = excluded.serial`,
      [zone, keyName, since],
    );
  /** Expects that a write succeeded with a serial that comes after this one; returns it. */
  const expectAfter = ({ status, headers }: Answer, before: number): number => {
    expect(status).toBeLessThan(300);
    const written = Number(headers.get("x-zone-serial"));
    expectSerialAfter(written, before);
    return written;
  };

  test("has domains that know how many records they have", async () => {
    expect(await query(databaseUrl, "select from domain where record_count > 3")).not.toEqual([]);
    expect(await drift({ sql: (statement: string) => query(databaseUrl, statement) } as TestZones)).toEqual([]);
  });

  test("has the tables, constraints and indexes of a fresh one", async () => {
    expect(await tables(databaseUrl)).toEqual(await tables(await freshDatabase()));
  });

  test("what it observed counts as transferred, once; not what is ahead of us", async () => {
    const rows = await query<{ zone: string; behind: string }>(
      databaseUrl,
      `select d.zone, d.serial - t.serial as behind from transferred_zone t join domain d on d.id = t.domain_id
      join secondary s on s.id = t.secondary_id where s.name = 'knot1'`,
    );
    const behind = new Map(rows.map((row) => [row.zone, Number(row.behind)]));
    expect([behind.get("late.example"), behind.get(writes.zone)]).toEqual([1, 0]);
    expect([behind.has("ahead.example"), behind.has("refused.example")]).toEqual([false, false]);
  });

  test.each(["rest", "graphql", "transfer"])("answers by %s as that version did", async (kind) => {
    const answers = recorded.answers.filter((each) => kind in each);
    expect(answers.length).toBeGreaterThan(0);
    const isSince = (each: Json) => each.transfer?.since !== undefined;
    for (const some of [answers.filter((each) => !isSince(each)), answers.filter(isSince)]) {
      if (version === "0.1") for (const each of some) if (isSince(each)) await recordTransfer((each as Json).transfer);
      const now: unknown[] = [];
      for (let at = 0; at < some.length; at += askedAtOnce)
        now.push(...(await Promise.all(some.slice(at, at + askedAtOnce).map((each) => ask(service, recorded, each)))));
      for (const [at, { answer, ...question }] of some.entries())
        expect({ question, answer: now[at] }).toEqual({ question, answer: withoutSerials(answer) });
    }
  });

  const at = `query ($zone: String!, $id: ID!) { domain(by: { zone: $zone }) { at(moment: { changeId: $id }) {
    records(first: 1000) { nodes { owner ttl type rdata blame { id } } } } } }`;
  // Later versions wrote the journal of versions themselves.
  if (version === "0.1")
    test("has the past that its journal had: every zone after every change, with who had written each record", async () => {
      const moments = await momentsOf(recorded.dump);
      expect(moments.length).toBeGreaterThan(50);
      for (let from = 0; from < moments.length; from += askedAtOnce)
        await Promise.all(
          moments.slice(from, from + askedAtOnce).map(async ({ zone, changeId, records }) => {
            const { domain } = await service.data(at, { zone, id: changeId }, apiKeys.administrator);
            const found = domain.at.records.nodes.map(
              ({ owner, ttl, type, rdata, blame }: Json) => `${owner} ${ttl} ${type} ${rdata} by ${blame?.id}`,
            );
            expect({ zone, changeId, records: found.toSorted() }).toEqual({ zone, changeId, records });
          }),
        );
    });

  test("takes new records, edits and deletions in an old zone, and transfers them as differences", async () => {
    const { zone, owner } = writes;
    const a = { zone, rtype: "A" };
    const serialBefore = serialOf(await axfr(zone));
    const { body: old } = await write("GET", `/record/list?zone=${zone}`);
    const { body: all } = await write("GET", "/record/list");
    const added = await write("POST", "/record/add", { ...a, owner: "written-later", rdata: "192.0.2.77", ttl: 300 });
    const serialAdded = expectAfter(added, serialBefore);
    expect(added.body.id).toBeGreaterThan(Math.max(...all.map(({ id }: { id: number }) => id)));
    const edited = old.find((each: Json) => each.owner === owner && each.type === "A");
    const form = { ...a, owner, rdata: "192.0.2.78", ttl: edited.ttl };
    const change = await write("PUT", `/record/edit/${edited.id}`, form);
    const serialEdited = expectAfter(change, serialAdded);
    const removal = await write("DELETE", `/record/delete/${edited.id}`);
    const serialRemoved = expectAfter(removal, serialEdited);
    expect((await write("GET", `/record/list/${edited.id}`)).status).toBe(404);
    const { body: present } = await write("GET", `/record/list?zone=${zone}`);
    const isKept = ({ id, type }: Json) => id !== edited.id && type !== "SOA";
    expect(present.filter(isKept)).toEqual(expect.arrayContaining([...old.filter(isKept), added.body]));
    const differences = await transfer(service.dnsPort, zone, { key: tsigKey, since: serialBefore });
    expect(serialOf(differences)).toBe(serialRemoved);
    const lines = differences.filter((line) => !line.includes(" TYPE6 ")).map((line) => line.replace(/ .* /, " "));
    expect(lines).toEqual([
      `written-later.${zone}. c000024d`,
      `${owner}.${zone}. ${hexOf(edited.rdata)}`,
      `${owner}.${zone}. c000024e`,
      `${owner}.${zone}. c000024e`,
    ]);
  });

  test("counts on from the last serial of a zone that was deleted, by that version or by this one", async () => {
    const create = (zone: string) => write("POST", "/domain/add", { user_id: writes.userId, zone });
    const last = serialOf(await axfr(writes.zone));
    const deletion = await write("DELETE", "/domain/delete", { zone: writes.zone });
    expect([deletion.status, (await write("GET", `/domain/zonefile/${writes.zone}`)).status]).toEqual([204, 404]);
    expectAfter(await create(writes.zone), last);
    const first = expectAfter(await create(writes.deletedZone), writes.deletedSerial);
    expect(serialOf(await axfr(writes.deletedZone))).toBe(first);
  });

  test("has its catalog continued by this version's publisher, which raises no serial of a zone that was not ahead", async () => {
    const member = Buffer.from(zoneNameWire(writes.deletedZone)).toString("hex");
    const before = await axfr(writes.catalog);
    expect(before.filter((line) => line.endsWith(` ${member}`))).toEqual([]);
    const level = await query<{ id: string; serial: string }>(
      databaseUrl,
      `select d.id, d.serial from domain d where d.user_id is not null and not exists (
        select from sighting g where g.domain_id = d.id and g.is_unproven) order by d.id`,
    );
    const secondaries = await openSecondaries(databaseUrl, recorded.setup);
    try {
      await release();
      release = async () => {};
      await eventually(async () => (await axfr(writes.catalog)).some((line) => line.endsWith(` ${member}`)));
      expectSerialAfter(serialOf(await axfr(writes.catalog)), serialOf(before));
      const unobserved = `select g.zone from sighting g join domain d on d.id = g.domain_id, publisher_term t
        where g.serial is not null and g.term < t.term`;
      await eventually(async () => expect(await query(databaseUrl, unobserved)).toEqual([]));
      expect(level.length).toBeGreaterThan(20);
      const ids = level.map(({ id }) => id);
      expect(await query(databaseUrl, "select id, serial from domain where id = any($1) order by id", [ids])).toEqual(
        level,
      );
    } finally {
      for (const each of secondaries) await each.close();
    }
  });
});

/** Expects that a serial comes after another one (RFC 1982). */
function expectSerialAfter(after: number, before: number): void {
  expect([before, after, compareSerial(serial(after), serial(before))]).toEqual([before, after, 1]);
}

const hexOf = (address: string) => Buffer.from(address.split(".").map(Number)).toString("hex");
