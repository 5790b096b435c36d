/**
 * Change sets without their interfaces: how they are applied, and what they do beside changes by others.
 */
import { describe, expect, test } from "@jest/globals";
import { applyChangeSet } from "../../../src/changeset/apply.ts";
import { type ChangeSetRow, changeSetById } from "../../../src/changeset/change-set.ts";
import { eventsOfSet, zonesOfSet } from "../../../src/changeset/contents.ts";
import { type Preview, previewChangeSet } from "../../../src/changeset/preview.ts";
import { cancelChangeSet, createChangeSet, stageChanges } from "../../../src/changeset/stage.ts";
import type { ZonePart } from "../../../src/changeset/zone-part.ts";
import { domainByZone } from "../../../src/zone/domain.ts";
import { changeZone } from "../../../src/zone/edit/change-zone.ts";
import { createDomain, deleteDomain } from "../../../src/zone/edit/lifecycle.ts";
import { actorOf, fieldsOf, reasonsOf, refusalOf, testZones } from "../../setup/zones/session.ts";

const zones = testZones();
const session = () => zones.session();

const a = (owner: string, last: number, ttl?: number) => ({ owner, type: "A", rdata: `192.0.2.${last}`, ttl });

async function setOf(...parts: ZonePart[]): Promise<ChangeSetRow> {
  return createChangeSet(session(), { title: "a plan", zones: parts });
}

async function preview({ id }: { id: number }): Promise<Preview> {
  return previewChangeSet(session(), await changeSetById(session(), id));
}

/** Applies a set as it would be now. */
async function applied(set: { id: number }): Promise<ChangeSetRow> {
  return applyChangeSet(session(), set.id, (await preview(set)).fingerprint);
}

async function outcomes({ id }: { id: number }): Promise<(string | null)[][]> {
  const { rows } = await zonesOfSet(session(), id, undefined, {});
  return rows.map(({ zone, outcome }) => [zone, outcome]);
}

describe("a set that is applied", () => {
  test("changes all its zones at one time, by its author, with its title, and says so", async () => {
    const [one, two] = [await zones.zone("web A 192.0.2.1"), await zones.zone("web A 192.0.2.1")];
    const id = await zones.idOf(two, "web", "A");
    const set = await setOf(
      { zone: two, edits: { update: [{ id, rdata: "192.0.2.9" }], add: [a("new", 3)] } },
      { zone: one, edits: { add: [a("new", 2)], remove: [await zones.idOf(one, "web", "A")] } },
    );
    const { fingerprint, applicable, zones: seen } = await preview(set);
    expect(applicable).toBe(true);
    expect(seen.map(({ staged, removedCount, addedCount }) => [staged.zone, removedCount, addedCount])).toEqual([
      [one, 1, 1],
      [two, 1, 2],
    ]);
    const { state, appliedBy } = await applyChangeSet(session(), set.id, fingerprint);
    expect([state, appliedBy]).toEqual(["APPLIED", "system"]);
    expect((await zones.lines(one)).filter((line) => line.includes(" A "))).toEqual(["new 3600 A 192.0.2.2"]);
    expect((await zones.lines(two)).filter((line) => line.includes(" A "))).toEqual([
      "new 3600 A 192.0.2.3",
      "web 3600 A 192.0.2.9",
    ]);
    expect(await zones.idOf(two, "web", "A")).toBe(id);
    const changes = await zones.sql<{ zone: string; at: Date; note: string; actor: string }>(
      'select zone, created_at as at, note, actor from "change" where change_set_id = $1 order by zone',
      [set.id],
    );
    expect(changes.map(({ zone, note, actor }) => [zone, note, actor])).toEqual([
      [one, "a plan", "system"],
      [two, "a plan", "system"],
    ]);
    expect(changes[0]?.at).toEqual(changes[1]?.at);
    expect(await outcomes(set)).toEqual([
      [one, "APPLIED"],
      [two, "APPLIED"],
    ]);
    const events = await eventsOfSet(session(), set.id, {});
    expect(events.rows.map(({ kind }) => kind)).toEqual(["CREATED", "APPLIED"]);
  });

  test("is by its author, whoever applies it, and cannot be applied again, staged or cancelled", async () => {
    const zone = await zones.zone();
    const author = { ...actorOf(zones.userId), name: "author" };
    const set = await createChangeSet(zones.session(author), {
      title: "mine",
      zones: [{ zone, edits: { add: [a("x", 1)] } }],
    });
    expect((await applied(set)).author).toBe("author");
    expect((await zones.journal(zone)).at(-1)?.actor).toBe("author");
    expect(await reasonsOf(applied(set))).toEqual([["WRONG_STATE", "id"]]);
    expect(await reasonsOf(stageChanges(session(), set.id, { unstage: [zone] }))).toEqual([["WRONG_STATE", "id"]]);
    expect(await reasonsOf(cancelChangeSet(session(), set.id))).toEqual([["WRONG_STATE", "id"]]);
    expect((await zones.lines(zone)).filter((line) => line.includes(" A "))).toEqual(["x 3600 A 192.0.2.1"]);
  });

  test("creates zones with the default records that it does not replace, and deletes zones", async () => {
    const old = await zones.zone("web A 192.0.2.1");
    const set = await setOf(
      { zone: old, delete: true },
      { zone: "new.example.org", create: { userId: zones.userId }, edits: { add: [a("www", 7)] } },
      { zone: "other.example.org", create: { userId: zones.userId } },
    );
    await stageChanges(session(), set.id, {
      zones: [{ zone: "new.example.org", append: true, edits: { add: [a("more", 8)] } }],
    });
    const { zones: seen, applicable } = await preview(set);
    expect([applicable, seen.map(({ staged: { action } }) => action)]).toEqual([true, ["CREATE", "CREATE", "DELETE"]]);
    expect(seen.map(({ warnings }) => warnings)).toEqual([[], [], []]);
    await applied(set);
    expect((await zones.lines("new.example.org")).map((line) => line.replace(/ SOA .*/, " SOA"))).toEqual([
      "@ 3600 SOA",
      "@ 3600 NS ns1.example.net.",
      "@ 3600 NS ns2.example.net.",
      "more 3600 A 192.0.2.8",
      "www 3600 A 192.0.2.7",
    ]);
    expect(await zones.lines("other.example.org")).toContain("www 3600 CNAME other.example.org.");
    await expect(domainByZone(session(), old)).rejects.toThrow("There is no zone");
    expect(await outcomes(set)).toContainEqual([old, "APPLIED"]);
  });

  test("warns of a deleted zone that cannot be restored beside the one that it creates", async () => {
    const zone = await zones.zone("web A 192.0.2.1");
    await deleteDomain(session(), zone);
    const set = await setOf({ zone, create: { userId: zones.userId } });
    const { zones: seen } = await preview(set);
    expect(seen.map(({ warnings }) => warnings)).toEqual([
      [expect.stringMatching(/cannot be restored beside this one/)],
    ]);
    await applied(set);
  });

  test("shows what it did, whatever became of it since, and cannot be applied again", async () => {
    const [edited, deleted] = [await zones.zone("web A 192.0.2.1"), await zones.zone("web A 192.0.2.1")];
    const id = await zones.idOf(edited, "web", "A");
    const made = "did.example.org";
    const set = await setOf(
      { zone: edited, edits: { update: [{ id, rdata: "192.0.2.2" }] } },
      { zone: deleted, delete: true },
      { zone: made, create: { userId: zones.userId } },
    );
    const shown = async () => {
      const { zones: seen, applicable } = await preview(set);
      const lines = (zone: string) =>
        seen
          .find(({ staged }) => staged.zone === zone)
          ?.rrsets.flatMap(({ owner, type, lines }) =>
            lines.map(
              ({ removed, rdata }) => `${removed ? "-" : "+"}${owner} ${type} ${rdata.replace(/ \d+ 10800 /, " ")}`,
            ),
          );
      const counts = seen.map(({ staged, removedCount, addedCount }) => [staged.zone, removedCount, addedCount]);
      return { applicable, counts, lines: [edited, deleted, made].map(lines) };
    };
    const before = await shown();
    expect(before.applicable).toBe(true);
    await applied(set);
    await deleteDomain(session(), made);
    await changeZone(session(), edited, { update: [{ id, rdata: "192.0.2.3" }] });
    expect(await shown()).toEqual({ ...before, applicable: false });
    await zones.sql("delete from change where zone = $1", [edited]);
    const [gone] = (await preview(set)).zones.filter(({ staged }) => staged.zone === edited);
    expect([gone?.rrsets, gone?.warnings]).toEqual([[], [expect.stringContaining("is not in the journal any more")]]);
  });

  test("with edits that are made already changes nothing", async () => {
    const zone = await zones.zone("web A 192.0.2.1", "old A 192.0.2.2");
    const id = await zones.idOf(zone, "old", "A");
    const set = await setOf({ zone, edits: { add: [a("x", 1)], remove: [id] } });
    await changeZone(session(), zone, { add: [fieldsOf("x A 192.0.2.1")], remove: [id] });
    const before = await zones.state(zone);
    const { zones: seen } = await preview(set);
    expect(seen[0]?.dropped).toHaveLength(2);
    await applied(set);
    expect(await zones.state(zone)).toEqual(before);
    expect(await outcomes(set)).toEqual([[zone, "UNCHANGED"]]);
  });

  test("edits an SOA whatever its serial is by then", async () => {
    const zone = await zones.zone();
    const id = await zones.idOf(zone, "@", "SOA");
    const rdata = "ns1.example.net. hostmaster.example.net. 1 10800 3600 1209600 600";
    const set = await setOf({ zone, edits: { update: [{ id, rdata }] } });
    const { fingerprint } = await preview(set);
    await changeZone(session(), zone, { add: [fieldsOf("elsewhere A 192.0.2.1")] });
    const { serial } = await domainByZone(session(), zone);
    await applyChangeSet(session(), set.id, fingerprint);
    const lines = await zones.lines(zone);
    expect(lines[0]).toMatch(new RegExp(`SOA .* ${serial + 1} 10800 3600 1209600 600$`));
  });
});

describe("a set beside changes by others", () => {
  test("applies as it was looked at when they are of other RRsets", async () => {
    const zone = await zones.zone("web A 192.0.2.1");
    const set = await setOf({ zone, edits: { update: [{ id: await zones.idOf(zone, "web", "A"), ttl: 300 }] } });
    const { fingerprint } = await preview(set);
    await changeZone(session(), zone, { add: [fieldsOf("_acme TXT token"), fieldsOf("web AAAA 2001:db8::1")] });
    expect((await applyChangeSet(session(), set.id, fingerprint)).state).toBe("APPLIED");
    expect(await zones.lines(zone)).toContain("web 300 A 192.0.2.1");
  });

  test("is stale when an RRset that it changes got another record, and applies as it is looked at then", async () => {
    const zone = await zones.zone("web A 192.0.2.1");
    const set = await setOf({ zone, edits: { add: [a("web", 2)] } });
    const { fingerprint } = await preview(set);
    await changeZone(session(), zone, { add: [fieldsOf("web A 192.0.2.3")] });
    const stale = await refusalOf(applyChangeSet(session(), set.id, fingerprint));
    const now = await preview(set);
    expect([stale.code, stale.details]).toEqual(["STALE_CHANGE_SET", { fingerprint: now.fingerprint }]);
    expect(now.fingerprint).not.toBe(fingerprint);
    expect((await applyChangeSet(session(), set.id, now.fingerprint)).state).toBe("APPLIED");
  });

  test("is stale by any change where it wants the serials as they were", async () => {
    const zone = await zones.zone();
    const part = { zone, edits: { add: [a("web", 2)] } };
    const set = await createChangeSet(session(), { title: "strict", strictSerials: true, zones: [part] });
    const { fingerprint } = await preview(set);
    await changeZone(session(), zone, { add: [fieldsOf("elsewhere A 192.0.2.3")] });
    expect(await reasonsOf(applyChangeSet(session(), set.id, fingerprint))).toEqual([
      ["STALE_CHANGE_SET", "expectedFingerprint"],
    ]);
  });

  test("is in conflict with what became of its records, in whatever way", async () => {
    const zone = await zones.zone("e A 192.0.2.1", "r A 192.0.2.2", "gone A 192.0.2.3");
    const [edited, removed, gone] = await Promise.all(["e", "r", "gone"].map((owner) => zones.idOf(zone, owner, "A")));
    const set = await setOf({
      zone,
      edits: {
        update: [
          { id: edited as number, rdata: "192.0.2.11" },
          { id: gone as number, rdata: "192.0.2.12" },
        ],
        remove: [removed as number],
        add: [a("ttl", 4, 300)],
      },
    });
    await changeZone(session(), zone, {
      update: [edited, removed].map((id) => ({ id: id as number, ttl: 60 })),
      remove: [gone as number],
      add: [a("ttl", 4, 900)],
    });
    const { zones: seen, applicable, fingerprint } = await preview(set);
    expect(applicable).toBe(false);
    const found = seen[0]?.conflicts.map(({ owner, base, mine, theirs }) => [owner, base, mine, theirs]);
    expect(found?.toSorted()).toEqual(
      [
        ["e", ["e 3600 IN A 192.0.2.1"], ["e 60 IN A 192.0.2.11"], ["e 60 IN A 192.0.2.1"]],
        ["gone", ["gone 3600 IN A 192.0.2.3"], ["gone 3600 IN A 192.0.2.12"], []],
        ["r", ["r 3600 IN A 192.0.2.2"], [], ["r 60 IN A 192.0.2.2"]],
        ["ttl", [], ["ttl 300 IN A 192.0.2.4"], ["ttl 900 IN A 192.0.2.4"]],
      ].toSorted(),
    );
    const before = await zones.state(zone);
    const refusal = await refusalOf(applyChangeSet(session(), set.id, fingerprint));
    expect(refusal.reasons.map(({ code }) => code)).toEqual(Array(4).fill("CHANGE_CONFLICT"));
    expect(await zones.state(zone)).toEqual(before);
  });

  test("is in conflict with a zone that is another by then, is gone, or exists", async () => {
    const [again, gone] = [await zones.zone(), await zones.zone()];
    const set = await setOf(
      { zone: again, edits: { add: [a("x", 1)] } },
      { zone: gone, delete: true },
      { zone: "exists.example.org", create: { userId: zones.userId } },
    );
    for (const zone of [again, gone]) await deleteDomain(session(), zone);
    for (const zone of [again, "exists.example.org"]) await createDomain(session(), zones.userId, zone);
    const { zones: seen } = await preview(set);
    expect(seen.map(({ conflicts }) => conflicts.length)).toEqual([1, 1, 1]);
    await stageChanges(session(), set.id, { unstage: ["exists.example.org"] });
    expect(await reasonsOf(applied(set))).toEqual([
      ["CHANGE_CONFLICT", undefined],
      ["CHANGE_CONFLICT", undefined],
    ]);
  });
});
