/** Templates that are applied to existing zones by a change set: what is added, what is replaced, and what stays. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: templates have placeholders of that form
import { beforeAll, expect, test } from "@jest/globals";
import { parse, validate } from "graphql";
import { applyTemplate, type TemplateApplication } from "../../../src/changeset/bulk/apply-template.ts";
import type { ChangeSetRow } from "../../../src/changeset/change-set.ts";
import { stageChanges, updateChangeSet } from "../../../src/changeset/stage/stage.ts";
import { ChangeSetMode, TemplateMode } from "../../../src/changeset/states.ts";
import { applyTemplateDocument } from "../../../src/cli/changes/apply-template.ts";
import { createSchema } from "../../../src/graphql/schema/schema.ts";
import { createTemplate } from "../../../src/template/template.ts";
import { VariableKind } from "../../../src/template/variable.ts";
import { templatesOfDomains } from "../../../src/zone/domain-annotations.ts";
import { adding, appending, testChangeSets } from "../../setup/zones/change-sets.ts";
import { actorOf, reasonsOf } from "../../setup/zones/session.ts";

const zones = testChangeSets();
const session = () => zones.session();
let template = 0;

beforeAll(async () => {
  const variables = [{ name: "address", kind: VariableKind.IPV4, description: "", default: "192.0.2.1" }];
  const records = [
    { owner: "web", type: "A", ttl: 300, rdata: "${address}" },
    { owner: "@", type: "MX", ttl: null, rdata: "10 mail.${zone}" },
    { owner: "@", type: "SOA", ttl: null, rdata: "ns1.example.net. ${hostmaster} ${serial} 7200 3600 1209600 60" },
  ];
  const content = { name: "web", description: "", variables, records, userId: undefined };
  template = (await createTemplate(session(), content)).template.id;
});

async function applied(application: Omit<TemplateApplication, "template" | "variables">, address = "192.0.2.1") {
  const variables = [{ name: "address", value: address }];
  const { changeSet: set } = await applyTemplate(session(), { template, variables, ...application });
  if (set) await zones.apply(set);
  return set;
}

const lines = async (zone: string) => (await zones.lines(zone, / A | MX /)).map((line) => line.replace(zone, "ZONE"));

test("missing records are added with the TTL of their RRset, and existing records stay", async () => {
  const [one, two] = [await zones.zone("web A 192.0.2.9"), await zones.zone()];
  const { title, author } = (await applied({ zones: { zones: [one, two] }, mode: TemplateMode.ADD })) ?? {};
  expect([title, author]).toEqual(["Apply the template web", "system"]);
  expect(await lines(one)).toEqual(["@ 3600 MX 10 mail.ZONE.", "web 3600 A 192.0.2.9", "web 3600 A 192.0.2.1"]);
  expect(await lines(two)).toEqual(["@ 3600 MX 10 mail.ZONE.", "web 300 A 192.0.2.1"]);
  expect(await applied({ zones: { zones: [one, two] }, mode: TemplateMode.ADD })).toBeNull();
});

test("the RRsets of the template replace those of the zone, and an SOA keeps the serial of the zone", async () => {
  const zone = await zones.zone("web A 192.0.2.9", "web A 192.0.2.1", "other A 192.0.2.9");
  await applied({ zones: { zones: [zone] }, mode: TemplateMode.REPLACE_RRSETS, title: "as it should be" });
  expect(await lines(zone)).toEqual(["@ 3600 MX 10 mail.ZONE.", "other 3600 A 192.0.2.9", "web 300 A 192.0.2.1"]);
  expect((await zones.lines(zone))[0]).toMatch(/ SOA ns1\.example\.net\. \S+ \d{10} 7200 3600 1209600 60$/);
  expect(await applied({ zones: { zones: [zone] }, mode: TemplateMode.REPLACE_RRSETS })).toBeNull();
  await applied({ zones: { zones: [zone] }, mode: TemplateMode.REPLACE_RRSETS }, "192.0.2.7");
  expect(await lines(zone)).toContain("web 300 A 192.0.2.7");
});

test("a filter of zones is required, and zones that the key does not see are not selected", async () => {
  const zone = await zones.zone();
  const common = { template, mode: TemplateMode.ADD, variables: [] };
  expect(await reasonsOf(applyTemplate(session(), { ...common, zones: {} }))).toEqual(["MISSING_FIELD zones"]);
  const limited = { ...actorOf(zones.userId), zones: ["other.example.com"] };
  const unseen = await applyTemplate(zones.session(limited), { ...common, zones: { zones: [zone] } });
  expect(unseen).toEqual({ changeSet: null, preview: null });
  expect(await reasonsOf(applyTemplate(session(), { ...common, template: 1, zones: { zones: [zone] } }))).toEqual([
    "NOT_FOUND templateId",
  ]);
  const schema = await createSchema();
  expect(validate(schema, parse(applyTemplateDocument))).toEqual([]);
});

/** The template that a zone remembers. */
const remembered = async (zone: string) => {
  const { id } = await zones.domain(zone);
  return (await templatesOfDomains(session(), [id])).get(id);
};

test.each([ChangeSetMode.ALL, ChangeSetMode.EACH_ZONE])(
  "the domains remember the template once it is applied (%s), those that are so already too",
  async (mode) => {
    const [one, two] = [await zones.zone(), await zones.zone("web A 192.0.2.1", "@ MX 10 mail")];
    await zones.change(two, { update: [{ id: await zones.idOf(two, "@", "MX"), rdata: `10 mail.${two}.` }] });
    const application = { template, zones: { zones: [one, two] }, mode: TemplateMode.ADD, variables: [] };
    const { changeSet } = await applyTemplate(session(), application);
    const set = changeSet as ChangeSetRow;
    await updateChangeSet(session(), set.id, { mode });
    await stageChanges(session(), set.id, { zones: [appending(one, "besides A 192.0.2.5")] });
    expect([await remembered(one), await remembered(two)]).toEqual([undefined, undefined]);
    const before = await zones.state(two);
    await zones.apply(set);
    await zones.applyZones();
    const applied = { templateId: template, revision: 1, values: { address: "192.0.2.1" } };
    expect([await remembered(one), await remembered(two)]).toEqual([applied, applied]);
    expect(await lines(one)).toContain("besides 3600 A 192.0.2.5");
    expect(await zones.state(two)).toEqual(before);
    expect((await applyTemplate(session(), application)).changeSet).toBeNull();
  },
);

test("a set creates zones from a template, sent records replace some of its records, and the zone remembers the template", async () => {
  const zone = "by-template.example.org";
  const variables = [{ name: "address", value: "192.0.2.5" }];
  const create = { userId: zones.userId, template, variables };
  const { add } = adding(zone, "@ MX 10 other.example.net.", "web TXT text").edit;
  await zones.apply(await zones.stage([{ create: { zone, ...create, add } }]));
  expect(await zones.lines(zone, /^(?!@ 3600 SOA)/)).toEqual([
    "@ 3600 MX 10 other.example.net.",
    "@ 3600 NS ns1.example.net.",
    "@ 3600 NS ns2.example.net.",
    "web 300 A 192.0.2.5",
    'web 3600 TXT "text"',
  ]);
  expect(await remembered(zone)).toMatchObject({ values: { address: "192.0.2.5" } });
  for (const [wrong, reason] of [
    [{ variables: [{ name: "none", value: "x" }] }, "INVALID_VALUE zones.0.create.variables.0.name"],
    [{ variables: [{ name: "address", value: "x" }] }, "INVALID_VALUE zones.0.create.variables.0.value"],
    [{ template: 7 }, "NOT_FOUND zones.0.create.templateId"],
  ] as const) {
    const refused = zones.stage([{ create: { zone: "b.example.org", ...create, ...wrong } }]);
    expect(await reasonsOf(refused)).toEqual([reason]);
  }
});

test("a part that replaces a part from a template has no template", async () => {
  const zone = await zones.zone();
  const application = { template, zones: { zones: [zone] }, mode: TemplateMode.ADD, variables: [] };
  const set = (await applyTemplate(session(), application)).changeSet as ChangeSetRow;
  await stageChanges(session(), set.id, { zones: [adding(zone, "other A 192.0.2.5")] });
  await zones.apply(set);
  expect(await remembered(zone)).toBeUndefined();
});

test("a dry run stores nothing and returns what would change", async () => {
  const zone = await zones.zone();
  const before = [await zones.state(zone), await zones.sql("select count(*) from change_set")];
  const application = { template, zones: { zones: [zone] }, mode: TemplateMode.ADD, variables: [], dryRun: true };
  const { changeSet, preview } = await applyTemplate(session(), application);
  expect(changeSet).toBeNull();
  expect(preview?.zones.map(({ staged, addedCount }) => [staged.zone, addedCount])).toEqual([[zone, 2]]);
  expect([await zones.state(zone), await zones.sql("select count(*) from change_set")]).toEqual(before);
  expect(await remembered(zone)).toBeUndefined();
});
