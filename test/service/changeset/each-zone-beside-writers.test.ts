/**
 * Writers beside a set whose zones change each for itself: none of them waits for the whole set, and nothing of what they or the set write
 * is lost. The test holds one zone behind the middle, so that the set cannot come to its end while they write.
 */
import { expect, test } from "@jest/globals";
import pg from "pg";
import { pino } from "pino";
import { applyChangeSet } from "../../../src/changeset/apply.ts";
import { changeSetById } from "../../../src/changeset/change-set.ts";
import { applyZones } from "../../../src/changeset/each-zone.ts";
import { previewChangeSet } from "../../../src/changeset/preview.ts";
import { createChangeSet } from "../../../src/changeset/stage.ts";
import { ChangeSetMode, ChangeSetState } from "../../../src/changeset/states.ts";
import { changeZone } from "../../../src/zone/edit/change-zone.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { fieldsOf, testZones } from "../../setup/zones/session.ts";

const zoneCount = 200;
const writerCount = 64;
const log = pino({ level: "silent" });
const zones = testZones();

/** Locks a zone until what is returned is called. */
async function hold(zone: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: zones.url });
  // When the test fails, the database goes before the connection.
  client.on("error", () => {});
  await client.connect();
  await client.query("begin");
  await client.query("select from domain where zone = $1 for update", [zone]);
  return () => client.end();
}

/** How many zones of the set have this outcome. */
async function countOf(id: number, outcome: string | null): Promise<number> {
  const [row] = await zones.sql<{ count: number }>(
    "select count(*)::int as count from change_set_zone where change_set_id = $1 and outcome is not distinct from $2",
    [id, outcome],
  );
  return row?.count ?? 0;
}

test("64 writers beside a set over 200 zones are answered before it is over, and nothing is lost", async () => {
  const made = await Promise.all(Array.from({ length: zoneCount }, () => zones.zone("web A 192.0.2.1")));
  const names = made.toSorted();
  // Zones before it are changed in the same transaction.
  const held = names[zoneCount * 0.75] as string;
  const set = await createChangeSet(zones.session(), {
    title: "t",
    mode: ChangeSetMode.EACH_ZONE,
    zones: names.map((zone) => ({ zone, edits: { add: [fieldsOf("web A 192.0.2.2")] } })),
  });
  const { fingerprint } = await previewChangeSet(zones.session(), set);
  await applyChangeSet(zones.session(), set.id, fingerprint, { timeoutMs: 0 });

  const release = await hold(held);
  const applying = applyZones({ ...zones.session(), door: "system" }, log);
  // It has come to that zone.
  const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await eventually(async () => expect(await zones.sql(waiting)).toHaveLength(1));
  // Before, in and behind the zones whose turn it is, but not in the one that the test holds.
  const others = names.filter((zone) => zone !== held);
  const writers = Array.from({ length: writerCount }, (_, n) => others[Math.floor((n * others.length) / writerCount)]);
  const write = (round: number) =>
    Promise.all(
      writers.map((zone) =>
        changeZone(zones.session(), zone as string, { add: [fieldsOf(`writer${round} A 192.0.2.3`)] }),
      ),
    );
  await write(1);
  expect((await changeSetById(zones.session(), set.id)).state).toBe(ChangeSetState.APPLYING);
  expect(await countOf(set.id, null)).toBeGreaterThan(0);

  await release();
  await Promise.all([applying, write(2)]);
  // A zone that was held for long is left for the next time.
  await applyZones({ ...zones.session(), door: "system" }, log);
  expect((await changeSetById(zones.session(), set.id)).state).toBe(ChangeSetState.APPLIED);
  expect(await countOf(set.id, "APPLIED")).toBe(zoneCount);

  const lost: string[] = [];
  for (const zone of names) {
    const [journal, lines] = [await zones.journal(zone), await zones.lines(zone)];
    const wanted = writers.includes(zone) ? ["web", "web", "writer1", "writer2"] : ["web", "web"];
    const addresses = lines.filter((line) => line.includes(" A ")).map((line) => line.split(" ")[0]);
    // Each change begins where the one before it ended.
    const isChain = journal.every(({ previousSerial }, at) => previousSerial === (journal[at - 1]?.serial ?? null));
    const isOnce = journal.filter(({ added }) => added.some((line) => line.endsWith("192.0.2.2"))).length === 1;
    if (addresses.join() !== wanted.join() || !isChain || !isOnce) lost.push(`${zone}: ${lines.join("; ")}`);
  }
  expect(lost).toEqual([]);
});
