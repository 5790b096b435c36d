/**
 * Random histories of a zone: all that may happen to one, by every way in which it is changed, and what it was seen to be after each
 * change, against which its past is judged.
 */
import { expect } from "@jest/globals";
import { applyChangeSet } from "../../../src/changeset/apply/apply.ts";
import { previewChangeSet } from "../../../src/changeset/check/preview.ts";
import { createChangeSet } from "../../../src/changeset/stage/stage.ts";
import { readMessage } from "../../../src/dns/message/message-reader.ts";
import { Refusal } from "../../../src/errors.ts";
import { type DomainRow, domainByZone } from "../../../src/zone/domain.ts";
import { applyUpdate } from "../../../src/zone/dynamic-update/apply.ts";
import { changeZone } from "../../../src/zone/edit/change-zone.ts";
import type { ZoneEdits } from "../../../src/zone/edit/edit-plan.ts";
import { countDifference } from "../../../src/zone/history/difference.ts";
import { restoreDomain } from "../../../src/zone/history/restore.ts";
import { revertChange, revertDomain } from "../../../src/zone/history/revert.ts";
import { present } from "../../../src/zone/history/versions.ts";
import { deleteDomain } from "../../../src/zone/lifecycle/domain-lifecycle.ts";
import { importZone } from "../../../src/zone/master-file/import.ts";
import type { RecordRow } from "../../../src/zone/record.ts";
import fc from "../basics/property.ts";
import { updateMessage } from "../dns/update-client.ts";
import { fieldsOf, type TestZones } from "./session.ts";

/** What a zone was seen to be after a change. */
export interface Seen {
  readonly changeId: number;
  readonly kind: string;
  readonly serial: number;
  readonly createdAt: Date;
  /** Its records as `id owner ttl type rdata`, in the order of lists; none after its deletion. */
  readonly lines: readonly string[];
  /** For each of them the change that began its version, and the one that had written it: the same, but where the zone was restored. */
  readonly begun: readonly number[];
  readonly blame: readonly number[];
}

type Act = (history: History) => Promise<unknown>;

/** A record with its id, as one line. */
export const lineOf = ({ id, owner, ttl, type, rdata }: Pick<RecordRow, "id" | "owner" | "ttl" | "type" | "rdata">) =>
  `${id} ${owner} ${ttl} ${type} ${rdata}`;

/** The line of an SOA without its serial. */
export const withoutSerial = (line: string) => line.replace(/( SOA \S+ \S+) \d+/, "$1");

/** Contents without ids: what a difference is about. */
export const contents = (lines: readonly string[]) =>
  lines.map((line) => withoutSerial(line.replace(/^\d+ /, ""))).toSorted();

/** The owner and the type of a line. */
const rrsetOf = (content: string) => content.replace(/^(\S+) \S+ (\S+).*/, "$1 $2");

/** The contents of each RRset, as one text. */
function rrsetsOf(lines: readonly string[]): Map<string, string> {
  const groups = Map.groupBy(contents(lines), rrsetOf);
  return new Map([...groups].map(([name, group]) => [name, group.join("\n")]));
}

/** The RRsets whose contents two states do not share. */
function differing(one: readonly string[], other: readonly string[]): string[] {
  const [a, b] = [rrsetsOf(one), rrsetsOf(other)];
  return [...new Set([...a.keys(), ...b.keys()])].filter((name) => a.get(name) !== b.get(name));
}

/** How far the clock moves from one act to the next, ms: a day makes the serial that of another day. */
const clockSteps = [60_000, 60_000, -3_600_000, 86_400_000];

type StoredChange = Omit<Seen, "changeId" | "lines" | "begun" | "blame"> & { readonly id: number };

/** A record since it was begun by a change, and the change that wrote it. */
interface Version {
  readonly line: string;
  readonly since: number;
  readonly author: number;
}

export class History {
  readonly zones: TestZones;
  readonly zone: string;
  readonly seen: Seen[] = [];
  /** Versions that ended, each as its line, the change that began it and the one that ended it. */
  readonly ended: string[] = [];
  readonly #open = new Map<number, Version>();
  /** Who had written the records that its last deletion took, by their lines without serial. */
  readonly #deleted = new Map<string, number>();

  private constructor(zones: TestZones, zone: string) {
    this.zones = zones;
    this.zone = zone;
  }

  static async begin(zones: TestZones): Promise<History> {
    const history = new History(zones, await zones.zone());
    await history.look();
    const first = ["web A 192.0.2.1", "web A 192.0.2.2", "mail TXT 192.0.2.1"].map(fieldsOf);
    await history.run(() => changeZone(zones.session(), history.zone, { add: first }));
    return history;
  }

  /** Acts a while later, or by a clock that goes behind, unless that is refused; and looks at the zone. */
  async run(act: Act): Promise<void> {
    const step = clockSteps[this.seen.length % clockSteps.length] as number;
    this.zones.now = new Date(this.zones.now.getTime() + step);
    try {
      await act(this);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
    await this.look();
  }

  /** Takes note of what the zone is. Each act makes one change at most, or a deletion and another. */
  async look(): Promise<void> {
    const { id } = await this.domain();
    const changes = await this.zones.sql<StoredChange>(
      'select id::float8 as id, kind, serial::float8 as serial, created_at as "createdAt" from change where domain_id = $1 and id > $2 order by id',
      [id, this.seen.at(-1)?.changeId ?? 0],
    );
    const lines = await this.lines();
    if (changes.length === 0) expect(lines).toEqual(this.seen.at(-1)?.lines);
    for (const [at, change] of changes.entries()) {
      const isLast = at === changes.length - 1;
      expect(isLast).toBe(change.kind !== "DELETE");
      this.#note(change, isLast ? lines : []);
    }
  }

  #note({ id, ...change }: StoredChange, lines: readonly string[]): void {
    const byId = new Map(lines.map((line) => [Number(line.split(" ")[0]), line]));
    for (const [record, { line, since, author }] of this.#open) {
      if (withoutSerial(byId.get(record) ?? "") === withoutSerial(line)) continue;
      this.ended.push(`${line} ${since} ${id}`);
      if (change.kind === "DELETE") this.#deleted.set(withoutSerial(line), author);
      this.#open.delete(record);
    }
    for (const [record, line] of byId) {
      const author = (change.kind === "RESTORE" && this.#deleted.get(withoutSerial(line))) || id;
      if (!this.#open.has(record)) this.#open.set(record, { line, since: id, author });
    }
    if (change.kind === "RESTORE") this.#deleted.clear();
    const versions = [...byId.keys()].map((record) => this.#open.get(record) as Version);
    const [begun, blame] = [versions.map(({ since }) => since), versions.map(({ author }) => author)];
    this.seen.push({ changeId: id, ...change, lines, begun, blame });
  }

  /** All versions that there were: those that ended, and those of the present. */
  get versions(): string[] {
    return [...this.ended, ...[...this.#open.values()].map(({ line, since }) => `${line} ${since} null`)].toSorted();
  }

  domain(): Promise<DomainRow> {
    return domainByZone(this.zones.session(), this.zone);
  }

  async lines(): Promise<string[]> {
    return (await this.zones.records(this.zone)).map(lineOf);
  }

  /** Its moments: what it was seen to be while it was not deleted. */
  get moments(): readonly Seen[] {
    return this.seen.filter(({ kind }) => kind !== "DELETE");
  }

  moment(index: number): Seen {
    return this.moments[index % this.moments.length] as Seen;
  }
}

const pick = <Item>(items: readonly Item[], index: number): Item | undefined =>
  items[index % Math.max(1, items.length)];
const owner = fc.constantFrom("@", "web", "mail", "a.b", "new");
const type = fc.constantFrom("A", "A", "TXT");
const ttl = fc.constantFrom(300, 900, undefined);
const data = fc.integer({ min: 1, max: 4 }).map((last) => `192.0.2.${last}`);
const index = fc.nat(40);

const add: fc.Arbitrary<Act> = fc.record({ owner, ttl, type, rdata: data }).map(
  (record) =>
    ({ zones, zone }) =>
      changeZone(zones.session(), zone, { add: [record] }),
);

/** Edits of records that keep their ids; a TTL moves that of the whole RRset. */
const anyEdits: fc.Arbitrary<(history: History) => Promise<ZoneEdits>> = fc
  .array(fc.record({ index, owner, ttl, rdata: data, kind: fc.nat(3) }), { minLength: 1, maxLength: 4 })
  .map((list) => async ({ zones, zone }) => {
    const records = (await zones.records(zone)).filter((record) => record.type === "A" || record.type === "TXT");
    const chosen = new Map(list.map((edit) => [pick(records, edit.index)?.id ?? 0, edit]));
    chosen.delete(0);
    const remove = [...chosen].filter(([, { kind }]) => kind === 0).map(([id]) => id);
    const update = [...chosen].flatMap(([id, { kind, ...edit }]) => {
      if (kind === 0) return [];
      return [{ id, ttl: edit.ttl, ...(kind > 1 && { rdata: edit.rdata }), ...(kind > 2 && { owner: edit.owner }) }];
    });
    return { remove, update };
  });

const edit: fc.Arbitrary<Act> = anyEdits.map(
  (edits) => async (history) => changeZone(history.zones.session(), history.zone, await edits(history)),
);

const changeSet: fc.Arbitrary<Act> = anyEdits.map((edits) => async (history) => {
  const session = history.zones.session();
  const parts = [{ edit: { zone: history.zone, ...(await edits(history)) } }];
  const set = await createChangeSet(session, { title: "a set", zones: parts });
  const { fingerprint } = await previewChangeSet(session, set);
  await applyChangeSet(session, set.id, fingerprint);
});

const dynamicUpdate: fc.Arbitrary<Act> = fc
  .record({ owner, type, rdata: data, ttl: fc.constantFrom(300, 900), removes: fc.boolean(), adds: fc.boolean() })
  .map(({ owner, type, rdata, ttl, removes, adds }) => ({ zones, zone }) => {
    const key = { name: "k.example.com", userId: zones.userId, zones: null, owners: null, types: null };
    const lines = [
      ...(removes ? [`del ${owner} ${type}`] : []),
      ...(adds ? [`add ${owner} ${ttl} ${type} ${rdata}`] : []),
    ];
    const session = { ...zones.session(), source: "update" as const };
    return applyUpdate(session, key, readMessage(updateMessage(zone, lines)));
  });

/** Gives the SOA this serial, and another field if it is given. */
async function editSoa({ zones, zone }: History, serial: number, minimum?: number): Promise<unknown> {
  const soa = (await zones.records(zone)).find((record) => record.type === "SOA") as RecordRow;
  const fields = soa.rdata.split(" ").with(2, String(serial));
  const rdata = (minimum === undefined ? fields : fields.with(6, String(minimum))).join(" ");
  return changeZone(zones.session(), zone, { update: [{ id: soa.id, rdata }] }, { force: true });
}

const editSoaFields: fc.Arbitrary<Act> = fc
  .constantFrom(600, 1800)
  .map((minimum) => async (history) => editSoa(history, (await history.domain()).serial + 1, minimum));

/** Serials come round: half the circle on, to its end, and to one that the zone had before. */
const leap: fc.Arbitrary<Act> = fc.tuple(fc.nat(2), index).map(([kind, chosen]) => async (history) => {
  const { serial } = await history.domain();
  const former = history.moment(chosen).serial;
  const next = [(serial + 2 ** 31 - 1) % 2 ** 32, 2 ** 32 - 1, former][kind] as number;
  await editSoa(history, next);
});

const importFile: fc.Arbitrary<Act> = fc
  .record({ list: fc.array(fc.tuple(owner, data), { maxLength: 5 }), replace: fc.boolean() })
  .map(({ list, replace }) => ({ zones, zone }) => {
    const apex =
      "@ 3600 IN SOA ns1.example.net. hostmaster.example.net. 1 10800 3600 1209600 300\n@ 3600 IN NS ns1.example.net.\n";
    const text = list.map(([name, rdata]) => `${name} 300 IN A ${rdata}\n`).join("");
    const file = replace ? { text: [apex + text], mode: "REPLACE" as const } : { text: [text], mode: "MERGE" as const };
    return importZone(zones.session(), { zone, ...file });
  });

const revert: fc.Arbitrary<Act> = index.map((chosen) => async (history) => {
  const { zones, zone } = history;
  const to = history.moment(chosen);
  const { id: domainId } = await history.domain();
  await revertDomain(zones.session(), zone, { changeId: to.changeId });
  const instants = [{ domainId, changeId: to.changeId }, present(domainId)] as const;
  expect(await countDifference(zones.session(), instants)).toEqual({ removed: 0, added: 0, rrsets: 0 });
  expect((await revertDomain(zones.session(), zone, { changeId: to.changeId })).change).toBeNull();
});

const undoNewest: fc.Arbitrary<Act> = fc.constant(async (history: History) => {
  const [before, newest] = history.seen.slice(-2);
  if (!before || !newest) return;
  await revertChange(history.zones.session(), newest.changeId);
  expect(contents(await history.lines())).toEqual(contents(before.lines));
});

/**
 * Undoes any change: each RRset that it touched, which was still as the change had left it or as it was before, is what it was before, and
 * no other moves; or a later change touched it too.
 */
const undoAny: fc.Arbitrary<Act> = index.map((chosen) => async (history) => {
  const at = 1 + (chosen % (history.seen.length - 1));
  const [former, change] = history.seen.slice(at - 1) as [Seen, Seen];
  const touched = differing(former.lines, change.lines);
  const before = await history.lines();
  const refusal = await revertChange(history.zones.session(), change.changeId).then(
    () => undefined,
    (error: Error) => error,
  );
  if (refusal instanceof Refusal && refusal.code === "CHANGE_CONFLICT") {
    const steps = history.seen.slice(at + 1).map(({ lines }, later) => [history.seen[at + later]?.lines ?? [], lines]);
    const later = new Set(steps.flatMap(([from = [], to = []]) => differing(from, to)));
    for (const { owner, type } of refusal.reasons) expect([...later]).toContain(`${owner} ${type}`);
  }
  if (refusal) throw refusal;
  const neither = differing(former.lines, before).filter((name) => differing(change.lines, before).includes(name));
  expect(neither.filter((name) => touched.includes(name))).toEqual([]);
  const after = await history.lines();
  expect(touched).toEqual(expect.arrayContaining(differing(before, after)));
  expect(differing(former.lines, after).filter((name) => touched.includes(name))).toEqual([]);
});

const deleteAndRestore: fc.Arbitrary<Act> = fc.constant(async (history: History) => {
  const { zones, zone } = history;
  const { id, createdAt, serial } = await history.domain();
  const before = await history.lines();
  await deleteDomain(zones.session(), zone);
  const { domain } = await restoreDomain(zones.session(), { zone });
  expect(domain).toMatchObject({ id, createdAt });
  expect(domain?.serial).not.toBe(serial);
  expect((await history.lines()).map(withoutSerial)).toEqual(before.map(withoutSerial));
});

/** What happens to a zone, one act after the other. */
export const anyActs = fc.array(
  fc.oneof(
    { arbitrary: add, weight: 4 },
    { arbitrary: edit, weight: 5 },
    { arbitrary: changeSet, weight: 2 },
    { arbitrary: dynamicUpdate, weight: 2 },
    { arbitrary: editSoaFields, weight: 1 },
    { arbitrary: leap, weight: 2 },
    { arbitrary: importFile, weight: 2 },
    { arbitrary: revert, weight: 2 },
    { arbitrary: undoNewest, weight: 2 },
    { arbitrary: undoAny, weight: 3 },
    { arbitrary: deleteAndRestore, weight: 1 },
  ),
  { minLength: 8, maxLength: 25 },
);
