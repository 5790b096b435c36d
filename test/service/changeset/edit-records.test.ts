/** Edits of many records: which records a filter selects, how their data is edited, and that the result is an ordinary change set. */
import { describe, expect, test } from "@jest/globals";
import { createUser } from "../../../src/account/user.ts";
import {
  type EditedRecords,
  type EditFilter,
  type EditSet,
  editRecords,
  type ManyEdits,
} from "../../../src/changeset/bulk/edit-records.ts";
import type { ChangeSetRow } from "../../../src/changeset/change-set.ts";
import { listChangeSets } from "../../../src/changeset/change-set-list.ts";
import { exampleHostmaster, exampleNameServers, type Policy } from "../../../src/session/operator-policy.ts";
import { setLabels } from "../../../src/zone/domain-annotations.ts";
import { countExampleZones, zoneWarnings } from "../../../src/zone/example-names.ts";
import { createDomain } from "../../../src/zone/lifecycle/domain-lifecycle.ts";
import fc, { runs } from "../../setup/basics/property.ts";
import { testChangeSets } from "../../setup/zones/change-sets.ts";
import { actorOf, policy, reasonsOf } from "../../setup/zones/session.ts";

const zones = testChangeSets();
const session = () => zones.session();

type Edits = Partial<ManyEdits> & { readonly set: EditSet };

const edit = (zone: string, { filter = {}, ...more }: Edits): Promise<EditedRecords> =>
  editRecords(session(), { filter: { zones: [zone], ...filter }, ...more });

/** Stages an edit and applies it. */
async function edited(zone: string, edits: Edits): Promise<EditedRecords> {
  const result = await edit(zone, edits);
  if (result.changeSet) await zones.apply(result.changeSet);
  return result;
}

/** The lines of a zone without what every zone has. */
const lines = async (zone: string) =>
  (await zones.lines(zone)).filter((line) => !/ SOA | NS ns[12]\.example\.net|^www \d+ CNAME/.test(line));

const replace = (kind: "rdata" | "address" | "name" | "text", from: string, to: string): EditSet => ({
  replace: { [kind]: { from, to } },
});

const long = "x".repeat(250);

test.each<[string, EditSet, string[], string[]]>([
  [
    "an address is replaced where it is the whole of a field, in hints of services too",
    replace("address", "192.0.2.1", "198.51.100.7"),
    ["a A 192.0.2.1", "b A 192.0.2.10", "s SVCB 1 . ipv4hint=192.0.2.1,192.0.2.10", "t TXT 192.0.2.1"],
    [
      "a 3600 A 198.51.100.7",
      "b 3600 A 192.0.2.10",
      "s 3600 SVCB 1 . ipv4hint=198.51.100.7,192.0.2.10",
      't 3600 TXT "192.0.2.1"',
    ],
  ],
  [
    "a prefix is replaced, and the other bits stay",
    replace("address", "2001:db8::/33", "2001:db8:8000::/33"),
    ["a AAAA 2001:db8::1", "b AAAA 2001:db8:8000::1", "c AAAA 2001:db8:7fff::2"],
    ["a 3600 AAAA 2001:db8:8000::1", "b 3600 AAAA 2001:db8:8000::1", "c 3600 AAAA 2001:db8:ffff::2"],
  ],
  [
    "a name is replaced in any letter case and in every field, and not where it is part of a longer one",
    replace("name", "mail.old.test", "mx.new.test."),
    ["@ MX 10 MAIL.old.test.", "m MX 5 x.mail.old.test.", "s SRV 1 2 25 mail.old.test."],
    ["@ 3600 MX 10 mx.new.test.", "m 3600 MX 5 x.mail.old.test.", "s 3600 SRV 1 2 25 mx.new.test."],
  ],
  [
    "names below a name move to below another",
    replace("name", "*.old.test", "*.new.test"),
    ["a CNAME a.b.old.test.", "b CNAME old.test.", "c CNAME gold.test."],
    ["a 3600 CNAME a.b.new.test.", "b 3600 CNAME old.test.", "c 3600 CNAME gold.test."],
  ],
  [
    "text is replaced inside character strings, across those that were split",
    replace("text", "old.test", "newer.test"),
    ['a TXT "v=spf1 include:old.test old.test -all"', `b TXT "${long}old.test"`, "@ CAA 0 issue old.test"],
    [
      '@ 3600 CAA 0 issue "newer.test"',
      'a 3600 TXT "v=spf1 include:newer.test newer.test -all"',
      `b 3600 TXT "${long}newer" ".test"`,
    ],
  ],
  [
    "whole data is replaced as each type reads it",
    replace("rdata", "10 mail", "20 mail"),
    ["@ MX 10 mail", "a TXT 10 mail", "b MX 10 mailbox"],
    ["@ 3600 MX 20 mail.ZONE.", 'a 3600 TXT "20 mail"', "b 3600 MX 10 mailbox.ZONE."],
  ],
  [
    "a TTL is that of the whole RRset",
    { ttl: 60 },
    ["a A 192.0.2.1", "a A 192.0.2.2"],
    ["a 60 A 192.0.2.1", "a 60 A 192.0.2.2"],
  ],
  ["records are removed", { remove: true }, ["a A 192.0.2.1"], []],
])("%s", async (_, set, before, after) => {
  const zone = await zones.zone(...before);
  await edited(zone, { filter: { types: ["A", "AAAA", "MX", "SRV", "CNAME", "SVCB", "TXT", "CAA"] }, set });
  const kept = (await lines(zone)).map((line) => line.replaceAll(zone, "ZONE"));
  expect(kept.toSorted()).toEqual(after.toSorted());
});

describe("a filter", () => {
  let zone: string;
  const select = async (filter: EditFilter) => {
    zone ??= await zones.zone("a A 192.0.2.1", "a A 192.0.2.2", "b.a AAAA 2001:db8::1", "@ MX 10 MAIL", "t TXT Old");
    const { preview } = await edit(zone, { filter, set: { remove: true }, dryRun: true });
    const rrsets = preview?.zones.flatMap((each) => each.rrsets) ?? [];
    return rrsets.flatMap(({ owner, type, lines }) => lines.map(() => `${owner} ${type}`));
  };
  test.each<[EditFilter, string[]]>([
    [{ owner: "*a", types: ["a", "AAAA"] }, ["a A", "a A", "b.a AAAA"]],
    [{ owner: "a" }, ["a A", "a A"]],
    [{ rdata: { address: "192.0.2.0/31" } }, ["a A"]],
    [{ rdata: { address: "2001:db8::/32" } }, ["b.a AAAA"]],
    [{ rdata: { name: "ns1.example.net" } }, ["@ NS"]],
    [{ rdata: { name: "*.example.com." }, types: ["MX"] }, ["@ MX"]],
    [{ rdata: { equals: "10 mail" } }, ["@ MX"]],
    [{ rdata: { contains: "oLD" } }, ["t TXT"]],
    [{ rdata: { contains: "ns", name: "ns2.example.net" } }, ["@ NS"]],
    [{ ttlMin: 3601 }, []],
    [{ ttlMax: 3600, types: ["TXT"] }, ["t TXT"]],
    [{ userId: 1 }, []],
  ])("%j", async (filter, found) => {
    expect(await select(filter)).toEqual(found);
  });

  test("selects zones by names, patterns and labels, and only those that the key sees", async () => {
    const [one, two] = [await zones.zone("f A 192.0.2.77"), await zones.zone("f A 192.0.2.77")];
    await setLabels(session(), two, [{ name: "env", value: "prod" }]);
    const found = async (filter: EditFilter, actor = actorOf(zones.userId)) => {
      const rdata = { address: "192.0.2.77" };
      const edits = { filter: { ...filter, rdata }, set: { remove: true }, dryRun: true };
      const { preview } = await editRecords(zones.session(actor), edits);
      return (preview?.zones ?? []).map(({ staged }) => staged.zone).toSorted();
    };
    expect(await found({ zones: [one] })).toEqual([one]);
    expect(await found({ zones: [`${one.slice(0, 3)}*COM`, two] })).toEqual([one, two].toSorted());
    expect(await found({ zones: ["z_.example.com"] })).toEqual([]);
    expect(await found({ labels: ["env=prod"] })).toEqual([two]);
    expect(await found({ labels: ["env"] })).toEqual([two]);
    expect(await found({})).toEqual([one, two].toSorted());
    expect(await found({}, { ...actorOf(zones.userId), zones: [one] })).toEqual([one]);
    const { id: other } = await createUser(session(), "other@example.com");
    expect(await found({}, actorOf(other))).toEqual([]);
  });
});

describe("the names of the example", () => {
  const withPolicy = (names: Partial<Policy>) => ({ ...session(), policy: { ...policy, ...names } });
  const example = { nameServers: exampleNameServers, hostmaster: exampleHostmaster };
  /** A zone as it is made before NAME_SERVERS and HOSTMASTER are set. */
  const made = async (zone: string) => {
    await createDomain(withPolicy(example), zones.userId, zone);
    return zone;
  };
  const names = async (zone: string) => (await zones.lines(zone)).filter((line) => / (NS|SOA) /.test(line));
  const soa = (mname: string, rname: string) =>
    expect.stringMatching(`^@ 3600 SOA ${mname} ${rname} \\d+ 10800 3600 1209600 3600$`);
  const servers = (...all: string[]) => all.map((name) => `@ 3600 NS ${name}`);
  const repair = async (names: Partial<Policy>, zone: string) => {
    const edits = { filter: { zones: [zone] }, set: { exampleNames: true } };
    const result = await editRecords(withPolicy(names), edits);
    await zones.apply(result.changeSet as ChangeSetRow);
    return result;
  };

  test("are replaced in the SOA and in the NS records, and the name servers that are missing are added", async () => {
    const zone = await made("repair.example.com");
    const own = ["ns1.own.test.", "ns2.own.test.", "ns3.own.test."];
    const edits = { filter: { zones: [zone] }, set: { exampleNames: true } };
    const repaired = withPolicy({ nameServers: own });
    expect(await countExampleZones(repaired)).toBe(1);
    const before = await names(zone);
    const dry = await editRecords(repaired, { ...edits, dryRun: true });
    expect(dry).toMatchObject({ matchedCount: 3, changedCount: 3, refusedCount: 0, preview: { applicable: true } });
    expect(await names(zone)).toEqual(before);
    const { changeSet } = await editRecords(repaired, edits);
    // The SOA has another serial by then.
    await zones.add(zone, "later A 192.0.2.1");
    await zones.apply(changeSet as ChangeSetRow);
    expect(await names(zone)).toEqual([soa("ns1.own.test.", "hostmaster.example.net."), ...servers(...own)]);
    expect(await countExampleZones(repaired)).toBe(0);
    expect(await editRecords(repaired, edits)).toMatchObject({ matchedCount: 0, changeSet: null });
  });

  test("stay where the settings have them too, and a zone with other names is not repaired", async () => {
    const [zone, other] = [await made("part.example.com"), await zones.zone()];
    const mailbox = await repair({ ...example, hostmaster: "me.own.test." }, zone);
    expect(mailbox).toMatchObject({ matchedCount: 1, zoneCount: 1 });
    const [first = ""] = exampleNameServers;
    expect(await names(zone)).toEqual([soa(first, "me.own.test."), ...servers(...exampleNameServers)]);
    await repair({ nameServers: ["only.own.test."] }, zone);
    expect(await names(zone)).toEqual([soa("only.own.test.", "me.own.test."), ...servers("only.own.test.")]);
    const set = { exampleNames: true };
    expect(await edit(other, { set })).toMatchObject({ matchedCount: 0, changeSet: null });
    const neither = editRecords(withPolicy(example), { filter: {}, set });
    expect(await reasonsOf(neither)).toEqual(["INVALID_VALUE set.exampleNames"]);
  });

  test("are counted for those who see the zones", async () => {
    await made("seen.example.com");
    const { id: other } = await createUser(session(), "sees-none@example.com");
    const count = (userId: number) => countExampleZones({ ...session(), actor: actorOf(userId) });
    expect([await count(zones.userId), await count(other)]).toEqual([1, 0]);
    expect(await zoneWarnings(session())).toEqual([
      expect.stringMatching(/^1 zone has the example's name servers .*zonesmith edit --example-names/),
    ]);
  });
});

test("a name is replaced in the SOA too, which keeps its timers and its TTL", async () => {
  const zone = await zones.zone();
  const set = replace("name", "*.example.net", "*.other.test");
  await edited(zone, { filter: { types: ["NS", "SOA"] }, set });
  const [soa, ...ns] = (await zones.lines(zone)).filter((line) => / (NS|SOA) /.test(line));
  expect(soa).toMatch(/^@ 3600 SOA ns1\.other\.test\. hostmaster\.other\.test\. \d+ 10800 3600 1209600 3600$/);
  expect(ns).toEqual(["@ 3600 NS ns1.other.test.", "@ 3600 NS ns2.other.test."]);
});

test("records that become equal are merged, and are counted", async () => {
  const zone = await zones.zone("a A 192.0.2.1", "a A 192.0.2.2", "b A 192.0.2.1", "c A 192.0.2.2");
  const result = await edited(zone, { set: replace("address", "192.0.2.1", "192.0.2.2") });
  expect(result).toMatchObject({
    matchedCount: 2,
    changedCount: 2,
    mergedCount: 1,
    zoneCount: 1,
    longestTtl: 3600,
    refusedCount: 0,
  });
  expect(await lines(zone)).toEqual(["a 3600 A 192.0.2.2", "b 3600 A 192.0.2.2", "c 3600 A 192.0.2.2"]);
});

test("a record that cannot be edited stays, and is named; a broken rule is in the preview", async () => {
  const zone = await zones.zone("a TXT x", "@ CAA 0 issue x", `h HINFO ${"y".repeat(200)}x y`);
  const result = await edit(zone, { set: replace("text", "x", "z".repeat(100)), dryRun: true });
  expect(result.refusals).toEqual([
    expect.objectContaining({ code: "INVALID_RDATA", zone, owner: "h", type: "HINFO", recordId: expect.any(Number) }),
  ]);
  expect([result.matchedCount, result.changedCount, result.refusedCount]).toEqual([3, 2, 1]);
  const ns = await edit(zone, { filter: { types: ["NS"] }, set: { remove: true }, dryRun: true });
  expect(ns.preview?.zones[0]?.refusals.map(({ code }) => code)).toEqual(["PROTECTED_RECORD"]);
  expect(ns.preview?.applicable).toBe(false);
});

test("a dry run stores nothing, and neither does an edit that changes nothing", async () => {
  const zone = await zones.zone("a A 192.0.2.1");
  const dry = await edit(zone, { set: { ttl: 60 }, filter: { types: ["A"] }, dryRun: true });
  expect([dry.changeSet, dry.changedCount, dry.preview?.applicable]).toEqual([null, 1, true]);
  const none = await edit(zone, { set: { ttl: 3600 } });
  expect([none.changeSet, none.changedCount]).toEqual([null, 0]);
  expect((await listChangeSets(session(), { zone }, {})).rows).toEqual([]);
});

test("more records than a batch of the cursor are staged, each in its zone and once", async () => {
  const many = await Promise.all([0, 1, 2].map(() => zones.zone("a A 192.0.2.1")));
  for (const zone of many) {
    await zones.add(zone, ...Array.from({ length: 900 }, (_, at) => `n${at} A 192.0.2.99`));
  }
  const set = replace("address", "192.0.2.99", "192.0.2.100");
  const { changeSet, changedCount } = await editRecords(session(), { filter: {}, set, title: "all" });
  expect([changedCount, changeSet?.title, changeSet?.state]).toEqual([2700, "all", "DRAFT"]);
  const counts = await zones.sql(
    `select zone, count(*)::int as count, max(ordinal) as last from change_set_edit where change_set_id = $1
     group by zone order by zone`,
    [changeSet?.id],
  );
  expect(counts).toEqual(many.toSorted().map((zone) => ({ zone, count: 900, last: 900 })));
});

test("senseless input is refused, with its field", async () => {
  const zone = await zones.zone();
  const cases: [string, Edits][] = [
    ["INVALID_VALUE set.remove", { set: { remove: false } }],
    ["INVALID_TTL set.ttl", { set: { ttl: -1 } }],
    ["INVALID_VALUE set.replace.address.to", { set: replace("address", "192.0.2.0/24", "192.0.3.1") }],
    ["INVALID_VALUE set.replace.address.from", { set: replace("address", "192.0.2.1/24", "192.0.3.0/24") }],
    ["INVALID_VALUE set.replace.name.to", { set: replace("name", "*.a.test", "b.test") }],
    ["INVALID_VALUE set.replace.text.from", { set: replace("text", "", "b") }],
    ["INVALID_RDATA filter.rdata.equals", { filter: { types: ["A"], rdata: { equals: "x" } }, set: { ttl: 1 } }],
    ["INVALID_VALUE filter.zones", { filter: { zones: [] }, set: { ttl: 1 } }],
    ["INVALID_VALUE filter.types", { filter: { types: ["SOA"] }, set: { ttl: 1 } }],
    ["INVALID_VALUE set.exampleNames", { set: { exampleNames: false } }],
  ];
  for (const [reason, edits] of cases) expect(await reasonsOf(edit(zone, edits))).toEqual([reason]);
});

test("an edit and its inverse restore the records, where the target did not exist before and nothing was merged", async () => {
  const host = fc.integer({ min: 1, max: 3 });
  const line = fc.tuple(host, host, fc.nat(3)).map(([owner, at, kind]) => {
    const text = `TXT "v=${at} include:old.test ${"o".repeat(at * 100)}"`;
    return `h${owner} ${[`A 192.0.2.${at}`, `A 198.51.100.${at}`, `MX ${at} mail${at}.old.test.`, text][kind]}`;
  });
  const replacement = fc.constantFrom<[keyof NonNullable<EditSet["replace"]>, string, string]>(
    ["address", "192.0.2.0/24", "203.0.113.0/24"],
    ["address", "192.0.2.1", "203.0.113.9"],
    ["name", "*.old.test", "*.a-longer.new.test"],
    ["name", "mail2.old.test", "mail.new.test"],
    ["text", "old.test", "a-longer-name.new.test"],
    ["rdata", "1 mail1.old.test.", "9 mail9.new.test."],
  );
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(line, { minLength: 1, maxLength: 8 }),
      replacement,
      async (all, [kind, from, to]) => {
        const zone = await zones.zone(...all);
        const before = await lines(zone);
        const there = await edited(zone, { set: replace(kind, from, to) });
        expect(there.mergedCount).toBe(0);
        const back = await edited(zone, { set: replace(kind, to, from) });
        expect(back.changedCount).toBe(there.changedCount);
        expect(await lines(zone)).toEqual(before);
      },
    ),
    { numRuns: runs(25) },
  );
});
