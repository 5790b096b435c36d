/** Findings by GraphQL: those of a zone and those of all, page by page, as far as the key sees the zones they are about. */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { type Json, testService } from "../../setup/service/service.ts";

const service = testService();
const zones = ["a.example", "b.example", "big.example"];
let owner: string;
let [stranger, strangerId] = ["", ""];

const query = `query ($filter: FindingFilter, $first: Int, $after: String) {
  findings(filter: $filter, first: $first, after: $after) { nodes { code zone owner type severity source message } endCursor } }`;

/** All findings, from as many pages as it takes. */
async function all(filter: Json, first = 100, key = owner): Promise<Json[]> {
  const findings: Json[] = [];
  for (let after: string | null | undefined; after !== null; ) {
    const { nodes, endCursor } = (await service.data(query, { filter, first, after }, key)).findings;
    expect(nodes.length).toBeLessThanOrEqual(first);
    findings.push(...nodes);
    after = endCursor;
  }
  return findings;
}
const shown = (found: readonly Json[]) =>
  found.map(({ zone, owner, type, code }) => `${zone} ${owner} ${type} ${code}`);
const missing = (filter: Json = {}, first?: number, key?: string) =>
  all({ codes: ["TARGET_MISSING"], ...filter }, first, key).then(shown);

const hosts = Array.from({ length: 20_500 }, (_, at) => `h${at} 300 A 198.51.100.1`);

beforeAll(async () => {
  const userId = await service.user("owner@example.com");
  owner = await service.key({ name: "owner", userId });
  strangerId = await service.user("stranger@example.com");
  stranger = await service.key({ name: "stranger", userId: strangerId });
  for (const zone of zones) await service.domain(zone, userId);
  const texts = [
    "one 300 CNAME gone\ntwo 300 CNAME web.b.example.\nthree 300 CNAME gone.b.example.\nfour 300 CNAME h1.big.example.",
    "web 300 A 198.51.100.1\nold 300 CNAME none.a.example.",
    [
      "a 300 CNAME z",
      "b 300 CNAME h20499",
      "h9 300 MX 10 gone",
      "d 300 DNAME ent",
      "x.ent 300 TXT x",
      "z9 300 CNAME none",
      ...hosts,
    ].join("\n"),
  ];
  for (const [at, text] of texts.entries())
    await service.mutate("importZone", { zone: zones[at], text, mode: "MERGE" }, "addedCount");
});

test("targets are looked for in other zones, and in other parts of a large one", async () => {
  const expected = [
    "a.example one CNAME TARGET_MISSING",
    "a.example three CNAME TARGET_MISSING",
    "b.example old CNAME TARGET_MISSING",
    "big.example a CNAME TARGET_MISSING",
    "big.example z9 CNAME TARGET_MISSING",
  ];
  expect(await missing()).toEqual(expected);
  expect(await missing({}, 1)).toEqual(expected);
  expect(await missing({}, 2)).toEqual(expected);
  expect(await missing({ zone: "B.example." })).toEqual(expected.slice(2, 3));
  expect(await missing({ zone: "big.example" })).toEqual(expected.slice(3));
  expect(await missing({ severities: ["NOTE"] })).toEqual([]);
});

test("a finding says what happens, how bad it is and where that is written", async () => {
  const [found] = await all({ codes: ["HOST_WITHOUT_ADDRESS"] });
  expect(found).toEqual({
    code: "HOST_WITHOUT_ADDRESS",
    zone: "big.example",
    owner: "h9",
    type: "MX",
    severity: "ERROR",
    source: "RFC 5321 §5.1",
    message:
      "h9 MX 10 gone.big.example. names a host in this zone that has no address; add an A or AAAA record at gone.",
  });
});

test("a label of the domain switches a code off, and Domain.findings says the same", async () => {
  const codes = async () =>
    (await service.data(`{ domain(by: { zone: "b.example" }) { findings { code } } }`)).domain.findings.map(
      ({ code }: Json) => code,
    );
  expect(await codes()).toContain("TARGET_MISSING");
  const labels = [{ name: "ignore/TARGET_MISSING", value: "" }];
  await service.mutate("updateDomain", { by: { zone: "b.example" }, labels }, "domain { id }");
  expect(await codes()).not.toContain("TARGET_MISSING");
  expect(await missing({ zone: "b.example" })).toEqual([]);
});

test("a user's key sees neither the zones of others nor where secondaries are", async () => {
  expect(await all({}, 100, stranger)).toEqual([]);
  await service.domain("own.example", strangerId);
  const add = [{ owner: "x", type: "CNAME", rdata: "gone.a.example." }];
  await service.mutate("changeRecords", { zone: "own.example", add }, "serial", stranger);
  expect(await missing({}, 100, stranger)).toEqual([]);
  await expect(missing({ zone: "own.example" })).rejects.toThrow("There is no zone own.example");
});

describe("before a change", () => {
  const target = { zone: "a.example", owner: "host", type: "A", rdata: "198.51.100.1" };
  let recordId: string;
  const noticesOf = (notices: readonly Json[]) =>
    notices.flatMap(({ code, message }) => (/^FINDING/.test(code) ? `${code}: ${message}` : []));
  const breaks =
    "FINDING_MADE: This breaks 2 records in 2 zones (TARGET_MISSING), such as in a.example: alias CNAME host.a.example. " +
    "points at host.a.example., which does not exist; add records there, or remove this one.";

  beforeAll(async () => {
    recordId = (await service.mutate("createRecord", target, "record { id }")).record.id;
    for (const zone of ["a.example", "b.example"]) {
      await service.mutate("updateDomain", { by: { zone }, labels: [] }, "domain { id }");
      const add = [{ owner: "alias", type: "CNAME", rdata: "host.a.example." }];
      await service.mutate("changeRecords", { zone, add }, "serial");
    }
  });

  test("a dry run says what the removal of a target breaks, also in other zones, and the change stores nothing of it", async () => {
    const edits = { zone: "a.example", remove: [recordId], dryRun: true };
    expect(noticesOf((await service.mutate("changeRecords", edits, "notices { code message }")).notices)).toEqual([
      breaks,
    ]);
    const moved = { ...edits, add: [{ owner: "host", type: "AAAA", rdata: "2001:db8::1" }] };
    expect(noticesOf((await service.mutate("changeRecords", moved, "notices { code message }")).notices)).toEqual([]);
  });

  test("a dry run of an import says what it corrects", async () => {
    const text = "gone 300 A 198.51.100.1";
    const input = { zone: "b.example", text, mode: "MERGE", dryRun: true };
    const { notices } = await service.mutate("importZone", input, "notices { code message }");
    expect(noticesOf(notices)).toEqual([expect.stringMatching(/^FINDING_CORRECTED: This corrects 1 record in 1 zone/)]);
    const file = { headers: { "Content-Type": "text/dns" }, body: text };
    const { body } = await service.rest("POST", "/domain/zonefile/b.example?mode=merge&dry_run=yes", file);
    expect(JSON.stringify(body)).toContain(
      "This corrects 1 record in 1 zone (TARGET_MISSING), such as in a.example: three",
    );
  });

  test("a preview looks at all zones of a change set together", async () => {
    const preview = async (zones: Json[]) => {
      const shown = "preview { zones { nodes { zone notices { code message } } } }";
      const input = { title: "move", zones };
      return (await service.mutate("createChangeSet", input, shown)).preview.zones.nodes.map(({ notices }: Json) =>
        noticesOf(notices),
      );
    };
    const edit = { zone: "a.example", remove: [recordId] };
    expect(await preview([{ edit }])).toEqual([[breaks]]);
    const [[targets]] = await preview([{ delete: { zone: "a.example" } }]);
    expect(targets).toMatch(
      /^FINDING_MADE: This breaks 1 record in 1 zone \(TARGET_MISSING\), such as in b.example: alias CNAME/,
    );
    const aliases = (await service.data('{ records(filter: { owner: "alias" }) { nodes { id zone } } }')).records.nodes;
    const edits = ["a.example", "b.example"].map((zone) => {
      const remove = aliases.flatMap((alias: Json) => (alias.zone === zone ? alias.id : []));
      return { edit: { zone, remove: zone === "a.example" ? [recordId, ...remove] : remove } };
    });
    expect(await preview(edits)).toEqual([[], []]);
  });

  test("glue of a zone that is here too, and a corrected SOA, are seen", async () => {
    const userId = await service.user("glue@example.com");
    for (const zone of ["p.example", "sub.p.example"]) await service.domain(zone, userId);
    const glue = ["ns1", "ns2"].map((name) => ({ owner: `${name}.sub`, type: "A", rdata: "198.51.100.1" }));
    const delegate = (name: string) => ({ owner: "sub", type: "NS", rdata: `${name}.sub.p.example.` });
    await service.mutate("changeRecords", { zone: "p.example", add: [...glue, delegate("ns1")] }, "serial");
    const codes = async (edits: Json) => {
      const { notices } = await service.mutate("changeRecords", { ...edits, dryRun: true }, "notices { code message }");
      return noticesOf(notices).map((notice) => notice.replace(/:.*\((.*)\).*/, " $1"));
    };
    expect(await codes({ zone: "p.example", add: [delegate("ns2")] })).toEqual([]);
    const document = `{ records(filter: { zone: "p.example", types: ["SOA"] }) { nodes { id rdata } } }`;
    const [soa] = (await service.data(document)).records.nodes;
    const withExpire = (expire: number, more: number) =>
      soa.rdata.replace(/(\d+) (\d+ \d+) \d+ (\d+)$/, (_: string, serial: string, before: string, last: string) =>
        [Number(serial) + more, before, expire, last].join(" "),
      );
    const edit = (expire: number, more: number) => ({ recordId: soa.id, rdata: withExpire(expire, more) });
    expect(await codes({ zone: "p.example", update: [edit(3600, 1)] })).toEqual(["FINDING_MADE SOA_TIMERS"]);
    await service.mutate("updateRecord", edit(3600, 1), "record { id }");
    expect(await codes({ zone: "p.example", update: [edit(1209600, 2)] })).toEqual(["FINDING_CORRECTED SOA_TIMERS"]);
  });
});
