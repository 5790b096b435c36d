/** What a refusal or a warning is about: its owner, its type, and the edits of the request that take part. */
import { describe, expect, test } from "@jest/globals";
import { testZone } from "../../../setup/service/graphql-zone.ts";
import { type Json, mutation, testService } from "../../../setup/service/service.ts";
import { messagesOf } from "../../../setup/zones/messages.ts";

const service = testService({ RRSET_RECORDS: "3", OWNER_TYPES: "3" });
const zone = testZone(service);

const noticed = "notices { code message owner type field line }";
const run = (edits: Json) => service.mutate("changeRecords", { zone: zone.name, ...edits }, noticed);
/** The first reason of a refusal. */
const refused = async (name: string, edits: Json): Promise<Json> => {
  const { body } = await service.graphql(mutation(name, "notices { code }"), { input: { zone: zone.name, ...edits } });
  return body.errors[0].extensions.details.reasons[0];
};
const record = (line: string) => {
  const [owner = "", type = "", ...rdata] = line.split(" ");
  return { owner, type, rdata: rdata.join(" ") };
};

/** The same record with the name of the zone in place of `@.` in its data. */
const inZone = ({ rdata, ...rest }: Json) => ({ ...rest, rdata: rdata.replace("@.", `${zone.name}.`) });

describe("a reason about the zone as it would be names its owner, its type and every edit that takes part", () => {
  const ds = `@ DS 1 13 2 ${"ab".repeat(32)}`;

  test.each<[string, readonly string[], readonly string[], string, string | null, readonly string[]]>([
    ["CNAME beside data", [], ["o TXT x", "a A 192.0.2.1", "a CNAME b"], "a", "CNAME", ["add.1", "add.2"]],
    ["two DNAMEs", ["a DNAME b"], ["a DNAME c", "a TXT x"], "a", "DNAME", ["add.0"]],
    ["a DNAME above names", ["x.a A 192.0.2.1"], ["a DNAME b", "x.a TXT y"], "a", "DNAME", ["add.0", "add.1"]],
    ["a name below a DNAME", ["a DNAME b"], ["x.a A 192.0.2.1", "x.a TXT y"], "x.a", null, ["add.0", "add.1"]],
    ["a second SOA", [], ["@ SOA ns1 hm 9 1 1 1 1", "@ TXT x"], "@", "SOA", ["add.0"]],
    ["an SOA below the apex", [], ["a SOA ns1 hm 9 1 1 1 1", "a TXT x"], "a", "SOA", ["add.0"]],
    ["a DS at the apex", [], ["@ TXT x", ds], "@", "DS", ["add.1"]],
    ["two RESINFO", ["r RESINFO qnamemin"], ["r RESINFO exterr=15", "r A 192.0.2.1"], "r", "RESINFO", ["add.0"]],
    [
      "too many records",
      ["m A 192.0.2.1", "m A 192.0.2.2"],
      ["m A 192.0.2.3", "m TXT x", "m A 192.0.2.4"],
      "m",
      "A",
      ["add.0", "add.2"],
    ],
    ["too many types", ["t A 192.0.2.1", "t TXT x"], ["t MX 1 a", "t HINFO a b"], "t", null, ["add.0", "add.1"]],
  ])("%s", async (_, stored, add, owner, type, edits) => {
    await run({ add: stored.map(record) });
    const reason = await refused("changeRecords", { add: add.map(record) });
    expect({ ...reason, type: reason.type ?? null }).toMatchObject({
      ...{ owner, type, edits, field: `${edits.at(-1)}.owner` },
      message: expect.not.stringMatching(/^(add|update|remove)\./),
    });
  });

  test("also of removals and updates", async () => {
    await run({ add: ["a CNAME b", "c TXT x"].map(record) });
    const { nodes } = (await zone.read()).records;
    const ids = (type: string) => nodes.filter((each: Json) => each.type === type).map(({ id }: Json) => id as string);
    const ns = ids("NS");
    expect(await refused("changeRecords", { remove: [...ids("TXT"), ...ns] })).toMatchObject({
      ...{ code: "PROTECTED_RECORD", owner: "@", type: "NS" },
      edits: ns.map((_: string, at: number) => `remove.${at + 1}`),
    });
    const moved = { update: [{ recordId: ids("TXT")[0], owner: "a" }], add: [record("o TXT x")] };
    const about = { owner: "a", type: "CNAME", edits: ["update.0"] };
    expect(await refused("changeRecords", moved)).toMatchObject(about);
  });

  test("but of the mutations of one record no edit, and of an import the line", async () => {
    const about = { owner: "www", type: "CNAME" };
    expect(await refused("createRecord", record("www A 192.0.2.1"))).toMatchObject({ ...about, edits: [] });
    const imported = await refused("importZone", { mode: "MERGE", text: "a A 192.0.2.1\nwww A 192.0.2.1\n" });
    expect(imported).toMatchObject({ ...about, line: 2 });
    expect(imported).not.toHaveProperty("edits");
  });
});

describe("a notice is a warning that says what it is about", () => {
  const shown = ({ code, owner, type, field, line }: Json) => [code, owner, type, field ?? line].join(" ");

  test("of each row that was written, beside its sentence", async () => {
    const add = ["m CNAME n", "@ MX 10 m", "sub NS ns.sub.@.", "x.sub TXT hidden", "d TXT v=spf1"].map(record);
    const { notices } = await run({ add: add.map(inZone) });
    expect(notices.map(shown)).toEqual([
      "DAMAGED_TEXT d TXT add.4.rdata",
      "TARGET_IS_ALIAS @ MX add.1.rdata",
      "NAME_SERVER_WITHOUT_ADDRESS sub NS add.2.rdata",
      "HIDDEN_BY_DELEGATION x.sub TXT add.3.owner",
    ]);
  });

  test("with the field that was sent", async () => {
    const data = { mx: { preference: 1, exchange: "m" } };
    const { notices } = await run({ add: [record("m CNAME n"), { owner: "@", data }] });
    expect(notices).toMatchObject([{ field: "add.1.data" }]);
    const id = await zone.idOf("@", "MX");
    const ttl = await service.mutate("updateRecord", { recordId: id, ttl: 60 }, "notices { code field }");
    expect(ttl.notices).toEqual([{ code: "TARGET_IS_ALIAS", field: "ttl" }]);
  });

  test("but no field of a record that moved with its RRset, nor of the records of a new zone", async () => {
    await run({ add: ["m CNAME n", "@ MX 10 m"].map(record) });
    const moved = await run({ add: [{ ...record("@ MX 20 o.example.net."), ttl: 60 }, record("x.m A 192.0.2.1")] });
    expect(moved.notices.map(shown)).toEqual(["RRSET_TTL_CHANGED @ MX add.0.ttl", "TARGET_IS_ALIAS @ MX "]);
    const lame = { zone: "lame.example.org", userId: await service.user("lame@example.org") };
    const { notices } = await service.mutate("createDomain", lame, "notices { code owner type field }");
    expect(notices).toEqual([{ code: "LAME_NAME_SERVERS", owner: "@", type: "NS", field: null }]);
  });

  test("of the records that take a new TTL with their RRset and that no edit names", async () => {
    await run({ add: ["r A 192.0.2.1", "r A 192.0.2.2", "r A 192.0.2.3", "r TXT x"].map(record) });
    const said = (others: string, from: number, to: number) =>
      `The TTL of ${others} of r A changes from ${from} to ${to} too: an RRset has one TTL (RFC 2181 §5.2).`;
    const added = { ...record("r A 192.0.2.4"), ttl: 60 };
    for (const dryRun of [true, false]) {
      const { notices } = await run({ remove: [await zone.idOf("r", "A")], add: [added], dryRun });
      const about = { owner: "r", type: "A", field: "add.0.ttl", line: null };
      expect(notices).toEqual([{ code: "RRSET_TTL_CHANGED", message: said("2 other records", 3600, 60), ...about }]);
    }
    const { nodes } = (await zone.read()).records;
    const ids = nodes.flatMap(({ id, owner, type }: Json) => (owner === "r" && type === "A" ? [id] : []));
    const one = await service.mutate("updateRecord", { recordId: ids[0], rdata: "192.0.2.9", ttl: 90 }, noticed);
    expect(messagesOf(one)).toEqual([said("2 other records", 60, 90)]);
    expect(one.notices[0].field).toBe("ttl");
    const two = { update: ids.slice(0, 2).map((id: string) => ({ recordId: id, ttl: 120 })) };
    expect(messagesOf(await run(two))).toEqual([said("1 other record", 90, 120)]);
    expect((await run({ update: ids.map((id: string) => ({ recordId: id, ttl: 300 })) })).notices).toEqual([]);
    expect((await run({ remove: [ids[0]], add: [record("r A 192.0.2.5")] })).notices).toEqual([]);
  });

  test("of the lines of a master file", async () => {
    const text = [
      "a 60 A 192.0.2.1",
      "a 60 A 192.0.2.1",
      "a 90 A 192.0.2.2",
      "b MX 1 mail.other",
      "c 1 A 192.0.2.3",
      `d TXT "v=spf1"`,
      `@ ALIAS www.example.net.`,
      "e 60 A 192.0.2.5",
    ];
    await run({ add: ["e A 192.0.2.4", "e A 192.0.2.5"].map(record) });
    const input = { zone: zone.name, mode: "MERGE", skipUnsupported: true, text: `${text.join("\n")}\n` };
    const { notices } = await service.mutate("importZone", input, noticed);
    expect(notices.map(shown).toSorted()).toEqual([
      "AUTOMATIC_TTL   5",
      "DAMAGED_TEXT d TXT 6",
      "EQUAL_RECORD a A 2",
      "HOST_WITHOUT_ADDRESS b MX ",
      "LEFT_OUT   7",
      "NAME_COMPLETED b MX 4",
      "RRSET_TTL_CHANGED e A ",
      "TTL_UNIFIED a A 3",
    ]);
  });
});
