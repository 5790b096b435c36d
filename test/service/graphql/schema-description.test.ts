/** What a stranger needs to know besides the types is in the schema: the codes of errors, and its own description. */
import { expect, test } from "@jest/globals";
import { codes } from "../../../src/error-codes.ts";
import { limits } from "../../../src/graphql/query-limits.ts";
import { type Json, mutation, testService } from "../../setup/service/service.ts";

const service = testService();

test("every code is a value of ErrorCode, with its HTTP status and its meaning", async () => {
  const document = '{ __type(name: "ErrorCode") { enumValues { name description } } }';
  const { enumValues } = (await service.data(document)).__type;
  const described = Object.entries(codes).map(([name, { status, meaning }]) => `${name}: HTTP ${status}: ${meaning}`);
  const shown = enumValues.map(({ name, description }: Json) => `${name}: ${description}`);
  expect(shown.toSorted()).toEqual(described.toSorted());
});

test("every field that holds a code is an ErrorCode, that of a notice a NoticeCode", async () => {
  const document = "{ __schema { types { name fields { name type { name ofType { name } } } } } }";
  const { types } = (await service.data(document)).__schema;
  const holders = types.flatMap(({ name, fields }: Json) =>
    (fields ?? [])
      .filter((field: Json) => field.name === "code" && name !== "RecordTypeInfo")
      .map(({ type }: Json) => `${name} ${type.name ?? type.ofType.name}`),
  );
  const ofErrors = [
    ..."AuditEntry ChangeSetFailure ErrorExtensions ErrorReason RecordRefusal RefusedEditOfRecord".split(" "),
    ..."StagedRefusal UndoConflict UpdateRefusal".split(" "),
  ];
  const expected = [...ofErrors.map((name) => `${name} ErrorCode`), "Notice NoticeCode"];
  expect(holders.toSorted()).toEqual(expected.toSorted());
});

test("what an error holds is what ErrorExtensions says", async () => {
  const type = (name: string) => `${name}: __type(name: "${name}") { fields { name type { kind } } }`;
  const names = ["ErrorExtensions", "ErrorDetails", "ErrorReason"];
  const types = await service.data(`{ ${names.map(type).join(" ")} }`);
  const expectFits = (value: Json, name: string) => {
    const fields: Json[] = types[name].fields;
    expect(fields.map((field) => field.name)).toEqual(expect.arrayContaining(Object.keys(value)));
    const required = fields.filter((field) => field.type.kind === "NON_NULL").map((field) => field.name);
    expect(Object.keys(value)).toEqual(expect.arrayContaining(required));
  };
  const userId = await service.user("errors@example.com");
  await service.domain("errors.example.com", userId);
  const change = (edits: string) =>
    `mutation { changeRecords(input: { zone: "errors.example.com", ${edits} }) { warnings } }`;
  const documents = [
    "{ nothing }",
    '{ domain(by: { zone: "absent.example" }) { id } }',
    change("expectedSerial: 1"),
    change('add: [{ owner: "www", type: "A", rdata: "192.0.2.1" }]'),
    change('add: [{ owner: "x", type: "A", rdata: "x" }, { owner: "y", type: "A", rdata: "y" }]'),
    `mutation { importZone(input: { zone: "errors.example.com", mode: REPLACE, text: "a A x" }) { warnings } }`,
  ];
  for (const document of documents) {
    const [{ extensions }] = (await service.graphql(document)).body.errors;
    expectFits(extensions, "ErrorExtensions");
    expectFits(extensions.details, "ErrorDetails");
    for (const reason of extensions.details.reasons) expectFits(reason, "ErrorReason");
  }
});

test("the schema says how to authenticate, what an error holds, where streams are, and the limits that hold", async () => {
  const { description } = (await service.data("{ __schema { description } }")).__schema;
  for (const word of [
    "X-API-Key",
    "extensions",
    "retryAfter",
    "add.3.rdata",
    "text/event-stream",
    "DateTime",
    "Serial",
  ])
    expect(description).toContain(word);
  for (const limit of [limits.tokens, limits.depth, limits.selections, limits.fragments, limits.rows])
    expect(description).toContain(limit.toLocaleString("en"));
});

test("the extensions of an error have the form that the description gives them", async () => {
  const { body } = await service.graphql(mutation("createUser", "user { id }"), { input: { email: "nobody" } });
  const reason = { code: "INVALID_VALUE", field: "email" };
  const reasons = [{ ...reason, message: expect.stringMatching(/^email is not/) }];
  expect(body.errors[0].extensions).toEqual({ ...reason, details: { reasons } });
});
