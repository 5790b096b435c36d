/**
 * Conflicts of change sets: however others changed a record that a set edits, the edit is kept for the present record, or is left out, and
 * the set can be applied again.
 */
import { expect, test } from "@jest/globals";
import { type Choice, resolveConflicts } from "../../../src/changeset/stage/resolve-conflicts.ts";
import { Resolution } from "../../../src/changeset/states.ts";
import { changeZone } from "../../../src/zone/edit/change-zone.ts";
import type { ZoneEdits } from "../../../src/zone/edit/edit-plan.ts";
import { createDomain, deleteDomain } from "../../../src/zone/lifecycle/domain-lifecycle.ts";
import { testChangeSets } from "../../setup/zones/change-sets.ts";
import { actorOf, fieldsOf, reasonsOf } from "../../setup/zones/session.ts";

const zones = testChangeSets();
const session = () => zones.session(actorOf(zones.userId));
const { MINE, THEIRS } = Resolution;

const staged = async (zone: string, edits: ZoneEdits) =>
  (await zones.stage([{ edit: { zone, ...edits } }], {}, actorOf(zones.userId))).id;
const preview = (id: number) => zones.preview({ id });
const conflictCount = async (id: number) => (await preview(id)).zones.flatMap(({ conflicts }) => conflicts).length;
const apply = (id: number) => zones.apply({ id }, actorOf(zones.userId));
const resolve = (id: number, choice: Choice) => resolveConflicts(session(), id, choice);

test("a replaced record that somebody else changed is left out with its replacement, and other RRsets stay", async () => {
  const zone = await zones.zone("web A 192.0.2.1", "mail A 192.0.2.1");
  const [web, mail] = [await zones.idOf(zone, "web", "A"), await zones.idOf(zone, "mail", "A")];
  const add = [fieldsOf("web A 192.0.2.5"), fieldsOf("web TXT kept"), fieldsOf("mail A 192.0.2.5")];
  const id = await staged(zone, { remove: [web, mail], add });
  await changeZone(session(), zone, { update: [{ id: web, rdata: "192.0.2.15" }] });
  await resolve(id, { zone, resolution: THEIRS });
  await apply(id);
  expect((await zones.lines(zone, /^(web|mail) /)).toSorted()).toEqual([
    "mail 3600 A 192.0.2.5",
    "web 3600 A 192.0.2.15",
    'web 3600 TXT "kept"',
  ]);
});

/** Of an RRset of one record with TTL 3600: what the set edits, what others make of it, and the sides as the preview shows them. */
const shown: readonly (readonly [
  string,
  (id: number) => ZoneEdits,
  (id: number) => ZoneEdits,
  { readonly message: RegExp; readonly mine: readonly string[]; readonly theirs: readonly string[] },
])[] = [
  [
    "an edited record that was edited",
    (id) => ({ update: [{ id, rdata: "192.0.2.2" }] }),
    (id) => ({ update: [{ id, rdata: "192.0.2.3" }] }),
    { message: /^web A was changed /, mine: ["web 3600 IN A 192.0.2.2"], theirs: ["web 3600 IN A 192.0.2.3"] },
  ],
  [
    "an edited record that was removed",
    (id) => ({ update: [{ id, rdata: "192.0.2.2" }] }),
    (id) => ({ remove: [id] }),
    { message: /^web A was removed /, mine: ["web 3600 IN A 192.0.2.2"], theirs: [] },
  ],
  [
    "a replaced record beside one that was added with another TTL",
    (id) => ({ remove: [id], add: [fieldsOf("web 3600 A 192.0.2.5")] }),
    () => ({ add: [fieldsOf("web 300 A 192.0.2.9")] }),
    {
      message: /^web A was changed /,
      mine: ["web 3600 IN A 192.0.2.9", "web 3600 IN A 192.0.2.5"],
      theirs: ["web 300 IN A 192.0.2.1", "web 300 IN A 192.0.2.9"],
    },
  ],
  [
    "the same without a TTL of its own, which takes the one of the others",
    (id) => ({ remove: [id], add: [fieldsOf("web A 192.0.2.5")] }),
    () => ({ add: [fieldsOf("web 300 A 192.0.2.9")] }),
    {
      message: /^web A was changed /,
      mine: ["web 300 IN A 192.0.2.5"],
      theirs: ["web 300 IN A 192.0.2.1"],
    },
  ],
  [
    "a removed record that was edited",
    (id) => ({ remove: [id] }),
    (id) => ({ update: [{ id, rdata: "192.0.2.3" }], add: [fieldsOf("web A 192.0.2.9")] }),
    { message: /^web A was changed /, mine: [], theirs: ["web 3600 IN A 192.0.2.3"] },
  ],
  [
    "an edited record that was replaced by what the edit makes, with another TTL",
    (id) => ({ update: [{ id, rdata: "192.0.2.2", ttl: 600 }] }),
    (id) => ({ remove: [id], add: [fieldsOf("web 300 A 192.0.2.2")] }),
    { message: /^web A was removed /, mine: ["web 600 IN A 192.0.2.2"], theirs: ["web 300 IN A 192.0.2.2"] },
  ],
  [
    "a record that moves and was edited",
    (id) => ({ update: [{ id, owner: "web2" }] }),
    (id) => ({ update: [{ id, rdata: "192.0.2.3" }] }),
    { message: /^web A was changed /, mine: ["web2 3600 IN A 192.0.2.1"], theirs: ["web 3600 IN A 192.0.2.3"] },
  ],
  [
    "a replaced record whose place was taken by the same, with another TTL",
    (id) => ({ remove: [id], add: [fieldsOf("web 3600 A 192.0.2.5")] }),
    (id) => ({ update: [{ id, rdata: "192.0.2.5", ttl: 300 }] }),
    { message: /^web A was changed /, mine: ["web 3600 IN A 192.0.2.5"], theirs: ["web 300 IN A 192.0.2.5"] },
  ],
  [
    "a record added to an RRset that got another TTL",
    () => ({ add: [fieldsOf("web 3600 A 192.0.2.5")] }),
    (id) => ({ update: [{ id, ttl: 60 }] }),
    {
      message: /^web A was changed /,
      mine: ["web 3600 IN A 192.0.2.1", "web 3600 IN A 192.0.2.5"],
      theirs: ["web 60 IN A 192.0.2.1"],
    },
  ],
  [
    "two records added to an RRset that got another TTL",
    () => ({ add: [fieldsOf("web 3600 A 192.0.2.5"), fieldsOf("web 3600 A 192.0.2.6")] }),
    (id) => ({ update: [{ id, ttl: 60 }] }),
    {
      message: /^web A was changed /,
      mine: ["web 3600 IN A 192.0.2.1", "web 3600 IN A 192.0.2.5", "web 3600 IN A 192.0.2.6"],
      theirs: ["web 60 IN A 192.0.2.1"],
    },
  ],
  [
    "a replaced record that was removed",
    (id) => ({ remove: [id], add: [fieldsOf("web 3600 A 192.0.2.5")] }),
    (id) => ({ remove: [id] }),
    { message: /^web A was removed /, mine: ["web 3600 IN A 192.0.2.5"], theirs: [] },
  ],
  [
    "a new TTL for an RRset that got another one",
    () => ({ add: [fieldsOf("web 300 A 192.0.2.5")] }),
    (id) => ({ update: [{ id, ttl: 60 }] }),
    {
      message: /^web A was changed /,
      mine: ["web 300 IN A 192.0.2.1", "web 300 IN A 192.0.2.5"],
      theirs: ["web 60 IN A 192.0.2.1"],
    },
  ],
];

const asLines = (lines: readonly string[]) => lines.map((line) => line.replace(" IN ", " ")).toSorted();

test.each(shown)("a conflict shows the result of either side: %s", async (_what, mine, theirs, expected) => {
  for (const resolution of [MINE, THEIRS]) {
    const zone = await zones.zone("web A 192.0.2.1", "mail A 192.0.2.1");
    const record = await zones.idOf(zone, "web", "A");
    const id = await staged(zone, mine(record));
    await changeZone(session(), zone, theirs(record));
    const [seen] = (await preview(id)).zones;
    expect(seen?.conflicts).toEqual([
      expect.objectContaining({ owner: "web", type: "A", base: ["web 3600 IN A 192.0.2.1"] }),
    ]);
    const [conflict] = seen?.conflicts ?? [];
    expect(conflict?.message).toMatch(expected.message);
    expect([conflict?.mine, conflict?.theirs]).toEqual([expected.mine, expected.theirs]);
    // What nobody has decided yet is no part of the difference.
    expect([seen?.rrsets, seen?.removedCount, seen?.addedCount]).toEqual([[], 0, 0]);
    const before = await zones.lines(zone, /^web /);
    expect(await resolve(id, { zone, resolution })).toMatchObject({ state: "DRAFT", revision: 2 });
    const after = await preview(id);
    expect(after.zones.flatMap(({ conflicts, refusals }) => [...conflicts, ...refusals])).toEqual([]);
    if (after.applicable) await apply(id);
    const common = before.filter((line) => !asLines(expected.theirs).includes(line));
    const side = resolution === MINE ? expected.mine : expected.theirs;
    const all = await zones.lines(zone, /^web/);
    expect(all.toSorted()).toEqual([...common, ...asLines(side)].toSorted());
  }
});

test("conflicts are resolved by owner and type; a resolution without a conflict is refused", async () => {
  const zone = await zones.zone("web A 192.0.2.1", "mail A 192.0.2.1");
  const [web, mail] = [await zones.idOf(zone, "web", "A"), await zones.idOf(zone, "mail", "A")];
  const both = (rdata: string) => ({ update: [web, mail].map((id) => ({ id, rdata })) });
  const id = await staged(zone, both("192.0.2.2"));
  const refused = resolve(id, { zone, resolution: MINE });
  expect(await reasonsOf(refused)).toEqual(["INVALID_VALUE zone"]);
  await changeZone(session(), zone, both("192.0.2.3"));
  await resolve(id, { zone, owner: "web", resolution: MINE });
  expect(await conflictCount(id)).toBe(1);
  expect(await reasonsOf(resolve(id, { zone, owner: "web", resolution: MINE }))).toEqual(["INVALID_VALUE zone"]);
  expect(await reasonsOf(resolve(id, { zone, type: "MX", resolution: MINE }))).toEqual(["INVALID_VALUE zone"]);
  const old = resolve(id, { zone, resolution: THEIRS, expectedRevision: 1 });
  expect(await reasonsOf(old)).toEqual(["STALE_CHANGE_SET expectedRevision"]);
  await resolve(id, { zone, type: "a", resolution: THEIRS });
  await apply(id);
  expect(await zones.lines(zone, /^(web|mail) /)).toEqual(["mail 3600 A 192.0.2.3", "web 3600 A 192.0.2.2"]);
  const elsewhere = resolve(id, { zone, resolution: MINE });
  expect(await reasonsOf(elsewhere)).toEqual(["WRONG_STATE id"]);
});

test("a recreated zone is left out, or must be staged again", async () => {
  const [gone, made] = [await zones.zone("web A 192.0.2.1"), "made.example.org"];
  const parts = [{ delete: { zone: gone } }, { create: { zone: made, userId: zones.userId } }];
  const { id } = await zones.stage(parts, {}, actorOf(zones.userId));
  await deleteDomain(session(), gone);
  await createDomain(session(), zones.userId, gone);
  await createDomain(session(), zones.userId, made);
  expect(await conflictCount(id)).toBe(2);
  for (const zone of [gone, made]) {
    expect(await reasonsOf(resolve(id, { zone, resolution: MINE }))).toEqual(["INVALID_VALUE resolution"]);
    await resolve(id, { zone, resolution: THEIRS });
    expect(await reasonsOf(resolve(id, { zone, resolution: THEIRS }))).toEqual(["NOT_FOUND zone"]);
  }
  expect((await preview(id)).zones).toEqual([]);
});

test("an addition with another TTL than its RRset gives the TTL to all, also where the record is there already", async () => {
  for (const [added, ...after] of [
    ["web 300 A 192.0.2.5", "web 300 A 192.0.2.1", "web 300 A 192.0.2.2", "web 300 A 192.0.2.5"],
    ["web 300 A 192.0.2.2", "web 300 A 192.0.2.1", "web 300 A 192.0.2.2"],
  ] as const) {
    const zone = await zones.zone("web A 192.0.2.1", "web A 192.0.2.2");
    const id = await staged(zone, { add: [fieldsOf(added)] });
    // What somebody else makes of the data stays, and a record beside that joins the former TTL is no conflict.
    await changeZone(session(), zone, { add: [fieldsOf("web A 192.0.2.9")] });
    expect(await conflictCount(id)).toBe(0);
    await apply(id);
    expect((await zones.lines(zone, /^web /)).toSorted()).toEqual([...after, "web 300 A 192.0.2.9"].toSorted());
  }
});

test("an edit of a TTL takes the data that somebody else wrote meanwhile", async () => {
  const zone = await zones.zone("web A 192.0.2.1");
  const web = await zones.idOf(zone, "web", "A");
  const id = await staged(zone, { update: [{ id: web, ttl: 60 }] });
  await changeZone(session(), zone, { update: [{ id: web, rdata: "192.0.2.7" }] });
  expect(await conflictCount(id)).toBe(0);
  await apply(id);
  expect(await zones.lines(zone, /^web /)).toEqual(["web 60 A 192.0.2.7"]);
});
