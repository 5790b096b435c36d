/** Imports of many records: too many are refused early, and the rest gets enough time. */
import { describe, expect, test } from "@jest/globals";
import type { Policy } from "../../../../src/session/operator-policy.ts";
import { importZone } from "../../../../src/zone/master-file/import.ts";
import { administrator, policy, reasonsOf, refusalOf, testZones } from "../../../setup/zones/session.ts";

const zones = testZones();

const soa =
  "@ 3600 SOA ns1.example.net. hostmaster.example.net. 7 10800 3600 1209600 3600\n@ 3600 NS ns1.example.net.\n";
const merge = (zone: string, text: string) => importZone(zones.session(), { zone, text: [text], mode: "MERGE" });

describe("a file with too many records", () => {
  /** Reads from a file of 20,000 records, and counts how many of its lines were taken. */
  function longFile() {
    const taken = { lines: 0 };
    function* textOf() {
      yield soa;
      for (; taken.lines < 20_000; taken.lines += 1) yield `h${taken.lines} A 192.0.2.1\n`;
    }
    return { taken, text: textOf() };
  }

  test.each([
    ["are imported", { importRecords: 2000 }, "TOO_LARGE"],
    [
      "the quota of its user lets a zone have",
      { quota: { ...policy.quota, recordsPerDomain: 2000 } },
      "QUOTA_EXCEEDED",
    ],
  ])("%s is refused before it is read to its end", async (_, changes, code) => {
    for (const userId of [undefined, zones.userId]) {
      const zone = userId === undefined ? await zones.zone() : `${code.toLowerCase().replaceAll("_", "-")}.example.com`;
      const { taken, text } = longFile();
      const session = zones.session(administrator, changes);
      const refusal = await refusalOf(importZone(session, { zone, text, mode: "REPLACE", userId }));
      expect([refusal.code, refusal.message]).toEqual([code, expect.stringContaining("2000")]);
      expect(taken.lines).toBeLessThan(10_000);
    }
  });

  test("is refused with its number of records when it ends there, and an import that removes records of a large zone is not refused", async () => {
    const zone = await zones.zone();
    await merge(zone, `${Array.from({ length: 1200 }, (_, at) => `h${at} A 192.0.2.1`).join("\n")}\n`);
    const replace = (records: number, most: Partial<Policy>) => {
      const lines = Array.from({ length: records - 1 }, (_, at) => `n${at} A 192.0.2.2\n`);
      return importZone(zones.session(administrator, most), { zone, text: [soa, ...lines], mode: "REPLACE" });
    };
    expect(await reasonsOf(replace(101, { importRecords: 100 }))).toEqual(["TOO_LARGE"]);
    expect(
      (await replace(100, { importRecords: 100, quota: { ...policy.quota, recordsPerDomain: 10 } })).change,
    ).not.toBeNull();
  });
});

test("an operation that stores or removes many records has enough time", async () => {
  const zone = await zones.zone();
  await zones.sql("create table limits (at text, ms text)");
  await zones.sql(`create function note_limit() returns trigger language plpgsql as
    $$ begin insert into limits values (tg_argv[0], current_setting('statement_timeout')); return null; end $$`);
  for (const table of ["change", "zone_record"])
    await zones.sql(
      `create trigger note_limit after insert or delete on ${table} execute function note_limit('${table}')`,
    );
  const limits = async () => (await zones.sql<{ ms: string }>("delete from limits returning ms")).map(({ ms }) => ms);
  await merge(zone, "a A 192.0.2.1\n");
  expect(new Set(await limits())).toEqual(new Set(["1min"]));
  await zones.sql("update domain set record_count = 2000000 where zone = $1", [zone]);
  await merge(zone, "b A 192.0.2.1\n");
  expect(new Set(await limits())).toEqual(new Set(["1200001ms"]));
  await zones.remove(zone);
  expect(new Set(await limits())).toEqual(new Set(["1200001ms"]));
  for (const table of ["change", "zone_record"]) await zones.sql(`drop trigger note_limit on ${table}`);
});
