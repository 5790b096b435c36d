/**
 * Any change set: it does what the same edits by changeRecords do, and beside changes by others it does what its preview showed, or
 * nothing.
 */
import { expect, test } from "@jest/globals";
import { applyChangeSet } from "../../src/changeset/apply.ts";
import { previewChangeSet } from "../../src/changeset/preview.ts";
import { createChangeSet } from "../../src/changeset/stage.ts";
import { Refusal } from "../../src/errors.ts";
import { changeZone } from "../../src/zone/edit/change-zone.ts";
import type { ZoneEdits } from "../../src/zone/edit/edit-plan.ts";
import fc from "../setup/property.ts";
import { testZones } from "../setup/session.ts";

const zones = testZones();
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

const runs = Number(process.env.SETS ?? 15);

test("a set does what the same edits by changeRecords do, zone by zone", async () => {
  const seen = { applied: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(anyEdits, { minLength: 1, maxLength: 3 }), async (lists) => {
      const directs: { zone: string; refused: boolean; isTwin: boolean }[] = [];
      const parts: { zone: string; edits: ZoneEdits }[] = [];
      for (const list of lists) {
        const [zone, twin] = [await zones.zone(...initial), await zones.zone(...initial)];
        const edits = await editsIn(zone, list);
        const result = await refusedOf(() => changeZone(session(), zone, edits));
        const refused = result instanceof Refusal;
        // A set leaves out what is there already.
        const isTwin = refused && result.reasons.every(({ code }) => code === "DUPLICATE_RECORD");
        directs.push({ zone, refused, isTwin });
        parts.push({ zone: twin, edits: await editsIn(twin, list) });
      }
      if (directs.some(({ isTwin }) => isTwin)) return;
      const mustRefuse = directs.some(({ refused }) => refused);
      const set = await refusedOf(() => createChangeSet(session(), { title: "any", zones: parts }));
      if (set instanceof Refusal) return expect(mustRefuse).toBe(true);
      const { fingerprint, applicable } = await previewChangeSet(session(), set);
      expect(applicable).toBe(!mustRefuse);
      const applied = await refusedOf(() => applyChangeSet(session(), set.id, fingerprint));
      expect(applied instanceof Refusal).toBe(mustRefuse);
      seen[mustRefuse ? "refused" : "applied"] += 1;
      for (const [at, { zone }] of directs.entries()) {
        const after = mustRefuse ? await linesOf(await zones.zone(...initial)) : await linesOf(zone);
        expect(await linesOf((parts[at] as { zone: string }).zone)).toEqual(after);
      }
    }),
    { numRuns: runs },
  );
  expect(seen.applied).toBeGreaterThan(0);
});

test("beside changes by others a set does what its preview showed, or nothing; changes of other RRsets never refuse it", async () => {
  await fc.assert(
    fc.asyncProperty(anyEdits, fc.array(anyEdits, { maxLength: 3 }), async (mine, others) => {
      const zone = await zones.zone(...initial);
      const parts = [{ zone, edits: await editsIn(zone, mine) }];
      const set = await refusedOf(() => createChangeSet(session(), { title: "any", zones: parts }));
      if (set instanceof Refusal) return;
      const preview = await previewChangeSet(session(), set);
      if (!preview.applicable) return;
      const shown = preview.zones[0]?.rrsets ?? [];
      const touched = new Set(shown.map(({ owner, type }) => `${owner} ${type}`));
      let isMet = false;
      for (const list of others) {
        await refusedOf(async () => changeZone(session(), zone, await editsIn(zone, list)));
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
    { numRuns: runs },
  );
});
