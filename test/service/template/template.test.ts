/**
 * Templates that are stored: checked when they are saved, seen and written by those who may, and remembered by the domains made of them.
 */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: templates have placeholders of that form
import { beforeAll, describe, expect, test } from "@jest/globals";
import { type Json, mutation, testService } from "../../setup/service/service.ts";

const service = testService({ DEFAULT_TEMPLATE: "usual" });
let [alice, bob] = ["", ""];
let [alicesKey, bobsKey, limitedKey] = ["", "", ""];
const keyOf = async (input: Json) => (await service.mutate("createApiKey", input, "key")).key;

beforeAll(async () => {
  [alice, bob] = [await service.user("alice@example.com"), await service.user("bob@example.net")];
  [alicesKey, bobsKey] = [await keyOf({ name: "a", userId: alice }), await keyOf({ name: "b", userId: bob })];
  limitedKey = await keyOf({ name: "limited", userId: alice, zones: ["limited.example.com"] });
});

const fields =
  "id name description revision user { email } variables { name kind description default } records { owner type ttl rdata }";
const createText = `mutation ($input: CreateTemplateInput!) { createTemplate(input: $input) {
  template { ${fields} } notices { code field message } } }`;
const create = async (input: Json, key?: string) => (await service.data(createText, { input }, key)).createTemplate;
const updateText = mutation("updateTemplate", `template { ${fields} }`);
/** The codes of a refusal's reasons, each with its field if it has one. */
const reasons = async (text: string, input: Json, key?: string): Promise<string[]> => {
  const { extensions } = (await service.graphql(text, { input }, key)).body.errors[0];
  const all: Json[] = extensions.details?.reasons ?? [extensions];
  return all.map(({ code, field }) => (field ? `${code} ${field}` : code));
};
const domainText = `mutation ($input: CreateDomainInput!) { createDomain(input: $input) { notices { message } domain { zone
  records(types: ["A", "MX", "TXT", "CNAME"]) { nodes { owner type ttl rdata } }
  template { revision values { name value } template { name } } } } }`;

const mail = {
  name: "mail",
  description: "A zone with mail.",
  variables: [
    { name: "address", kind: "IPV4", description: "of the web server" },
    { name: "policy", kind: "TEXT", default: "~all" },
  ],
  records: [
    { owner: "@", type: "a", rdata: "${address}", ttl: 300 },
    { owner: "@", type: "MX", rdata: "10 mail.${zone}" },
    { owner: "mail", type: "A", rdata: "${address}" },
    { owner: "@", type: "TXT", rdata: '"v=spf1 mx ${policy}"' },
  ],
};

describe("a domain made of a template", () => {
  let id = "";
  beforeAll(async () => {
    await create({ name: "usual", records: [{ owner: "www", type: "CNAME", rdata: "${zone}" }] });
    id = (await create({ ...mail, userId: alice }, alicesKey)).template.id;
  });
  const domainOf = async (input: Json, key?: string) =>
    (await service.data(domainText, { input: { userId: alice, ...input } }, key)).createDomain;

  test("has its records, and remembers it with the values", async () => {
    const variables = [{ name: "address", value: "192.0.2.7" }];
    const { domain } = await domainOf({ zone: "made.example.com", templateId: id, variables }, alicesKey);
    expect(domain.records.nodes).toEqual([
      { owner: "@", type: "A", ttl: 300, rdata: "192.0.2.7" },
      { owner: "@", type: "MX", ttl: 3600, rdata: "10 mail.made.example.com." },
      { owner: "@", type: "TXT", ttl: 3600, rdata: '"v=spf1 mx ~all"' },
      { owner: "mail", type: "A", ttl: 3600, rdata: "192.0.2.7" },
    ]);
    const values = [{ name: "policy", value: "~all" }, ...variables];
    expect(domain.template).toEqual({ revision: 1, values, template: { name: "mail" } });
  });

  test("is made of the shared template that DEFAULT_TEMPLATE names, over REST too", async () => {
    const { domain } = await domainOf({ zone: "default.example.com" });
    expect(domain).toMatchObject({
      records: { nodes: [{ owner: "www", rdata: "default.example.com." }] },
      template: { revision: 1, values: [], template: { name: "usual" } },
    });
    await service.rest("POST", "/domain/add", { form: { zone: "rest.example.com", user_id: alice } });
    const read = '{ domain(by: { zone: "rest.example.com" }) { template { template { name } } } }';
    expect((await service.data(read)).domain.template.template.name).toBe("usual");
  });

  test("remembers it when it was deleted and is back, and when the template is gone", async () => {
    const zone = "kept.example.com";
    const other = (await create({ name: "passing", userId: alice, records: [] }, alicesKey)).template.id;
    await domainOf({ zone, templateId: other }, alicesKey);
    await service.mutate("deleteDomain", { by: { zone } }, "deletedId");
    await service.mutate("restoreDomain", { by: { zone } }, "domain { id }");
    const read = `{ domain(by: { zone: "${zone}" }) { template { revision template { name } } } }`;
    expect((await service.data(read)).domain.template).toEqual({ revision: 1, template: { name: "passing" } });
    await service.mutate("deleteTemplate", { by: { id: other } }, "deletedId", alicesKey);
    expect((await service.data(read)).domain.template).toEqual({ revision: 1, template: null });
  });

  test.each([
    ["a value that is missing", [], ["MISSING_FIELD variables"]],
    ["a value of another kind", [{ name: "address", value: "x" }], ["INVALID_VALUE variables.0.value"]],
    ["a variable that is none", [{ name: "x", value: "x" }], ["INVALID_VALUE variables.0.name"]],
  ])("is refused, and not there: %s", async (_, variables, expected) => {
    const input = { zone: "refused.example.com", userId: alice, templateId: id, variables };
    expect(await reasons(domainText, input, alicesKey)).toEqual(expected);
    expect(await service.refusal('{ domain(by: { zone: "refused.example.com" }) { id } }')).toBe("NOT_FOUND");
  });

  test("is refused where the values break a rule of the zone", async () => {
    const variables = [{ name: "host", kind: "NAME" }];
    const records = [
      { owner: "${host}", type: "CNAME", rdata: "example.net." },
      { owner: "www", type: "A", rdata: "192.0.2.1" },
    ];
    const { template } = await create({ name: "alias", userId: alice, variables, records }, alicesKey);
    const ruled = { zone: "ruled.example.com", userId: alice, templateId: template.id };
    const input = (value: string) => ({ ...ruled, variables: [{ name: "host", value }] });
    expect(await reasons(domainText, input("www"), alicesKey)).toEqual(["RECORD_CONFLICT templateId"]);
    expect(await reasons(domainText, input("www.example.net."), alicesKey)).toEqual(["OUT_OF_ZONE templateId"]);
    expect(await service.refusal('{ domain(by: { zone: "ruled.example.com" }) { id } }')).toBe("NOT_FOUND");
  });
});

describe("a template that is saved", () => {
  const record = (owner: string, type: string, rdata: string) => ({ owner, type, rdata });
  const address = record("a", "A", "192.0.2.1");
  test.each<[string, Json, string]>([
    ["an unknown variable", { records: [record("@", "A", "${x}")] }, "INVALID_VALUE records.0.rdata"],
    ["data of another form", { records: [record("a", "A", "x")] }, "INVALID_RDATA records.0.rdata"],
    ["a type that is none", { records: [record("a", "XX", "x")] }, "UNSUPPORTED_TYPE records.0.type"],
    [
      "an owner outside of the zone",
      { records: [{ ...address, owner: "a.example.net." }] },
      "OUT_OF_ZONE records.0.owner",
    ],
    [
      "a CNAME beside data",
      { records: [record("a", "CNAME", "b"), address] },
      expect.stringMatching(/^RECORD_CONFLICT records\.[01]\./) as never,
    ],
    ["a name that is built in", { variables: [{ name: "zone", kind: "NAME" }] }, "INVALID_VALUE variables.0.name"],
    ["a name of another form", { variables: [{ name: "a b", kind: "NAME" }] }, "INVALID_VALUE variables.0.name"],
    [
      "a name twice",
      { variables: ["NAME", "TEXT"].map((kind) => ({ name: "a", kind })) },
      "INVALID_VALUE variables.1.name",
    ],
    [
      "a default of another kind",
      { variables: [{ name: "a", kind: "IPV4", default: "x" }] },
      "INVALID_VALUE variables.0.default",
    ],
  ])("makes lawful zones: %s is refused", async (what, content, reason) => {
    expect(await reasons(createText, { name: "wrong", records: [], ...content })).toEqual([reason]);
    const { id } = (await create({ name: `t${what}`, records: [] })).template;
    expect(await reasons(updateText, { by: { id }, ...content })).toEqual([reason]);
  });

  test("warns of a variable that no record uses", async () => {
    const variables = [{ name: "a", kind: "NAME" }];
    const { notices } = await create({ name: "unused", variables, records: [] });
    const message = "No record uses the variable a.";
    expect(notices).toEqual([{ code: "UNUSED_VARIABLE", field: "variables.0.name", message }]);
  });

  test("is updated in parts, by who has its last revision, under a name of its own", async () => {
    const { template } = await create({ ...mail, name: "edited" });
    expect(template).toMatchObject({ revision: 1, user: null, records: [{ type: "A" }, {}, {}, {}] });
    const { id } = template;
    const edits = { by: { name: "edited" }, expectedRevision: 1, description: "new" };
    const updated = await service.mutate("updateTemplate", edits, `template { ${fields} }`);
    expect(updated.template).toEqual({ ...template, revision: 2, description: "new" });
    expect(await reasons(updateText, { by: { id }, expectedRevision: 1, name: "other" })).toEqual([
      "INVALID_VALUE expectedRevision",
    ]);
    await create({ name: "taken", records: [] });
    expect(await reasons(updateText, { by: { id }, name: "taken" })).toEqual(["INVALID_VALUE name"]);
    expect(await reasons(createText, { name: "taken", records: [] })).toEqual(["INVALID_VALUE name"]);
    await create({ name: "taken", userId: alice, records: [] }, alicesKey);
  });

  test("is refused for a user who is not there", async () => {
    const input = { name: "nobodys", userId: String(Number(bob) + 10_000 * 16), records: [] };
    expect(await reasons(createText, input)).toEqual(["NOT_FOUND userId"]);
  });
});

test("the shared templates are everybody's to see, and the administrator's to delete; another user's are not used", async () => {
  const own = (await create({ name: "alices", userId: alice, records: [] }, alicesKey)).template.id;
  const shared = (await create({ name: "everybodys", records: [] })).template.id;
  const { templates } = await service.data("{ templates(first: 100) { nodes { name } } }", {}, bobsKey);
  const names = templates.nodes.map(({ name }: Json) => name);
  expect(names).toContain("everybodys");
  expect(names).not.toContain("alices");
  const named = '{ template(by: { name: "alices" }) { id } }';
  expect(await service.refusal(named, {}, alicesKey)).toBeUndefined();
  expect(await service.refusal(named, {}, bobsKey)).toBe("NOT_FOUND");
  const remove = mutation("deleteTemplate", "deletedId");
  expect(await reasons(remove, { by: { id: shared } }, bobsKey)).toEqual(["FORBIDDEN"]);
  expect(await reasons(remove, { by: { id: own } }, limitedKey)).toEqual(["FORBIDDEN"]);
  expect(await reasons(createText, { name: "x", records: [] }, bobsKey)).toEqual(["FORBIDDEN"]);
  const domain = { zone: "b.example.net", userId: bob, templateId: own };
  expect(await reasons(domainText, domain, bobsKey)).toEqual(["NOT_FOUND templateId"]);
});
