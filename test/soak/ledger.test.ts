/**
 * Five cycles of the test of acknowledged writes, which `npm run ledger -- --cycles 100` runs at length, and that its book sees what is
 * lost and what is half.
 */
import { expect, test } from "@jest/globals";
import { Book, type Group, isHalf } from "../setup/ledger/book.ts";
import { hasKnot, run } from "../setup/ledger/run.ts";
import { Moments } from "../setup/ledger/versions.ts";
import type { StoredVersion, StoredZone } from "../setup/ledger/zones.ts";

const disturbances = ["kill-service", "kill-postmaster", "end-connections", "disk-full", "stop-postgres"];

test("after five disturbances every acknowledged write is there and published, none in part, and nothing else has changed", async () => {
  const printed: string[] = [];
  const cycles = await run({
    cycles: disturbances.length,
    seed: 1,
    only: disturbances,
    databases: ["embedded", "url"],
    secondary: hasKnot() ? "knot" : "own",
    print: (line) => void printed.push(line),
  });
  const broken = cycles.flatMap(({ disturbance, breaches }) => breaches.map((breach) => ({ disturbance, ...breach })));
  expect({ broken, printed: broken.length > 0 ? printed : [] }).toEqual({ broken: [], printed: [] });
  expect(cycles.map(({ disturbance }) => disturbance)).toEqual(disturbances);
  const sets = cycles.reduce((sum, { tally }) => sum + (tally.mutations.get("applyChangeSet") ?? 0), 0);
  expect(sets).toBeGreaterThan(0);
  for (const { tally } of cycles) expect(Math.min(...Object.values(tally.acknowledged))).toBeGreaterThan(0);
}, 600_000);

test("a write that is lost, one that is there in part, and one that was refused and is there, are seen", () => {
  const book = new Book();
  const group = book.group("example.com", "g", 2);
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

test("a past that became another, a version that begins too early, and a change set that is applied in part, are seen", () => {
  const version = {
    id: "1",
    owner: "a",
    type: "A",
    ttl: 300,
    rdata: "192.0.2.1",
    wire: "c0000201",
    since: 5,
    until: null,
  };
  const at = (versions: StoredVersion[]): StoredZone => {
    const change = { id: 5, createdAt: new Date(0), kind: "CREATE", previous: null, serial: 1, removed: [], added: [] };
    return {
      id: "d",
      zone: "example.com",
      serial: 1,
      isDeleted: false,
      records: versions,
      changes: [change],
      versions,
    };
  };
  const moments = new Moments();
  expect(moments.check([at([version])])).toEqual([]);
  expect(moments.check([at([version])])).toEqual([]);
  expect(moments.check([at([{ ...version, ttl: 60 }])])).toMatchObject([{ kind: "past" }]);
  const early = { ...version, owner: "b", since: 1, until: 6 };
  expect(new Moments().check([at([early, version])])).toMatchObject([{ kind: "past" }]);

  const book = new Book();
  const groups = ["example.com", "example.net"].map((zone) => book.group(zone, "set", 1));
  for (const group of groups) group.note(group.contentOf(1), "unknown");
  const [stored, missing] = groups as [Group, Group];
  expect([stored.check(stored.contentOf(1)), missing.check([])]).toEqual([undefined, undefined]);
  expect([isHalf(groups), isHalf([stored])]).toEqual([true, false]);
});

test("a write without an answer is there as a whole or not at all, and stays as it was found", () => {
  const book = new Book();
  for (const isStored of [true, false]) {
    const group = book.group("example.com", `g${isStored}`, 3);
    const content = group.contentOf(1);
    group.note(content, "unknown");
    expect(group.isDoubtful).toBe(true);
    expect(group.check(isStored ? content : [])).toBe(undefined);
    expect(group.check(isStored ? [] : content)).toBe("lost");
  }
  const half = book.group("example.com", "half", 3);
  half.note(half.contentOf(1), "unknown");
  expect(half.check(half.contentOf(1).slice(1))).toBe("half");
});
