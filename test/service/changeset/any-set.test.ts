/**
 * Generated change sets: a set has the same effect as its parts on their own, zone by zone. Beside changes by others it does what its
 * preview showed, or nothing.
 */
import { expect, test } from "@jest/globals";
import { applyChangeSet } from "../../../src/changeset/apply/apply.ts";
import type { ZonePart } from "../../../src/changeset/stage/read-part.ts";
import { ChangeSetMode } from "../../../src/changeset/states.ts";
import { Refusal } from "../../../src/errors.ts";
import type { ZoneEdits } from "../../../src/zone/edit/edit-plan.ts";
import { restoreDomain } from "../../../src/zone/history/restore.ts";
import { importZone } from "../../../src/zone/master-file/import.ts";
import fc, { runs } from "../../setup/basics/property.ts";
import { testChangeSets } from "../../setup/zones/change-sets.ts";

const zones = testChangeSets();
const session = () => zones.session();

/** An edit whose record is chosen by an index among those of the zone, so that it can be made in two zones. */
interface AnyEdit {
  readonly kind: "add" | "update" | "remove" | "soa";
  readonly index: number;
  readonly owner: string;
  readonly type: string;
  readonly ttl: number | undefined;
  readonly last: number;
}

const anyEdit: fc.Arbitrary<AnyEdit> = fc.record({
  kind: fc.constantFrom("add", "add", "update", "update", "remove", "soa"),
  index: fc.nat(20),
  owner: fc.constantFrom("@", "web", "mail", "a.b", "new"),
  type: fc.constantFrom("A", "TXT"),
  ttl: fc.constantFrom(300, 900, undefined),
  last: fc.integer({ min: 1, max: 5 }),
});
const anyEdits = fc.array(anyEdit, { minLength: 1, maxLength: 4 });
const initial = ["web A 192.0.2.1", "web A 192.0.2.2", "mail TXT 192.0.2.1", "a.b A 192.0.2.3", "@ TXT 192.0.2.1"];

/** The edits in a zone as it is: each record is edited once. */
async function editsIn(zone: string, list: readonly AnyEdit[]): Promise<ZoneEdits> {
  const records = (await zones.records(zone)).filter(({ type }) => type === "A" || type === "TXT");
  const soa = await zones.idOf(zone, "@", "SOA");
  const used = new Set<number>();
  const edits = { remove: [] as number[], update: [] as { id: number }[], add: [] as Content[] };
  for (const { kind, index, owner, type, ttl, last } of list) {
    const content = { owner, type, ttl, rdata: `192.0.2.${last}` };
    const id = kind === "soa" ? soa : (records[index % records.length]?.id ?? soa);
    if (kind === "add") edits.add.push(content);
    if (kind === "add" || used.has(id)) continue;
    used.add(id);
    if (id === soa) edits.update.push({ id: soa, ...{ ttl: ttl ?? 60 } });
    else if (kind === "remove") edits.remove.push(id);
    else edits.update.push({ id, ...content });
  }
  return edits;
}
type Content = { owner: string; type: string; ttl: number | undefined; rdata: string };

const refusedOf = async <Result>(run: () => Promise<Result>): Promise<Result | Refusal> => {
  try {
    return await run();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
};

/** The lines of a zone, whatever its name is. */
const linesOf = async (zone: string) => (await zones.lines(zone)).map((line) => line.replaceAll(zone, "zone"));

test("beside changes by others a set does what its preview showed, or nothing; changes of other RRsets never refuse it", async () => {
  await fc.assert(
    fc.asyncProperty(anyEdits, fc.array(anyEdits, { maxLength: 3 }), async (mine, others) => {
      const zone = await zones.zone(...initial);
      const parts = [{ edit: { zone, ...(await editsIn(zone, mine)) } }];
      const set = await refusedOf(() => zones.stage(parts));
      if (set instanceof Refusal) return;
      const preview = await zones.preview(set);
      if (!preview.applicable) return;
      const shown = preview.zones[0]?.rrsets ?? [];
      const touched = new Set(shown.map(({ owner, type }) => `${owner} ${type}`));
      let isMet = false;
      for (const list of others) {
        await refusedOf(async () => zones.change(zone, await editsIn(zone, list)));
        const { removed, added } = (await zones.journal(zone)).at(-1) ?? { removed: [], added: [] };
        // Every change gives the SOA a serial; only another edit of it has another TTL here.
        const names = [...removed, ...added]
          .map((line) => line.split(" "))
          .map(([owner, , type]) => `${owner} ${type}`);
        const soas = [...removed, ...added].filter((line) => line.includes(" SOA ")).map((line) => line.split(" ")[1]);
        if (names.some((name) => name !== "@ SOA" && touched.has(name))) isMet = true;
        if (new Set(soas).size > 1 && touched.has("@ SOA")) isMet = true;
      }
      const before = await zones.state(zone);
      const applied = await refusedOf(() => applyChangeSet(session(), set.id, preview.fingerprint));
      if (applied instanceof Refusal) {
        // Somebody else may have added what an update of the set would make of a record.
        expect(["STALE_CHANGE_SET", "CHANGE_CONFLICT", "DUPLICATE_RECORD"]).toContain(applied.code);
        expect(isMet).toBe(true);
        expect(await zones.state(zone)).toEqual(before);
        return;
      }
      if (shown.length === 0) return expect(await zones.state(zone)).toEqual(before);
      const { removed, added } = (await zones.journal(zone)).at(-1) ?? { removed: [], added: [] };
      const lines = (isRemoved: boolean) =>
        shown.flatMap(({ owner, type, lines: all }) =>
          all.filter((line) => line.removed === isRemoved).map(({ ttl, rdata }) => `${owner} ${ttl} ${type} ${rdata}`),
        );
      const withoutSoa = (list: readonly string[]) => list.filter((line) => !line.includes(" SOA ")).toSorted();
      expect(withoutSoa(removed)).toEqual(withoutSoa(lines(true)));
      expect(withoutSoa(added)).toEqual(withoutSoa(lines(false)));
    }),
    { numRuns: runs(15) },
  );
});

/** What a set does to a zone, and whether somebody takes the zone, or its name, away before it is applied. */
interface AnyPart {
  readonly kind: "edit" | "create" | "delete" | "merge" | "replace" | "restore";
  readonly edits: readonly AnyEdit[];
  readonly isTaken: boolean;
}

const anyPart: fc.Arbitrary<AnyPart> = fc.record({
  kind: fc.constantFrom("edit", "edit", "create", "delete", "merge", "replace", "restore"),
  edits: anyEdits,
  isTaken: fc.oneof({ arbitrary: fc.constant(false), weight: 5 }, { arbitrary: fc.constant(true), weight: 1 }),
});

const contentsOf = (edits: readonly AnyEdit[]): Content[] =>
  edits.map(({ owner, type, ttl, last }) => ({ owner, type, ttl, rdata: `192.0.2.${last}` }));

/** The edits as records of a master file; one that replaces the zone has an apex. */
function fileOf({ kind, edits }: AnyPart): string {
  const soa = "@ 3600 SOA ns1.example.net. hostmaster.example.net. 1 10800 3600 1209600 3600";
  const apex = kind === "replace" ? [soa, "@ 3600 NS ns1.example.net."] : [];
  const records = contentsOf(edits).map(({ owner, type, ttl, rdata }) => `${owner} ${ttl ?? 600} ${type} ${rdata}`);
  return [...apex, ...records].join("\n");
}

let named = 0;

/** A zone that a part of this kind is for: one that there is, one that was deleted, or a name alone. */
async function zoneFor({ kind }: AnyPart): Promise<string> {
  if (kind === "create") return `new${++named}.example.org`;
  const zone = await zones.zone(...initial);
  if (kind === "restore") await zones.remove(zone);
  return zone;
}

/** Does to a zone without a set what a part does. */
async function doDirectly(zone: string, part: AnyPart): Promise<unknown> {
  const { kind, edits } = part;
  if (kind === "delete") return zones.remove(zone);
  if (kind === "restore") return restoreDomain(session(), { zone });
  if (kind === "edit") return zones.change(zone, await editsIn(zone, edits));
  if (kind !== "create")
    return importZone(session(), { zone, text: [fileOf(part)], mode: kind === "merge" ? "MERGE" : "REPLACE" });
  await zones.create(zone);
  return zones.change(zone, { add: contentsOf(edits) });
}

async function partFor(zone: string, part: AnyPart): Promise<ZonePart> {
  const { kind, edits } = part;
  if (kind === "delete") return { delete: { zone } };
  if (kind === "restore") return { restore: { zone } };
  if (kind === "edit") return { edit: { zone, ...(await editsIn(zone, edits)) } };
  if (kind !== "create") return { import: { zone, text: fileOf(part), mode: kind === "merge" ? "MERGE" : "REPLACE" } };
  return { create: { zone, userId: zones.userId, add: contentsOf(edits) } };
}

/** Takes a zone away from a part: one that there is is deleted, the name of one that is to come is taken. */
async function takeAway(zone: string, { kind }: AnyPart): Promise<void> {
  if (kind === "create" || kind === "restore") await zones.create(zone);
  else await zones.remove(zone);
}

/** Lines of a zone, the order within an RRset and the serial aside. */
const contents = (lines: readonly string[]) => lines.map((line) => line.replace(/( SOA \S+ \S+) \d+/, "$1")).toSorted();
const stateOf = async (zone: string) => [await zones.state(zone), (await zones.journal(zone)).length];

/** A part in a set, and what it makes of its zone alone. */
interface Case {
  readonly zone: string;
  readonly part: AnyPart;
  readonly staged: ZonePart;
  readonly isRefused: boolean;
  readonly wanted: readonly string[];
}

test("after its application each zone is as its part says, or is unchanged, in both modes", async () => {
  const seen = new Map<string, number>();
  const anyMode = fc.constantFrom(ChangeSetMode.ALL, ChangeSetMode.EACH_ZONE);
  await fc.assert(
    fc.asyncProperty(fc.array(anyPart, { minLength: 1, maxLength: 4 }), anyMode, async (parts, mode) => {
      const cases: Case[] = [];
      for (const part of parts) {
        const [zone, twin] = [await zoneFor(part), await zoneFor(part)];
        const staged = await partFor(zone, part);
        const direct = await refusedOf(() => doDirectly(twin, part));
        // A set leaves out what is there already.
        const isTwin = direct instanceof Refusal && direct.reasons.every(({ code }) => code === "DUPLICATE_RECORD");
        if (isTwin) return;
        cases.push({ zone, part, staged, isRefused: direct instanceof Refusal, wanted: await linesOf(twin) });
      }
      const untouched = new Map<string, unknown>();
      for (const { zone } of cases) untouched.set(zone, await stateOf(zone));
      const zonesOf = cases.map(({ staged }) => staged);
      const set = await refusedOf(() => zones.stage(zonesOf, { mode }));
      if (set instanceof Refusal) return expect(cases.some(({ isRefused }) => isRefused)).toBe(true);
      const { fingerprint, applicable } = await zones.preview(set);
      if (mode === ChangeSetMode.ALL) expect(applicable).toBe(!cases.some(({ isRefused }) => isRefused));
      const takeAll = async () => {
        for (const { zone, part } of cases)
          if (part.isTaken) {
            await takeAway(zone, part);
            untouched.set(zone, await stateOf(zone));
          }
      };
      if (mode === ChangeSetMode.ALL) await takeAll();
      const begun = await refusedOf(() => applyChangeSet(session(), set.id, fingerprint, { waitMs: 0 }));
      if (mode === ChangeSetMode.EACH_ZONE) {
        await takeAll();
        await zones.applyZones();
      }
      const isIn = ({ isRefused, part }: Case) => !isRefused && !part.isTaken;
      const isAll = mode === ChangeSetMode.ALL;
      if (begun instanceof Refusal)
        expect(isAll ? !cases.every(isIn) : cases.every((each) => each.isRefused)).toBe(true);
      else expect((await zones.current(set)).state).toBe(cases.every(isIn) ? "APPLIED" : "PARTIAL");
      const outcomes = new Map((await zones.outcomes(set)).map((each) => each.split(" ") as [string, string]));
      for (const each of cases) {
        const { zone, part, wanted } = each;
        const isDone = !(begun instanceof Refusal) && isIn(each);
        seen.set(`${part.kind} ${mode} ${isDone}`, (seen.get(`${part.kind} ${mode} ${isDone}`) ?? 0) + 1);
        if (!isDone) expect(await stateOf(zone)).toEqual(untouched.get(zone));
        else expect(contents(await linesOf(zone))).toEqual(contents(wanted));
        const expected = begun instanceof Refusal ? [undefined] : isDone ? ["APPLIED", "UNCHANGED"] : ["REFUSED"];
        expect(expected).toContain(outcomes.get(zone));
      }
    }),
    { numRuns: runs(30) },
  );
  expect([...seen.keys()].filter((key) => key.endsWith("true")).length).toBeGreaterThan(0);
});
