/**
 * A template in zones that there are, as a change set: what is added, what is replaced, and what stays.
 */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: templates have placeholders of that form
import { beforeAll, expect, test } from "@jest/globals";
import { parse, validate } from "graphql";
import { applyChangeSet } from "../../src/changeset/apply.ts";
import { applyTemplate, type TemplateApplication, TemplateMode } from "../../src/changeset/apply-template.ts";
import { previewChangeSet } from "../../src/changeset/preview.ts";
import { applyTemplateDocument } from "../../src/cli/apply-template.ts";
import { createSchema } from "../../src/graphql/schema/schema.ts";
import { createTemplate } from "../../src/template/template.ts";
import { VariableKind } from "../../src/template/variable.ts";
import { actorOf, reasonsOf, testZones } from "../setup/session.ts";

const zones = testZones();
const session = () => zones.session();
let template = 0;

beforeAll(async () => {
  const variables = [{ name: "address", kind: VariableKind.IPV4, description: "", default: "192.0.2.1" }];
  const record = (owner: string, type: string, rdata: string, ttl: number | null = null) => ({
    owner,
    type,
    ttl,
    rdata,
  });
  const records = [
    record("web", "A", "${address}", 300),
    record("@", "MX", "10 mail.${zone}"),
    record("@", "SOA", "ns1.example.net. ${hostmaster} ${serial} 7200 3600 1209600 60"),
  ];
  const content = { name: "web", description: "", variables, records, userId: undefined };
  template = (await createTemplate(session(), content)).template.id;
});

async function applied(application: Omit<TemplateApplication, "template" | "variables">, address = "192.0.2.1") {
  const variables = [{ name: "address", value: address }];
  const set = await applyTemplate(session(), { template, variables, ...application });
  if (set) await applyChangeSet(session(), set.id, (await previewChangeSet(session(), set)).fingerprint);
  return set;
}

const lines = async (zone: string) =>
  (await zones.lines(zone)).filter((line) => / A | MX /.test(line)).map((line) => line.replace(zone, "ZONE"));

test("what zones lack is added, at the TTL that the RRset has, and what is there stays", async () => {
  const [one, two] = [await zones.zone("web A 192.0.2.9"), await zones.zone()];
  const { title, author } = (await applied({ zones: { zones: [one, two] }, mode: TemplateMode.ADD })) ?? {};
  expect([title, author]).toEqual(["Apply the template web", "system"]);
  expect(await lines(one)).toEqual(["@ 3600 MX 10 mail.ZONE.", "web 3600 A 192.0.2.9", "web 3600 A 192.0.2.1"]);
  expect(await lines(two)).toEqual(["@ 3600 MX 10 mail.ZONE.", "web 300 A 192.0.2.1"]);
  expect(await applied({ zones: { zones: [one, two] }, mode: TemplateMode.ADD })).toBe(undefined);
});

test("the RRsets that it names become its own, and an SOA keeps the zone's serial", async () => {
  const zone = await zones.zone("web A 192.0.2.9", "web A 192.0.2.1", "other A 192.0.2.9");
  await applied({ zones: { zones: [zone] }, mode: TemplateMode.REPLACE_RRSETS, title: "as it should be" });
  expect(await lines(zone)).toEqual(["@ 3600 MX 10 mail.ZONE.", "other 3600 A 192.0.2.9", "web 300 A 192.0.2.1"]);
  expect((await zones.lines(zone))[0]).toMatch(/ SOA ns1\.example\.net\. \S+ \d{10} 7200 3600 1209600 60$/);
  expect(await applied({ zones: { zones: [zone] }, mode: TemplateMode.REPLACE_RRSETS })).toBe(undefined);
  await applied({ zones: { zones: [zone] }, mode: TemplateMode.REPLACE_RRSETS }, "192.0.2.7");
  expect(await lines(zone)).toContain("web 300 A 192.0.2.7");
});

test("it needs zones, and those that the key does not see are none", async () => {
  const zone = await zones.zone();
  const common = { template, mode: TemplateMode.ADD, variables: [] };
  expect(await reasonsOf(applyTemplate(session(), { ...common, zones: {} }))).toEqual([["MISSING_FIELD", "zones"]]);
  const limited = { ...actorOf(zones.userId), zones: ["other.example.com"] };
  expect(await applyTemplate(zones.session(limited), { ...common, zones: { zones: [zone] } })).toBe(undefined);
  expect(await reasonsOf(applyTemplate(session(), { ...common, template: 1, zones: { zones: [zone] } }))).toEqual([
    ["NOT_FOUND", "template"],
  ]);
  expect(validate(await createSchema(), parse(applyTemplateDocument))).toEqual([]);
});
