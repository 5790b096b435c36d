/** The past of a zone: random histories, by every way in which a zone is changed, compared with the observed states of the zone. */
import { expect, test } from "@jest/globals";
import { allLines, streamDifference } from "../../../../src/zone/history/difference.ts";
import { momentOf } from "../../../../src/zone/history/moment.ts";
import { shortDifferenceText } from "../../../../src/zone/history/past-text.ts";
import { type Instant, recordsAt, versionsOfRrset } from "../../../../src/zone/history/versions.ts";
import { importZone } from "../../../../src/zone/master-file/import.ts";
import fc, { runs } from "../../../setup/basics/property.ts";
import { anyActs, contents, History, lineOf, type Seen, withoutSerial } from "../../../setup/zones/any-history.ts";
import { testZones } from "../../../setup/zones/session.ts";

const zones = testZones();

/** Judges histories: after each act by `each`, at their end by `whole`. */
async function judge(whole: (history: History) => Promise<void>, each = async (_history: History) => {}) {
  await fc.assert(
    fc.asyncProperty(anyActs, async (acts) => {
      const history = await History.begin(zones);
      for (const act of acts) {
        await history.run(act);
        await each(history);
      }
      await whole(history);
    }),
    { numRuns: runs(12) },
  );
}

/** Expects that a moment is shown as it was seen, with who had written each of its records last. */
async function expectAt(domainId: number, { changeId, lines, begun, blame }: Seen): Promise<void> {
  const { rows } = await recordsAt(zones.session(), { domainId, changeId }, {}, { first: 1000 });
  expect(rows.map(lineOf)).toEqual(lines);
  expect(rows.map((row) => row.changeId)).toEqual(blame);
  expect(rows.map((row) => row.restoredBy ?? row.changeId)).toEqual(begun);
}

test("every moment equals the zone then, with the same ids and blame, after every later change", async () => {
  await judge(
    async (history) => {
      const domain = await history.domain();
      const lastAt = new Map(history.moments.map((seen) => [seen.serial, seen.changeId]));
      const times = history.seen.map(({ createdAt }) => createdAt.getTime());
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      zones.now = new Date(Math.max(zones.now.getTime(), ...times));
      for (const seen of history.moments) {
        const { changeId, serial, createdAt: time } = seen;
        expect((await momentOf(zones.session(), domain, { changeId }, "at")).change.serial).toBe(serial);
        // A serial that came round means its last moment.
        const { change } = await momentOf(zones.session(), domain, { serial }, "at");
        expect(change.id).toBe(lastAt.get(serial));
        const then = history.seen.findLast(({ createdAt }) => createdAt <= time) as Seen;
        if (then.kind !== "DELETE")
          expect((await momentOf(zones.session(), domain, { time }, "at")).change.id).toBe(then.changeId);
        await expectAt(domain.id, seen);
      }
    },
    async (history) => expectAt((await history.domain()).id, history.moment(history.seen.length * 7)),
  );
});

/** Expects that each line of a difference, but of the SOA, names the change that wrote the record, or that removed it. */
async function expectBlamed(
  { moments }: History,
  [from, to]: readonly [Seen, Seen],
  instants: readonly [Instant, Instant],
) {
  const [earlier, later] = from.changeId < to.changeId ? [from, to] : [to, from];
  for await (const rrsets of streamDifference(zones.session(), instants))
    for (const { owner, type, lines } of rrsets.filter((rrset) => rrset.type !== "SOA"))
      for (const { recordId: id, changeId, ...rest } of lines) {
        const line = lineOf({ id, owner, type, ...rest });
        const went = moments.find((each) => each.changeId > earlier.changeId && !each.lines.includes(line));
        expect(changeId).toBe(later.blame[later.lines.indexOf(line)] ?? went?.changeId);
      }
}

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

/** The master file of a state, without the lines that a difference as text removes and with those that it adds. */
function patched(lines: readonly string[], text: string): string {
  const file = lines.map((line) => line.replace(/^\d+ (\S+ \d+) /, "$1 IN "));
  const changed = text.split("\n").slice(2);
  for (const line of changed.filter((each) => each.startsWith("-"))) {
    expect(file).toContain(line.slice(1));
    file.splice(file.indexOf(line.slice(1)), 1);
  }
  const added = changed.filter((each) => each.startsWith("+")).map((line) => line.slice(1));
  return [...file, ...added, ""].join("\n");
}

test("a difference leads from any moment to any other, also as a text whose lines are imported", async () => {
  await judge(async (history) => {
    const domain = await history.domain();
    const copy = await zones.zone();
    for (const from of history.moments.filter((_, each) => each % 3 === 0))
      for (const to of history.moments.filter((_, each) => each % 4 === 0)) {
        const instants = [from, to].map(({ changeId }) => ({ domainId: domain.id, changeId })) as [Instant, Instant];
        const found = await allLines(zones.session(), instants, 10_000);
        const texts = found.map(({ removed, recordId: id, ...line }) => ({ removed, text: lineOf({ id, ...line }) }));
        expect(applied(from.lines, texts)).toEqual(contents(to.lines));
        await expectBlamed(history, [from, to], instants);
        const [one, other] = await Promise.all(
          [from, to].map(({ changeId }) => momentOf(zones.session(), domain, { changeId }, "at")),
        );
        const text = await shortDifferenceText(zones.session(), { from: one as never, to: other as never });
        const file = patched(from.lines, text as string);
        await importZone(zones.session(), { zone: copy, text: [file], mode: "REPLACE" });
        expect(contents((await zones.records(copy)).map(lineOf))).toEqual(contents(to.lines));
      }
  });
});

/** The versions of an RRset, as a history has them. */
async function versionsOf(domainId: number, zone: string, rrset: string): Promise<string[]> {
  const [owner = "", type = ""] = rrset.split(" ");
  const { rows } = await versionsOfRrset(zones.session(), { id: domainId, zone }, { owner, type }, { first: 1000 });
  return rows.map(({ recordId: id, since, until, ...row }) => `${lineOf({ id, ...row })} ${since} ${until}`);
}

test("the versions of records are the observed ones: they do not overlap, and begin and end with the changes that wrote them", async () => {
  await judge(async (history) => {
    const { id } = await history.domain();
    const rrsets = new Set(
      history.versions.map((line) => line.split(" ")).map(([, owner, , type]) => `${owner} ${type}`),
    );
    const found = await Promise.all([...rrsets].map((rrset) => versionsOf(id, history.zone, rrset)));
    expect(found.flat().toSorted()).toEqual(history.versions);
    const overlapping = await zones.sql(
      `select from (
        select since, lag(until) over (partition by owner, type, data order by since) as before from (
          select owner, type, wire as data, since, change_id as until from change_record where domain_id = $1
          union all select owner, type, wire, change_id, null from zone_record where domain_id = $1
        ) versions
      ) each where before > since`,
      [id],
    );
    expect(overlapping).toEqual([]);
  });
});

test("the journal, replayed from the creation of a zone, is the zone after each of its changes", async () => {
  await judge(async (history) => {
    const journal = await zones.journal(history.zone);
    expect(journal.map(({ kind, serial }) => [kind, serial])).toEqual(
      history.seen.map(({ kind, serial }) => [kind, serial]),
    );
    const copy: string[] = [];
    for (const [at, { previousSerial, removed, added, kind }] of journal.entries()) {
      if (kind === "EDIT") expect(previousSerial).toBe(journal[at - 1]?.serial);
      for (const line of removed.map(withoutSerial)) {
        expect(copy).toContain(line);
        copy.splice(copy.indexOf(line), 1);
      }
      copy.push(...added.map(withoutSerial));
      expect(copy.toSorted()).toEqual(contents(history.seen[at]?.lines ?? []));
    }
  });
});
