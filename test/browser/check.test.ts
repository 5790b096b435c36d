/** Check: what is wrong with zones, by zone and severity, with the way to each name, and what switches a check off for a zone. */
import { beforeAll, expect } from "@jest/globals";
import type { Page } from "playwright-core";
import { eventually } from "../setup/basics/eventually.ts";
import { intercept } from "../setup/basics/intercept.ts";
import { clickButtons, expectAccessible, testConsole } from "../setup/browser/console-browser.ts";

const { test, service, browser } = testConsole({});
const [one, two] = ["one.example", "two.example"];
let userId = "";

beforeAll(async () => {
  userId = await service.user("owner@example.com");
  const texts = { [one]: "old 300 CNAME gone\ndb 300 A 10.0.0.1", [two]: "loop 300 CNAME loop" };
  for (const [zone, text] of Object.entries(texts)) {
    await service.domain(zone, userId);
    await service.mutate("importZone", { zone, text, mode: "MERGE" }, "addedCount");
    await service.mutate("updateDomain", { by: { zone }, labels: [{ name: "env", value: "" }] }, "domain { id }");
  }
});

const rows = (page: Page, text = "") => page.locator("main section > ul > li").filter({ hasText: text });
const zonesOf = (page: Page) => page.getByRole("heading", { level: 2 }).allInnerTexts();
const open = async (readOnly = false) =>
  (await browser.open("/console/check", await browser.key({ name: "own", userId, readOnly }))).page;

test("findings are below their zones, by severity, and lead to their names; the zone leads to its findings", async () => {
  const page = await open(true);
  await rows(page, "PRIVATE_ADDRESS · RFC 1918 §3").getByRole("link", { name: "db A" }).waitFor();
  expect(await zonesOf(page)).toEqual([one, two]);
  expect(await page.getByRole("button", { name: "Ignore here" }).count()).toBe(0);
  await clickButtons(page, "Errors");
  await page.waitForURL(/check\?severity=ERROR$/);
  await page.reload();
  await eventually(async () => expect(await rows(page, "error").count()).toBe(2));
  expect(await rows(page).count()).toBe(2);
  await page.getByRole("link", { name: "old CNAME" }).click();
  await page.waitForURL(/zones\/one\.example\?q=old$/);
  await page.getByRole("link", { name: "1 finding" }).click();
  await page.waitForURL(/check\?zone=one\.example$/);
  await eventually(async () => expect(await zonesOf(page)).toEqual([one]));
});

test("a page without findings is followed by the next one; a check is ignored in one zone", async () => {
  const page = await open();
  await intercept(page, "**/graphql", (route) => {
    const body = route.request().postData() ?? "";
    if (body.includes('"after":"next"')) return route.continue({ postData: body.replace('"next"', "null") });
    if (!body.includes("query Findings(")) return route.fallback();
    return route.fulfill({ json: { data: { findings: { nodes: [], endCursor: "next" } } } });
  });
  await clickButtons(page, "Errors");
  await rows(page, "TARGET_MISSING").getByRole("button", { name: "Ignore here" }).click();
  await eventually(async () => expect(await zonesOf(page)).toEqual([two]));
  const { domain } = await service.data(`{ domain(by: { zone: "${one}" }) { labels { name } } }`, {});
  expect(domain.labels).toEqual([{ name: "env" }, { name: "ignore/TARGET_MISSING" }]);
  await expectAccessible(page);
  await page.unrouteAll({ behavior: "wait" });
});
