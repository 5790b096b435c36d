/**
 * The reference of REST in a browser: it shows every path of /openapi.json, and tries them out by the sign-in of the console.
 */
import { beforeAll, expect } from "@jest/globals";
import { routes } from "../../src/rest/routes.ts";
import { eventually } from "../setup/basics/eventually.ts";
import { testWith } from "../setup/basics/programs.ts";
import { testBrowser } from "../setup/browser/console-browser.ts";
import { testService } from "../setup/service/service.ts";

const test = testWith("chromium");
const service = testService();
const browser = testBrowser(service);

beforeAll(async () => {
  await service.user("owner@example.com");
});

test("shows every operation without a key, within its policy and from nowhere else", async () => {
  const { page } = await browser.open("/reference/", null);
  await page.locator(".opblock").first().waitFor();
  const { paths } = (await (await fetch(`${service.url}/openapi.json`)).json()) as { paths: Record<string, object> };
  const operations = Object.values(paths).flatMap((path) =>
    Object.keys(path).filter((key) => /^(get|post|put|delete)$/.test(key)),
  );
  expect(operations.length).toBeGreaterThan(new Set(routes.map(({ method, path }) => `${method} ${path}`)).size);
  await eventually(async () => expect(await page.locator(".opblock").count()).toBe(operations.length));
});

test("tries a path out by the sign-in of the console", async () => {
  const { page } = await browser.open("/reference/");
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
