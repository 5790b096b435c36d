/**
 * The past of any zone: random histories of edits, imports, reverts, deletions and restorations, against what the zone was seen to be.
 */
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { Refusal } from "../../../src/errors.ts";
import { type DomainRow, domainByZone } from "../../../src/zone/domain.ts";
import { changeZone } from "../../../src/zone/edit/change-zone.ts";
import { deleteDomain } from "../../../src/zone/edit/lifecycle.ts";
import { allLines, countDifference, streamDifference } from "../../../src/zone/history/difference.ts";
import { momentOf } from "../../../src/zone/history/moment.ts";
import { restoreDomain } from "../../../src/zone/history/restore.ts";
import { revertChange, revertDomain } from "../../../src/zone/history/revert.ts";
import { type Instant, present, recordsAt } from "../../../src/zone/history/versions.ts";
import { importZone } from "../../../src/zone/master-file/import.ts";
import type { RecordRow } from "../../../src/zone/record.ts";
import { testZones } from "../../setup/session.ts";

const zones = testZones();

/** What a zone was seen to be after a change. */
interface Seen {
  readonly changeId: number;
  readonly serial: number;
  readonly lines: readonly string[];
  /** The change that had made each line so. */
  readonly authors: ReadonlyMap<string, number>;
}

type Act = (scene: Scene) => Promise<unknown>;

const lineOf = ({ id, owner, ttl, type, rdata }: Pick<RecordRow, "id" | "owner" | "ttl" | "type" | "rdata">) =>
  `${id} ${owner} ${ttl} ${type} ${rdata}`;

/** A zone, and all that it was. */
class Scene {
  readonly zone: string;
  readonly seen: Seen[] = [];

  constructor(zone: string) {
    this.zone = zone;
  }

  /** Acts, unless that is refused, and looks at the zone. */
  async run(act: Act): Promise<void> {
    try {
      await act(this);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
    await this.look();
  }

  async look(): Promise<void> {
    const { id, serial } = await this.domain();
    const [last] = await zones.sql<{ id: string }>("select max(id) as id from change where domain_id = $1", [id]);
    const changeId = Number(last?.id);
    const records = await zones.records(this.zone);
    const lines = records.map(lineOf);
    const before = this.seen.at(-1);
    if (before?.changeId === changeId) return expect(lines).toEqual(before.lines);
    const first = before ? new Map<string, number>() : await this.#firstAuthors();
    const authors = new Map(
      records.map((record) => {
        const line = lineOf(record);
        return [line, before?.authors.get(line) ?? first.get(String(record.id)) ?? changeId];
      }),
    );
    this.seen.push({ changeId, serial, lines, authors });
  }

  /** The changes that wrote the records at first, by their ids: nothing was changed since. */
  async #firstAuthors(): Promise<Map<string, number>> {
    const { id } = await this.domain();
    const rows = await zones.sql<{ id: string; change_id: string }>(
      "select id, change_id from zone_record where domain_id = $1",
      [id],
    );
    return new Map(rows.map((row) => [row.id, Number(row.change_id)]));
  }

  domain(): Promise<DomainRow> {
    return domainByZone(zones.session(), this.zone);
  }

  /** One of the moments that were seen. */
  moment(index: number): Seen {
    return this.seen[index % this.seen.length] as Seen;
  }
}

const pick = <Item>(items: readonly Item[], index: number): Item | undefined =>
  items[index % Math.max(1, items.length)];
const owner = fc.constantFrom("@", "web", "mail", "a.b", "new");
const ttl = fc.constantFrom(300, 900, undefined);
const data = fc.integer({ min: 1, max: 4 }).map((last) => `192.0.2.${last}`);
const index = fc.nat(40);

const add: fc.Arbitrary<Act> = fc.record({ owner, ttl, rdata: data }).map(
  (record) =>
    ({ zone }) =>
      changeZone(zones.session(), zone, { add: [{ ...record, type: "A" }] }),
);

const edits: fc.Arbitrary<Act> = fc
  .array(fc.record({ index, owner, ttl, rdata: data, kind: fc.nat(2) }), { minLength: 1, maxLength: 4 })
  .map((list) => async ({ zone }) => {
    const records = (await zones.records(zone)).filter(({ type }) => type === "A");
    const chosen = new Map(list.map((edit) => [pick(records, edit.index)?.id ?? 0, edit]));
    chosen.delete(0);
    const remove = [...chosen].filter(([, { kind }]) => kind === 0).map(([id]) => id);
    const update = [...chosen].flatMap(([id, { kind, ...edit }]) =>
      kind === 0 ? [] : [{ id, rdata: edit.rdata, ttl: edit.ttl, ...(kind === 2 && { owner: edit.owner }) }],
    );
    return changeZone(zones.session(), zone, { remove, update });
  });

const editSoa: fc.Arbitrary<Act> = fc.constantFrom(600, 1800).map((minimum) => async ({ zone }) => {
  const id = await zones.idOf(zone, "@", "SOA");
  const { serial } = await domainByZone(zones.session(), zone);
  const rdata = `ns1.example.net. hostmaster.example.net. ${serial + 1} 10800 3600 1209600 ${minimum}`;
  return changeZone(zones.session(), zone, { update: [{ id, rdata }] });
});

const importFile: fc.Arbitrary<Act> = fc
  .record({ list: fc.array(fc.tuple(owner, data), { maxLength: 5 }), replace: fc.boolean() })
  .map(({ list, replace }) => ({ zone }) => {
    const apex =
      "@ 3600 IN SOA ns1.example.net. hostmaster.example.net. 1 10800 3600 1209600 300\n@ 3600 IN NS ns1.example.net.\n";
    const text = list.map(([name, rdata]) => `${name} 300 IN A ${rdata}\n`).join("");
    const file = replace ? { text: [apex + text], mode: "REPLACE" as const } : { text: [text], mode: "MERGE" as const };
    return importZone(zones.session(), { zone, ...file });
  });

const revert: fc.Arbitrary<Act> = index.map((chosen) => async (scene) => {
  const to = scene.moment(chosen);
  const { id: domainId } = await scene.domain();
  await revertDomain(zones.session(), scene.zone, { changeId: to.changeId });
  const instants = [{ domainId, changeId: to.changeId }, present(domainId)] as const;
  expect(await countDifference(zones.session(), instants)).toEqual({ removed: 0, added: 0, rrsets: 0 });
  expect((await revertDomain(zones.session(), scene.zone, { changeId: to.changeId })).change).toBeNull();
});

const undoNewest: fc.Arbitrary<Act> = fc.constant(async (scene: Scene) => {
  const [before, newest] = scene.seen.slice(-2);
  if (!before || !newest) return;
  await revertChange(zones.session(), newest.changeId);
  expect(contents((await zones.records(scene.zone)).map(lineOf))).toEqual(contents(before.lines));
});

const undoAny: fc.Arbitrary<Act> = index.map(
  (chosen) => (scene) => revertChange(zones.session(), scene.moment(chosen).changeId),
);

const deleteAndRestore: fc.Arbitrary<Act> = fc.constant(async (scene: Scene) => {
  const { id, createdAt, serial } = await scene.domain();
  const before = (await zones.records(scene.zone)).map(lineOf);
  await deleteDomain(zones.session(), scene.zone);
  const { domain } = await restoreDomain(zones.session(), { zone: scene.zone });
  expect(domain).toMatchObject({ id, createdAt });
  expect(domain?.serial).not.toBe(serial);
  const withoutSerial = (line: string) => line.replace(/( SOA \S+ \S+) \d+/, "$1");
  expect((await zones.records(scene.zone)).map(lineOf).map(withoutSerial)).toEqual(before.map(withoutSerial));
});

const acts = fc.array(
  fc.oneof(
    { arbitrary: add, weight: 4 },
    { arbitrary: edits, weight: 5 },
    { arbitrary: editSoa, weight: 1 },
    { arbitrary: importFile, weight: 2 },
    { arbitrary: revert, weight: 2 },
    { arbitrary: undoNewest, weight: 2 },
    { arbitrary: undoAny, weight: 2 },
    { arbitrary: deleteAndRestore, weight: 2 },
  ),
  { minLength: 8, maxLength: 25 },
);

/** The records at an instant, and the change that had made each so. */
async function blamedAt(instant: Instant): Promise<[string, number][]> {
  const { rows } = await recordsAt(zones.session(), instant, {}, { first: 1000 });
  return rows.map((row) => [lineOf(row), row.changeId]);
}

/** Of a difference, each line of a record that is no SOA, and the change that is named for it. */
async function blamedDifference(instants: readonly [Instant, Instant]): Promise<{ line: string; changeId: number }[]> {
  const found: { line: string; changeId: number }[] = [];
  for await (const rrsets of streamDifference(zones.session(), instants))
    for (const { owner: name, type, lines } of rrsets.filter((rrset) => rrset.type !== "SOA"))
      for (const { recordId: id, changeId, ...line } of lines)
        found.push({ line: lineOf({ id, owner: name, type, ...line }), changeId });
  return found;
}

/** Content without ids, and the SOA without its serial: what a difference is about. */
const contents = (lines: readonly string[]) =>
  lines.map((line) => line.replace(/^\d+ /, "").replace(/( SOA \S+ \S+) \d+/, "$1")).toSorted();

/** A difference, applied to what a zone was. */
function applied(lines: readonly string[], difference: readonly { removed: boolean; text: string }[]): string[] {
  const result = contents(lines);
  for (const { removed, text } of difference) {
    const [content] = contents([text]);
    if (!removed) result.push(content as string);
    else {
      expect(result).toContain(content);
      result.splice(result.indexOf(content as string), 1);
    }
  }
  return result.toSorted();
}

test("every moment is what the zone was then, and a difference leads from any moment to any other", async () => {
  await fc.assert(
    fc.asyncProperty(acts, async (list) => {
      const scene = new Scene(await zones.zone("web A 192.0.2.1", "web A 192.0.2.2"));
      await scene.look();
      for (const act of list) await scene.run(act);
      const domain = await scene.domain();
      for (const { changeId, serial, lines, authors } of scene.seen) {
        const moment = await momentOf(zones.session(), domain, { changeId }, "at");
        expect(moment.change.serial).toBe(serial);
        const found = await blamedAt({ domainId: domain.id, changeId });
        expect(found.map(([line]) => line)).toEqual(lines);
        expect(new Map(found)).toEqual(authors);
      }
      for (const from of scene.seen.filter((_, each) => each % 3 === 0)) {
        for (const to of scene.seen.filter((_, each) => each % 4 === 0)) {
          const instants = [from, to].map(({ changeId }) => ({ domainId: domain.id, changeId })) as [Instant, Instant];
          const found = await allLines(zones.session(), instants, 10_000);
          const texts = found.map(({ removed, recordId: id, ...line }) => ({ removed, text: lineOf({ id, ...line }) }));
          expect(applied(from.lines, texts)).toEqual(contents(to.lines));
          const [earlier, later] = from.changeId < to.changeId ? [from, to] : [to, from];
          for (const { line, changeId } of await blamedDifference(instants)) {
            const went = scene.seen.find((each) => each.changeId > earlier.changeId && !each.lines.includes(line));
            expect(changeId).toBe(later.authors.get(line) ?? went?.changeId);
          }
        }
      }
    }),
    { numRuns: Number(process.env.HISTORIES ?? 12) },
  );
}, 300_000);
