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
  template { ${fields} } warnings notices { code field } } }`;
const create = async (input: Json, key?: string) => (await service.data(createText, { input }, key)).createTemplate;
const updateText = mutation("updateTemplate", `template { ${fields} }`);
const reasons = async (text: string, input: Json, key?: string) => {
  const { body } = await service.graphql(text, { input }, key);
  return (body.errors?.[0]?.extensions.details?.reasons ?? [body.errors?.[0]?.extensions]).map((each: Json) => [
    each?.code,
    each?.field,
  ]);
};
const domainText = `mutation ($input: CreateDomainInput!) { createDomain(input: $input) { warnings domain { zone
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
    const { domain } = await domainOf({ zone: "made.example.com", template: id, variables }, alicesKey);
    expect(domain.records.nodes).toEqual([
      { owner: "@", type: "A", ttl: 300, rdata: "192.0.2.7" },
      { owner: "@", type: "MX", ttl: 3600, rdata: "10 mail.made.example.com." },
      { owner: "@", type: "TXT", ttl: 3600, rdata: '"v=spf1 mx ~all"' },
      { owner: "mail", type: "A", ttl: 3600, rdata: "192.0.2.7" },
    ]);
    expect(domain.template).toEqual({
      revision: 1,
      values: [
        { name: "policy", value: "~all" },
        { name: "address", value: "192.0.2.7" },
      ],
      template: { name: "mail" },
    });
  });

  test("is made of the shared template that DEFAULT_TEMPLATE names, over REST too", async () => {
    const { domain } = await domainOf({ zone: "default.example.com" });
    expect(domain).toMatchObject({
      records: { nodes: [{ owner: "www", rdata: "default.example.com." }] },
      template: { revision: 1, values: [], template: { name: "usual" } },
    });
    await service.rest("POST", "/domain/add", { form: { zone: "rest.example.com", user_id: alice } });
    const { domain: ofRest } = await service.data(
      '{ domain(by: { zone: "rest.example.com" }) { template { template { name } } } }',
    );
    expect(ofRest.template.template.name).toBe("usual");
  });

  test("remembers it when it was deleted and is back, and when the template is gone", async () => {
    const zone = "kept.example.com";
    const other = (await create({ name: "passing", userId: alice, records: [] }, alicesKey)).template.id;
    await domainOf({ zone, template: other }, alicesKey);
    await service.data(`mutation { deleteDomain(input: { zone: "${zone}" }) { deletedId } }`);
    await service.data(`mutation { restoreDomain(input: { by: { zone: "${zone}" } }) { domain { id } } }`);
    const read = `{ domain(by: { zone: "${zone}" }) { template { revision template { name } } } }`;
    expect((await service.data(read)).domain.template).toEqual({ revision: 1, template: { name: "passing" } });
    await service.data(`mutation { deleteTemplate(input: { id: "${other}" }) { deletedId } }`, {}, alicesKey);
    expect((await service.data(read)).domain.template).toEqual({ revision: 1, template: null });
  });

  test.each([
    ["a value that is missing", [], [["MISSING_FIELD", "variables"]]],
    ["a value of another kind", [{ name: "address", value: "x" }], [["INVALID_VALUE", "variables.0.value"]]],
    ["a variable that is none", [{ name: "x", value: "x" }], [["INVALID_VALUE", "variables.0.name"]]],
  ])("is refused, and not there: %s", async (_, variables, expected) => {
    const input = { zone: "refused.example.com", userId: alice, template: id, variables };
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
    const input = (value: string) => ({
      zone: "ruled.example.com",
      userId: alice,
      template: template.id,
      variables: [{ name: "host", value }],
    });
    expect(await reasons(domainText, input("www"), alicesKey)).toEqual([["RECORD_CONFLICT", "template"]]);
    expect(await reasons(domainText, input("www.example.net."), alicesKey)).toEqual([["OUT_OF_ZONE", "template"]]);
    expect(await service.refusal('{ domain(by: { zone: "ruled.example.com" }) { id } }')).toBe("NOT_FOUND");
  });
});

describe("a template that is saved", () => {
  test.each<[string, Json, [string, string | undefined][]]>([
    [
      "an unknown variable",
      { records: [{ owner: "@", type: "A", rdata: "${x}" }] },
      [["INVALID_VALUE", "records.0.rdata"]],
    ],
    [
      "data of another form",
      { records: [{ owner: "a", type: "A", rdata: "x" }] },
      [["INVALID_RDATA", "records.0.rdata"]],
    ],
    [
      "a type that is none",
      { records: [{ owner: "a", type: "XX", rdata: "x" }] },
      [["UNSUPPORTED_TYPE", "records.0.type"]],
    ],
    [
      "an owner outside of the zone",
      { records: [{ owner: "a.example.net.", type: "A", rdata: "192.0.2.1" }] },
      [["OUT_OF_ZONE", "records.0.owner"]],
    ],
    [
      "a CNAME beside data",
      {
        records: [
          { owner: "a", type: "CNAME", rdata: "b" },
          { owner: "a", type: "A", rdata: "192.0.2.1" },
        ],
      },
      [["RECORD_CONFLICT", expect.stringMatching(/^records\.[01]\./) as never]],
    ],
    [
      "a name that is built in",
      { variables: [{ name: "zone", kind: "NAME" }], records: [] },
      [["INVALID_VALUE", "variables.0.name"]],
    ],
    [
      "a name of another form",
      { variables: [{ name: "a b", kind: "NAME" }], records: [] },
      [["INVALID_VALUE", "variables.0.name"]],
    ],
    [
      "a name twice",
      {
        variables: [
          { name: "a", kind: "NAME" },
          { name: "a", kind: "TEXT" },
        ],
        records: [],
      },
      [["INVALID_VALUE", "variables.1.name"]],
    ],
    [
      "a default of another kind",
      { variables: [{ name: "a", kind: "IPV4", default: "x" }], records: [] },
      [["INVALID_VALUE", "variables.0.default"]],
    ],
  ])("makes lawful zones: %s is refused", async (_, content, expected) => {
    expect(await reasons(createText, { name: "wrong", ...content })).toEqual(expected);
    expect(
      await reasons(updateText, { id: (await create({ name: `t${_}`, records: [] })).template.id, ...content }),
    ).toEqual(expected);
  });

  test("warns of a variable that no record uses", async () => {
    const { warnings, notices } = await create({
      name: "unused",
      variables: [{ name: "a", kind: "NAME" }],
      records: [],
    });
    expect([warnings, notices]).toEqual([
      ["No record uses the variable a."],
      [{ code: "UNUSED_VARIABLE", field: "variables.0.name" }],
    ]);
  });

  test("is updated in parts, by who has its last revision, under a name of its own", async () => {
    const { template } = await create({ ...mail, name: "edited" });
    expect(template).toMatchObject({ revision: 1, user: null, records: [{ type: "A" }, {}, {}, {}] });
    const { id } = template;
    const { updateTemplate } = await service.data(updateText, {
      input: { id, expectedRevision: 1, description: "new" },
    });
    expect(updateTemplate.template).toEqual({ ...template, revision: 2, description: "new" });
    expect(await reasons(updateText, { id, expectedRevision: 1, name: "other" })).toEqual([
      ["INVALID_VALUE", "expectedRevision"],
    ]);
    await create({ name: "taken", records: [] });
    expect(await reasons(updateText, { id, name: "taken" })).toEqual([["INVALID_VALUE", "name"]]);
    expect(await reasons(createText, { name: "taken", records: [] })).toEqual([["INVALID_VALUE", "name"]]);
    await create({ name: "taken", userId: alice, records: [] }, alicesKey);
  });

  test("is refused for a user who is not there", async () => {
    const input = { name: "nobodys", userId: String(Number(bob) + 10_000 * 16), records: [] };
    expect(await reasons(createText, input)).toEqual([["NOT_FOUND", "userId"]]);
  });
});

describe("access", () => {
  const named = (name: string, key?: string) =>
    service.refusal(`{ template(by: { name: "${name}" }) { id } }`, {}, key);
  const names = async (key?: string) =>
    (await service.data("{ templates(first: 100) { nodes { name } } }", {}, key)).templates.nodes.map(
      ({ name }: Json) => name,
    );

  test("a user sees and writes the user's own templates, and sees the shared ones", async () => {
    const own = (await create({ name: "alices", userId: alice, records: [] }, alicesKey)).template.id;
    const shared = (await create({ name: "everybodys", records: [] })).template.id;
    expect(await names(alicesKey)).toEqual(expect.arrayContaining(["alices", "everybodys"]));
    expect(await names(bobsKey)).toContain("everybodys");
    expect(await names(bobsKey)).not.toContain("alices");
    expect([await named("alices", alicesKey), await named("alices", bobsKey)]).toEqual([undefined, "NOT_FOUND"]);
    const remove = (id: string, key: string) =>
      service.refusal(`mutation { deleteTemplate(input: { id: "${id}" }) { deletedId } }`, {}, key);
    expect([await remove(own, bobsKey), await remove(shared, bobsKey), await remove(own, limitedKey)]).toEqual([
      "NOT_FOUND",
      "FORBIDDEN",
      "FORBIDDEN",
    ]);
    expect(await reasons(createText, { name: "x", records: [] }, bobsKey)).toEqual([["FORBIDDEN", undefined]]);
    expect(await reasons(createText, { name: "x", userId: alice, records: [] }, bobsKey)).toEqual([
      ["NOT_FOUND", "userId"],
    ]);
    expect(await reasons(domainText, { zone: "b.example.net", userId: bob, template: own }, bobsKey)).toEqual([
      ["NOT_FOUND", "template"],
    ]);
    expect(await remove(own, alicesKey)).toBeUndefined();
  });
});
