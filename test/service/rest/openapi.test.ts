/** The reference of REST. That answers are as it says is checked by test/setup/service/documented-answers.ts. */
import { expect, test } from "@jest/globals";
import { Validator } from "@seriousme/openapi-schema-validator";
import { codes } from "../../../src/error-codes.ts";
import { openApiDocument, templateOf } from "../../../src/rest/openapi.ts";
import { restknotRoutes } from "../../../src/rest/restknot.ts";
import { routes } from "../../../src/rest/routes.ts";
import { undocumented } from "../../setup/service/documented-answers.ts";
import { type Json, testService } from "../../setup/service/service.ts";

const service = testService({ CORS_ORIGINS: "https://app.example.com" });
const served = async (init: RequestInit = {}) => fetch(`${service.url}/openapi.json`, init);

test.each([
  ["the documented table", routes],
  ["RESTKnot's table", restknotRoutes],
])("is a valid document of OpenAPI 3.1: %s", async (_, table) => {
  const document = openApiDocument(table, "1.0.0") as Json;
  const result = await new Validator().validate(structuredClone(document));
  expect([result.valid, result.errors]).toEqual([true, undefined]);
  expect(document.openapi).toMatch(/^3\.1\./);
});

test("has every path of the table, the two of master files, that of differences, and no other", async () => {
  const document: Json = await (await served()).json();
  const operations = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  );
  const expected = new Set(routes.map(({ method, path }) => `${method} ${templateOf(path)}`));
  const zoneFile = ["get", "post"].map((method) => `${method} /domain/zonefile/{zone}`);
  const others = [...zoneFile, "get /domain/diff/{zone}"];
  expect(operations.toSorted()).toEqual([...expected, ...others].toSorted());
});

test("is served without a key, to other origins too, and to reads alone", async () => {
  const response = await served({ headers: { Origin: "https://app.example.com" } });
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
  expect(response.headers.get("access-control-allow-origin")).toBe("https://app.example.com");
  expect((await served({ method: "HEAD" })).status).toBe(200);
  const refused = await served({ method: "POST" });
  expect([refused.status, ((await refused.json()) as Json).error]).toEqual([405, "METHOD_NOT_ALLOWED"]);
});

test("names every parameter of a path, every operation once, and every code with its meaning", () => {
  const document = openApiDocument(routes, "1.0.0") as Json;
  const operations = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.values<Json>(methods).map((operation) => ({ path, operation })),
  );
  for (const { path, operation } of operations) {
    const named = operation.parameters.filter((each: Json) => each.in === "path").map(({ name }: Json) => name);
    expect([path, named]).toEqual([path, [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)]);
    expect(operation.summary).toMatch(/^[A-Z]/);
  }
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  const text = JSON.stringify(document.components.responses);
  for (const [code, { meaning, status }] of Object.entries(codes))
    if (status !== 405) expect(text).toContain(`${code}: ${meaning}`);
});

test("an answer that is not as the reference says is seen", () => {
  const user = { id: "1000000000000001", email: "a@example.com", created_at: "2026-11-22T00:00:00" };
  const headers = new Headers({ "Content-Type": "application/json" });
  const lack = (body: Json, status = 200) =>
    undocumented("GET", "/user/list/1000000000000001", { status, headers, body, text: JSON.stringify(body) });
  expect(lack(user)).toBeUndefined();
  expect(lack({ ...user, more: 1 })).toMatch(/additional/);
  expect(lack({ ...user, email: undefined })).toMatch(/required property 'email'/);
  expect(lack(user, 201)).toMatch(/status 201/);
  expect(lack({ error: "NOT_FOUND" }, 404)).toMatch(/required property/);
});
