/** Retention: old changes and long deleted zones are removed, what is kept is told as before, what is gone is said to be gone. */
import { expect, test } from "@jest/globals";
import { readsOf } from "../../../../src/database/point-reads.ts";
import { readFewDifferences } from "../../../../src/nameserver/zone/zone-journal.ts";
import { forgetSightings } from "../../../../src/secondary/record-sightings.ts";
import { openReaders } from "../../../../src/service/database/open-database.ts";
import { forgetRefusals, noteRefusedUpdate } from "../../../../src/zone/dynamic-update/refusal-audit.ts";
import { deletedDomain } from "../../../../src/zone/history/deleted-domain.ts";
import { momentOf } from "../../../../src/zone/history/moment.ts";
import { type HistoryKept, pruneHistory } from "../../../../src/zone/history/prune-history.ts";
import { restoreDomain } from "../../../../src/zone/history/restore.ts";
import { revertDomain } from "../../../../src/zone/history/revert.ts";
import { recordsAt, versionsOfRrset } from "../../../../src/zone/history/versions.ts";
import fc, { runs } from "../../../setup/basics/property.ts";
import { anyActs, contents, History, lineOf } from "../../../setup/zones/any-history.ts";
import { reasonsOf, testZones } from "../../../setup/zones/session.ts";

const zones = testZones();
const day = 86_400_000;

/** Days pass, and history is pruned; without limits it is kept for ever. */
async function prune(kept: Partial<HistoryKept>, days = 0): Promise<void> {
  zones.now = new Date(zones.now.getTime() + days * day);
  const all = { journalDays: 0, newestChanges: 100, deletedZoneDays: 0, ...kept };
  await pruneHistory(zones.session(), all, [forgetSightings, forgetRefusals], new AbortController().signal);
}

const changesOf = async (domainId: number) =>
  (
    await zones.sql<{ id: number }>("select id::float8 as id from change where domain_id = $1 order by id", [domainId])
  ).map(({ id }) => id);

test("whatever happened to a zone, each kept moment is what it was, and earlier ones are gone", async () => {
  await fc.assert(
    fc.asyncProperty(anyActs, fc.integer({ min: 1, max: 30 }), async (acts, newestChanges) => {
      const history = await History.begin(zones);
      for (const act of acts) await history.run(act);
      const domain = await history.domain();
      const before = await changesOf(domain.id);
      await prune({ journalDays: 365, newestChanges }, 400);
      expect(await changesOf(domain.id)).toEqual(before.slice(-newestChanges));
      const [first = 0] = before.slice(-newestChanges);
      expect(await history.lines()).toEqual(history.seen.at(-1)?.lines);
      for (const { changeId, lines } of history.moments) {
        if (changeId < first) {
          const gone = reasonsOf(momentOf(zones.session(), domain, { changeId }, "at."));
          expect(await gone).toEqual(["HISTORY_GONE at.changeId"]);
          continue;
        }
        const { rows } = await recordsAt(zones.session(), { domainId: domain.id, changeId }, {}, { first: 1000 });
        expect(rows.map(lineOf)).toEqual(lines);
      }
      const left = "select from change_record where domain_id = $1 and change_id < $2";
      expect(await zones.sql(left, [domain.id, first])).toEqual([]);
      // The zone returns to its oldest kept moment, and goes on from there.
      const oldest = history.moments.find(({ changeId }) => changeId >= first);
      await revertDomain(zones.session(), history.zone, { changeId: oldest?.changeId as number });
      expect(contents(await history.lines())).toEqual(contents(oldest?.lines ?? []));
    }),
    { numRuns: runs(12) },
  );
});

test("young changes are kept, however many; the last of an age; and a name server behind them gets the whole zone", async () => {
  const zone = await zones.zone();
  const { id } = await zones.domain(zone);
  const [serials, days] = [[] as number[], 40];
  for (let at = 0; at < days; at += 1) {
    await zones.add(zone, `h${at} A 192.0.2.${at}`);
    serials.push((await zones.domain(zone)).serial);
    zones.now = new Date(zones.now.getTime() + day);
  }
  await prune({ journalDays: 10, newestChanges: 5 });
  const kept = await changesOf(id);
  expect(kept).toHaveLength(10);
  await prune({ journalDays: 10, newestChanges: 20 });
  expect(await changesOf(id)).toEqual(kept);

  const pool = openReaders({ url: zones.url, connections: 1 });
  const differences = async (from?: number) =>
    (await readFewDifferences(readsOf(pool), zone, from as number))?.differences?.length;
  // From the first kept change on, there are nine differences of two SOAs and one record.
  expect(await differences(serials.at(-10))).toBe(27);
  expect(await differences(serials.at(-11))).toBeUndefined();
  await pool.end();

  const past = await zones.domain(zone);
  const time = new Date(zones.now.getTime() - 20 * day);
  const [reason] = await momentOf(zones.session(), past, { time }).catch((error) => error.reasons);
  expect(reason).toMatchObject({ code: "HISTORY_GONE", field: "time" });
  expect(reason.message).toMatch(/did not exist at .* its journal begins .*; earlier changes are not kept\./);
  const { rows } = await versionsOfRrset(zones.session(), past, { owner: "h1", type: "A" }, { first: 10 });
  expect(rows).toMatchObject([{ owner: "h1", until: null }]);
});

test("a zone that was deleted long ago goes with all that is known of it; a younger one comes back as it was created", async () => {
  const [old, young] = [await zones.zone(), await zones.zone()];
  const [{ id }, { createdAt }] = [await zones.domain(old), await zones.domain(young)];
  const refusal = { code: "FORBIDDEN", rcode: "REFUSED", reason: "no", address: "192.0.2.1", protocol: "UDP" } as const;
  await noteRefusedUpdate(zones.session(), {
    ...{ ...refusal, zone: old, keyName: null, keyAlgorithm: null, requestLines: [] },
  });
  await zones.remove(old);
  zones.now = new Date(zones.now.getTime() + 20 * day);
  for (let at = 0; at < 5; at += 1) await zones.add(young, `h${at} A 192.0.2.1`);
  await zones.remove(young);
  await prune({ journalDays: 1, newestChanges: 3, deletedZoneDays: 30 }, 15);
  expect(await reasonsOf(deletedDomain(zones.session(), { zone: old }))).toEqual(["NOT_FOUND zone"]);
  for (const table of ["change", "change_record", "update_refusal", "sighting"])
    expect(await zones.sql(`select from ${table} where domain_id = $1`, [id])).toEqual([]);
  const { domain } = await restoreDomain(zones.session(), { zone: young });
  expect(domain).toMatchObject({ zone: young, createdAt });
  expect(await zones.lines(young)).toContain("h4 3600 A 192.0.2.1");
});
