/** Change sets that are applied: their effect, alone and beside changes by others. */
import { describe, expect, test } from "@jest/globals";
import { applyChangeSet } from "../../../src/changeset/apply/apply.ts";
import { cancelChangeSet, stageChanges } from "../../../src/changeset/stage/stage.ts";
import { adding, appending, testChangeSets } from "../../setup/zones/change-sets.ts";
import { messagesOf } from "../../setup/zones/messages.ts";
import { actorOf, fieldsOf, reasonsOf, refusalOf } from "../../setup/zones/session.ts";

const zones = testChangeSets();
const session = () => zones.session();

describe("a set that is applied", () => {
  test("changes all its zones at one time; the changes have its author and its title", async () => {
    const [one, two] = [await zones.zone("web A 192.0.2.1"), await zones.zone("web A 192.0.2.1")];
    const id = await zones.idOf(two, "web", "A");
    const set = await zones.stage([
      { edit: { zone: two, update: [{ id, rdata: "192.0.2.9" }], add: [fieldsOf("new A 192.0.2.3")] } },
      { edit: { zone: one, add: [fieldsOf("new A 192.0.2.2")], remove: [await zones.idOf(one, "web", "A")] } },
    ]);
    const { fingerprint, applicable, zones: seen } = await zones.preview(set);
    expect(applicable).toBe(true);
    const counts = seen.map(({ staged, removedCount, addedCount }) => [staged.zone, removedCount, addedCount]);
    expect(counts).toEqual([
      [one, 1, 1],
      [two, 1, 2],
    ]);
    const applied = await applyChangeSet(session(), set.id, fingerprint);
    expect(applied).toMatchObject({ state: "APPLIED", appliedBy: "system" });
    expect(await zones.lines(one, / A /)).toEqual(["new 3600 A 192.0.2.2"]);
    expect(await zones.lines(two, / A /)).toEqual(["new 3600 A 192.0.2.3", "web 3600 A 192.0.2.9"]);
    expect(await zones.idOf(two, "web", "A")).toBe(id);
    const changes = await zones.sql<{ at: Date }>(
      'select zone, created_at as at, note, actor from "change" where change_set_id = $1 order by zone',
      [set.id],
    );
    const [at, note, actor] = [changes[0]?.at, "a plan", "system"];
    expect(changes).toEqual([one, two].map((zone) => ({ zone, at, note, actor })));
    expect(await zones.outcomes(set)).toEqual([`${one} APPLIED`, `${two} APPLIED`]);
    expect(await zones.events(set)).toEqual(["CREATED", "APPLIED"]);
  });

  test("changes zones as its author, whoever applies it, and cannot be applied again, staged or cancelled", async () => {
    const zone = await zones.zone();
    const set = await zones.stage([adding(zone, "x A 192.0.2.1")], {}, { ...actorOf(zones.userId), name: "author" });
    expect((await zones.apply(set)).author).toBe("author");
    expect((await zones.journal(zone)).at(-1)?.actor).toBe("author");
    for (const step of [
      zones.apply(set),
      stageChanges(session(), set.id, { unstage: [zone] }),
      cancelChangeSet(session(), set.id),
    ])
      expect(await reasonsOf(step)).toEqual(["WRONG_STATE id"]);
    expect(await zones.lines(zone, / A /)).toEqual(["x 3600 A 192.0.2.1"]);
  });

  test("creates zones with the default records that it does not replace, and deletes zones", async () => {
    const old = await zones.zone("web A 192.0.2.1");
    const { userId } = zones;
    const set = await zones.stage([
      { delete: { zone: old } },
      { create: { ...adding("new.example.org", "www A 192.0.2.7").edit, userId } },
      { create: { zone: "other.example.org", userId } },
    ]);
    const more = appending("new.example.org", "more A 192.0.2.8");
    await stageChanges(session(), set.id, { zones: [more] });
    const { zones: seen, applicable } = await zones.preview(set);
    expect([applicable, seen.map(({ staged: { action } }) => action)]).toEqual([true, ["CREATE", "CREATE", "DELETE"]]);
    expect(seen.flatMap(({ notices }) => notices)).toEqual([]);
    await zones.apply(set);
    expect(await zones.lines("new.example.org", /^(?!@ 3600 SOA)/)).toEqual([
      "@ 3600 NS ns1.example.net.",
      "@ 3600 NS ns2.example.net.",
      "more 3600 A 192.0.2.8",
      "www 3600 A 192.0.2.7",
    ]);
    expect(await zones.lines("other.example.org")).toContain("www 3600 CNAME other.example.org.");
    await expect(zones.domain(old)).rejects.toThrow("There is no zone");
    expect(await zones.outcomes(set)).toContain(`${old} APPLIED`);
  });

  test("warns of a deleted zone that cannot be restored beside the one that it creates", async () => {
    const zone = await zones.zone("web A 192.0.2.1");
    await zones.remove(zone);
    const set = await zones.stage([{ create: { zone, userId: zones.userId } }]);
    expect((await zones.preview(set)).zones.flatMap(messagesOf)).toEqual([
      expect.stringMatching(/cannot be restored beside this one/),
    ]);
    await zones.apply(set);
  });

  test("shows its effect, whatever happened to its zones and records later", async () => {
    const [edited, deleted] = [await zones.zone("web A 192.0.2.1"), await zones.zone("web A 192.0.2.1")];
    const id = await zones.idOf(edited, "web", "A");
    const made = "did.example.org";
    const set = await zones.stage([
      { edit: { zone: edited, update: [{ id, rdata: "192.0.2.2" }] } },
      { delete: { zone: deleted } },
      { create: { zone: made, userId: zones.userId } },
    ]);
    const shown = async () => {
      const { zones: seen, applicable } = await zones.preview(set);
      const shownOf = seen.map(({ staged, removedCount, addedCount, rrsets }) => {
        const lines = rrsets.flatMap(({ owner, type, lines: each }) =>
          each.map(({ removed, rdata }) => [removed, owner, type, rdata.replace(/ \d+ 10800 /, " ")].join(" ")),
        );
        return [staged.zone, removedCount, addedCount, lines];
      });
      return { applicable, shown: shownOf };
    };
    const before = await shown();
    expect(before.applicable).toBe(true);
    await zones.apply(set);
    await zones.remove(made);
    await zones.change(edited, { update: [{ id, rdata: "192.0.2.3" }] });
    expect(await shown()).toEqual({ ...before, applicable: false });
    await zones.sql("delete from change where zone = $1", [edited]);
    const gone = (await zones.preview(set)).zones.find(({ staged }) => staged.zone === edited);
    expect([gone?.rrsets, gone && messagesOf(gone)]).toEqual([
      [],
      [expect.stringContaining("is no longer in the journal")],
    ]);
  });

  test("changes nothing when its edits are already made", async () => {
    const zone = await zones.zone("web A 192.0.2.1", "old A 192.0.2.2");
    const edits = { add: [fieldsOf("x A 192.0.2.1")], remove: [await zones.idOf(zone, "old", "A")] };
    const set = await zones.stage([{ edit: { zone, ...edits } }]);
    await zones.change(zone, edits);
    const before = await zones.state(zone);
    expect((await zones.preview(set)).zones[0]?.dropped).toHaveLength(2);
    await zones.apply(set);
    expect(await zones.state(zone)).toEqual(before);
    expect(await zones.outcomes(set)).toEqual([`${zone} UNCHANGED`]);
  });

  test("edits an SOA at any serial", async () => {
    const zone = await zones.zone();
    const id = await zones.idOf(zone, "@", "SOA");
    const rdata = "ns1.example.net. hostmaster.example.net. 1 10800 3600 1209600 600";
    const set = await zones.stage([{ edit: { zone, update: [{ id, rdata }] } }]);
    const { fingerprint } = await zones.preview(set);
    const { change } = await zones.add(zone, "elsewhere A 192.0.2.1");
    await applyChangeSet(session(), set.id, fingerprint);
    const next = (change?.serial as number) + 1;
    expect(await zones.lines(zone, new RegExp(`SOA .* ${next} 10800 3600 1209600 600$`))).toHaveLength(1);
  });
});

describe("a set beside changes by others", () => {
  test("is stale when an RRset that it changes has a new record, and is applied after another preview", async () => {
    const zone = await zones.zone("web A 192.0.2.1");
    const set = await zones.stage([adding(zone, "web A 192.0.2.2")]);
    const { fingerprint } = await zones.preview(set);
    await zones.add(zone, "web A 192.0.2.3");
    const stale = await refusalOf(applyChangeSet(session(), set.id, fingerprint));
    const now = await zones.preview(set);
    expect(stale).toMatchObject({ code: "STALE_CHANGE_SET", details: { fingerprint: now.fingerprint } });
    expect(now.fingerprint).not.toBe(fingerprint);
    expect((await applyChangeSet(session(), set.id, now.fingerprint)).state).toBe("APPLIED");
  });

  test("is in conflict with every kind of change of its records", async () => {
    const zone = await zones.zone("e A 192.0.2.1", "r A 192.0.2.2", "gone A 192.0.2.3");
    const idOf = (owner: string) => zones.idOf(zone, owner, "A");
    const [edited, removed, gone] = [await idOf("e"), await idOf("r"), await idOf("gone")];
    const edits = {
      update: [
        { id: edited, rdata: "192.0.2.11" },
        { id: gone, rdata: "192.0.2.12" },
      ],
      remove: [removed],
      add: [fieldsOf("ttl 300 A 192.0.2.4")],
    };
    const set = await zones.stage([{ edit: { zone, ...edits } }]);
    await zones.change(zone, {
      update: [edited, removed].map((id) => ({ id, ttl: 60 })),
      remove: [gone],
      add: [fieldsOf("ttl 900 A 192.0.2.4")],
    });
    const { zones: seen, applicable } = await zones.preview(set);
    expect(applicable).toBe(false);
    const found = seen[0]?.conflicts.map(({ owner, base, mine, theirs }) => [owner, base, mine, theirs]);
    expect(found?.toSorted()).toEqual([
      ["e", ["e 3600 IN A 192.0.2.1"], ["e 60 IN A 192.0.2.11"], ["e 60 IN A 192.0.2.1"]],
      ["gone", ["gone 3600 IN A 192.0.2.3"], ["gone 3600 IN A 192.0.2.12"], []],
      ["r", ["r 3600 IN A 192.0.2.2"], [], ["r 60 IN A 192.0.2.2"]],
      ["ttl", [], ["ttl 300 IN A 192.0.2.4"], ["ttl 900 IN A 192.0.2.4"]],
    ]);
    const before = await zones.state(zone);
    expect(await reasonsOf(zones.apply(set))).toEqual(Array(4).fill("CHANGE_CONFLICT"));
    expect(await zones.state(zone)).toEqual(before);
  });

  test("is in conflict with a zone that was recreated, was deleted, or already exists, and changes no such zone", async () => {
    const [edited, imported, replaced] = [await zones.zone(), await zones.zone(), await zones.zone()];
    const again = [edited, imported, replaced];
    const gone = await zones.zone();
    const set = await zones.stage([
      adding(edited, "x A 192.0.2.1"),
      { import: { zone: imported, text: "x 300 A 192.0.2.1\n", mode: "MERGE" } },
      { delete: { zone: replaced } },
      { delete: { zone: gone } },
      { create: { zone: "exists.example.org", userId: zones.userId } },
    ]);
    for (const zone of [...again, gone]) await zones.remove(zone);
    for (const zone of [...again, "exists.example.org"]) await zones.create(zone);
    expect((await zones.preview(set)).zones.map(({ conflicts }) => conflicts.length)).toEqual([1, 1, 1, 1, 1]);
    await stageChanges(session(), set.id, { unstage: ["exists.example.org"] });
    const states = () => Promise.all(again.map((zone) => zones.state(zone)));
    const before = await states();
    expect(await reasonsOf(zones.apply(set))).toEqual(Array(4).fill("CHANGE_CONFLICT"));
    expect(await states()).toEqual(before);
  });
});
