/**
 * Users by GraphQL: what is an address, and what becomes of a request whose second mutation is refused.
 */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { testService } from "../../setup/service/service.ts";

const service = testService();
beforeAll(async () => {
  await service.user("taken@example.com");
});

const emails = async () =>
  (await service.sql<{ email: string }>('select email from "user" order by id')).map(({ email }) => email);

describe("an e-mail address", () => {
  test.each([
    ["", "INVALID_VALUE"],
    ["no address", "INVALID_VALUE"],
    ["a@b", "INVALID_VALUE"],
    [`${"a".repeat(300)}@example.com`, "INVALID_VALUE"],
    ["a\u0000@example.com", "INVALID_VALUE"],
    ["TAKEN@Example.com", "DUPLICATE_EMAIL"],
  ])("%j is refused with %s, for a new user as for another's", async (email, code) => {
    const id = await service.user("other@example.com");
    const before = await emails();
    for (const mutation of [
      `createUser(input: { email: ${JSON.stringify(email)} }) { user { id } }`,
      `updateUser(input: { id: "${id}", email: ${JSON.stringify(email)} }) { user { id } }`,
    ]) {
      const { body } = await service.graphql(`mutation { ${mutation} }`);
      expect(body.errors[0].extensions).toMatchObject({ code, field: "email" });
    }
    expect(await emails()).toEqual(before);
    await service.data(`mutation { deleteUser(input: { id: "${id}" }) { deletedId } }`);
  });

  test("may change its letter case", async () => {
    const id = await service.user("case@example.com");
    const { updateUser } = await service.data(
      `mutation { updateUser(input: { id: "${id}", email: " Case@Example.com " }) { user { id email createdAt } } }`,
    );
    expect(updateUser.user).toEqual({ id, email: "Case@Example.com", createdAt: expect.stringMatching(/Z$/) });
  });
});

test("a refused mutation stands for itself: those before it and after it in its request are committed", async () => {
  const create = (email: string) => `createUser(input: { email: "${email}" }) { user { email } }`;
  const { body } = await service.graphql(
    `mutation { a: ${create("before@example.com")} b: ${create("taken@example.com")} c: ${create("after@example.com")} }`,
  );
  expect(body.errors.map(({ path }: { path: string[] }) => path)).toEqual([["b"]]);
  expect(await emails()).toContain("before@example.com");
  expect(await emails()).toContain("after@example.com");
  expect(body.data).toEqual({ a: { user: expect.anything() }, b: null, c: { user: expect.anything() } });
});
