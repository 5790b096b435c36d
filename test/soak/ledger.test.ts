/**
 * Cycles of the test of acknowledged writes, which `npm run ledger -- --cycles 100` runs at length: with one PostgreSQL, and with a
 * cluster of three servers that fails over (Patroni, etcd, synchronous replication), first with every server in DATABASE_URL, then through
 * HAProxy. And that its book sees what is lost and what is half.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { has, testWith } from "../setup/basics/programs.ts";
import { Book, isHalf } from "../setup/ledger/book.ts";
import { Moments } from "../setup/ledger/moments.ts";
import { type Cycle, run } from "../setup/ledger/run.ts";
import type { Database } from "../setup/ledger/world.ts";
import type { StoredVersion, StoredZone } from "../setup/ledger/zones.ts";
import { clusterPrograms, PatroniCluster } from "../setup/servers/patroni-cluster.ts";

let cluster: PatroniCluster | undefined;
beforeAll(async () => {
  if (has("knotd", ...clusterPrograms)) cluster = await PatroniCluster.start();
});
afterAll(() => cluster?.stop());

/** Runs a cycle with each disturbance, and expects that every law holds after it, with writes by every interface. */
async function expectLaws(databases: readonly Database[], only: readonly string[]): Promise<readonly Cycle[]> {
  const printed: string[] = [];
  const print = (line: string) => void printed.push(line);
  const cycles = await run({ cycles: only.length, seed: 1, only, databases, print, ...(cluster && { cluster }) });
  const broken = cycles.filter(({ breaches }) => breaches.length > 0).map(({ disturbance }) => disturbance);
  const log = broken.length > 0 ? [...printed, ...(cluster?.lastLines() ?? [])] : [];
  expect({ broken, log }).toEqual({ broken: [], log: [] });
  expect(cycles.map(({ disturbance }) => disturbance)).toEqual(only);
  for (const { tally } of cycles) {
    expect(Math.min(...Object.values(tally.acknowledged))).toBeGreaterThan(0);
    expect(tally.withoutRetryAfter).toBe(0);
  }
  // Differences were sent, and lead to the zones.
  expect(cycles.reduce((sum, { replayed }) => sum + replayed, 0)).toBeGreaterThan(0);
  // The disturbances did disturb.
  expect(cycles.reduce((sum, { tally }) => sum + tally.unavailable + tally.unanswered, 0)).toBeGreaterThan(0);
  return cycles;
}

testWith("knotd")(
  "after each disturbance every acknowledged write is there and published, none in part, and nothing else has changed",
  async () => {
    const cycles = await expectLaws(
      ["embedded", "url"],
      [
        ...["kill-service", "disk-full", "stop-postgres", "stop-service", "max-connections"],
        ...["cancel-statements", "kill-backend", "restart-postgres", "sigterm"],
        // At DATABASE_URL.
        ...["end-connections", "kill-postmaster"],
      ],
    );
    expect(cycles.slice(-3).map(({ database }) => database)).toEqual(["embedded", "url", "url"]);
    expect(cycles.some(({ tally }) => tally.mutations.has("applyChangeSet"))).toBe(true);
  },
  600_000,
);

const failures: [database: Database, failures: readonly string[]][] = [
  ["hosts", ["switchover", "kill-primary", "suspend-node", "kill-node"]],
  ["haproxy", ["kill-primary", "switchover"]],
];

testWith("knotd", ...clusterPrograms).each(failures)(
  "%s: after %j every acknowledged write is there and published, and the service is ready by itself",
  async (database, only) => void (await expectLaws([database], only)),
  600_000,
);

test("a write that is lost, one that is there in part, and one that was refused and is there, are seen", () => {
  const group = new Book().group("example.com", "g", 2);
  const [first, second] = [group.contentOf(1), group.contentOf(2)];
  group.note(first, "acknowledged");
  expect(group.check(first)).toBe(undefined);
  group.note(second, "acknowledged");
  expect(group.check(first)).toBe("lost");
  group.note(second, "acknowledged");
  expect(group.check([first[0] as string, second[1] as string])).toBe("half");
  group.note(second, "acknowledged");
  group.note([], "refused");
  expect(group.check([])).toBe("lost");
});

test("a write without an answer is there as a whole or not at all, and stays as it was found; a set in all zones or none", () => {
  const book = new Book();
  const groups = [true, false].map((isStored) => {
    const group = book.group("example.com", `g${isStored}`, 3);
    const content = group.contentOf(1);
    group.note(content, "unknown");
    expect(group.isDoubtful).toBe(true);
    expect(group.check(isStored ? content : [])).toBe(undefined);
    expect(group.check(isStored ? [] : content)).toBe("lost");
    return group;
  });
  expect([isHalf(groups), isHalf([])]).toEqual([true, false]);
  const half = book.group("example.com", "half", 3);
  half.note(half.contentOf(1), "unknown");
  expect(half.check(half.contentOf(1).slice(1))).toBe("half");
});

test("a past that became another, and a version that begins too early, are seen", () => {
  const data = { owner: "a", type: "A", ttl: 300, rdata: "192.0.2.1", wire: "c0000201" };
  const version: StoredVersion = { id: "1", ...data, since: 5, until: null };
  const at = (versions: StoredVersion[]): StoredZone => {
    const change = { id: 5, createdAt: new Date(0), kind: "CREATE", previous: null, serial: 1, removed: [], added: [] };
    const zone = { id: "d", zone: "example.com", serial: 1, isDeleted: false };
    return { ...zone, records: versions, changes: [change], versions };
  };
  const moments = new Moments();
  expect(moments.check([at([version])])).toEqual([]);
  expect(moments.check([at([version])])).toEqual([]);
  expect(moments.check([at([{ ...version, ttl: 60 }])])).toMatchObject([{ kind: "past" }]);
  const early = { ...version, owner: "b", since: 1, until: 6 };
  expect(new Moments().check([at([early, version])])).toMatchObject([{ kind: "past" }]);
});
