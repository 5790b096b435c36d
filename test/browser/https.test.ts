/**
 * The console over HTTPS, with a cookie that is bound to TLS, and the pages beside it: GraphiQL and the reference of REST, each within a policy
 * of its own and with the sign-in of the console.
 */
import { readFileSync } from "node:fs";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { beforeAll, expect } from "@jest/globals";
import type { Page } from "playwright-core";
import { routes } from "../../src/rest/routes.ts";
import { TestAuthority } from "../setup/basics/certificates.ts";
import { eventually } from "../setup/basics/eventually.ts";
import { testConsole } from "../setup/browser/console-browser.ts";
import { SheetUser } from "../setup/browser/sheet-user.ts";
import { adminKey } from "../setup/service/service.ts";

const authority = new TestAuthority();
const { cert, key } = authority.issue("server", "IP:127.0.0.1");
setDefaultCACertificates([...getCACertificates("default"), readFileSync(authority.file, "utf8")]);
// The browser reports who is not signed in.
const { test, service, browser } = testConsole({ TLS_CERT: cert, TLS_KEY: key }, /status of 401/);
const zone = "example.com";

beforeAll(async () => {
  await service.domain(zone, await service.user("owner@example.com"));
  await service.record(zone, "box", "A", "192.0.2.1");
});

async function open(path: string, by: string | null = adminKey): Promise<Page> {
  return (await browser.open(path, by, { ignoreHTTPSErrors: true })).page;
}

test("one signs in, sees another's change by itself, and applies an edit", async () => {
  const page = await open(`/console/zones/${zone}`, null);
  await page.getByLabel("API key").fill(adminKey);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: zone }).waitFor();
  const cookies = await page.context().cookies();
  expect(cookies.map(({ name, secure }) => [name, secure])).toEqual([["__Host-zonesmith", true]]);
  const user = await new SheetUser(page).ready();
  await user.cell("box").click();
  await user.type("192.0.2.77");
  await user.press("Enter");
  await page.getByRole("status").filter({ hasText: "1 edit" }).waitFor();
  await service.record(zone, "other", "A", "192.0.2.9");
  await user.row("other").waitFor();
  await user.commit();
  expect([await service.stored(zone, "box"), await service.stored(zone, "other")]).toEqual([
    ["box A 3600 192.0.2.77"],
    ["other A 3600 192.0.2.9"],
  ]);
});

test("in GraphiQL an operation runs as the one who is signed in, and fields are offered from the schema", async () => {
  const page = await open("/graphiql");
  await page.getByText("publication").first().waitFor();
  await page.getByRole("button", { name: /^Execute query/ }).click();
  await page.locator(".result-window").getByText("example.com").waitFor();
  await page.locator(".result-window").getByText("UNSERVED").waitFor();
  await page.getByRole("button", { name: "Show Documentation Explorer" }).click();
  await page.locator(".graphiql-plugin").getByText("Mutation").first().waitFor();
});

test("GraphiQL without a sign-in says so", async () => {
  const page = await open("/graphiql", null);
  await page.getByText("publication").first().waitFor();
  await page.getByRole("button", { name: /^Execute query/ }).click();
  await page.locator(".result-window").getByText("UNAUTHENTICATED").first().waitFor();
});

test("the reference shows every operation without a key, within its policy and from nowhere else", async () => {
  const page = await open("/reference/", null);
  await page.locator(".opblock").first().waitFor();
  const { paths } = (await (await fetch(`${service.url}/openapi.json`)).json()) as { paths: Record<string, object> };
  const operations = Object.values(paths).flatMap((path) =>
    Object.keys(path).filter((key) => /^(get|post|put|delete)$/.test(key)),
  );
  expect(operations.length).toBeGreaterThan(new Set(routes.map(({ method, path }) => `${method} ${path}`)).size);
  await eventually(async () => expect(await page.locator(".opblock").count()).toBe(operations.length));
});

test("the reference tries a path out by the sign-in of the console", async () => {
  const page = await open("/reference/");
  const operation = page.locator("#operations-user-get_user_list");
  await operation.waitFor();
  await operation.locator(".opblock-summary-control").click();
  await operation.getByRole("button", { name: "Try it out" }).click();
  await operation.getByRole("button", { name: "Execute" }).click();
  const answer = operation.locator(".live-responses-table .response").first();
  await answer.waitFor();
  expect(await answer.locator(".response-col_status").first().innerText()).toMatch(/^200/);
  await answer.getByText("owner@example.com").first().waitFor();
});
