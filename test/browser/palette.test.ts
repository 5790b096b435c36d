/** Ctrl+K: what it finds by which text, what it does, and its keys. */
import { beforeAll, expect } from "@jest/globals";
import type { Page } from "playwright-core";
import { eventually } from "../setup/basics/eventually.ts";
import { testConsole } from "../setup/browser/console-browser.ts";

const { test, service, browser } = testConsole();
const zone = "example.com";
const reverse = "2.0.192.in-addr.arpa";

beforeAll(async () => {
  const userId = await service.user("mara@example.com");
  for (const each of [zone, "other.example", reverse]) await service.domain(each, userId);
  const hosts = Array.from({ length: 7 }, (_, at) => ({ owner: `node${at}`, type: "A", rdata: `198.51.100.${at}` }));
  const add = [...hosts, { owner: "web", type: "A", rdata: "192.0.2.77" }];
  await service.mutate("changeRecords", { zone, note: "seven nodes", add }, "change { id }");
  await service.record("other.example", "lb", "A", "192.0.2.77");
  await service.record(reverse, "77", "PTR", "web.example.com.");
  await service.record(zone, "web", "MX", "10 mail.example.net.");
});

/** The palette over a page, with a text written into it. */
async function written(page: Page, text: string) {
  const palette = page.getByRole("dialog", { name: "Search or go to" });
  if ((await palette.count()) === 0) await page.getByRole("button", { name: /^Search or go to/ }).click();
  await palette.getByRole("combobox").fill(text);
  const group = (name: string) => palette.getByRole("group", { name }).getByRole("option");
  return { palette, group, selected: palette.getByRole("option", { selected: true }) };
}

test("an address finds its records and their PTR, a name with a type its RRset, a serial its change, @ only people", async () => {
  const { page } = await browser.open("/console/zones");
  const { group, palette, selected } = await written(page, "192.0.2.77");
  await eventually(async () =>
    expect((await group("Records").allInnerTexts()).map((text) => text.replace(/\s+/g, " ").trim())).toEqual([
      expect.stringMatching(/^(web\.example\.com|lb\.other\.example) A 192\.0\.2\.77$/),
      expect.stringMatching(/^(web\.example\.com|lb\.other\.example) A 192\.0\.2\.77$/),
      "77.2.0.192.in-addr.arpa PTR web.example.com. reverse",
    ]),
  );
  expect(await group("Do").allInnerTexts()).toEqual([
    "Change 192.0.2.77 in 2 zones…",
    expect.stringMatching(/^Add 192\.0\.2\.77 to /),
  ]);
  await written(page, "web mx");
  await eventually(async () => expect(await group("Records").allInnerTexts()).toEqual([expect.stringContaining("MX")]));
  await written(page, String(await service.serial("other.example")));
  await group("Changes").filter({ hasText: "lb A 192.0.2.77" }).waitFor();
  await written(page, "@mara");
  await group("People and keys").filter({ hasText: "mara@example.com" }).waitFor();
  expect(await palette.getByRole("option").count()).toBe(1);
  await written(page, "seven");
  await selected.filter({ hasText: "seven nodes" }).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/changes\//);
});

test("at most five of a group are shown, and the way to all of them", async () => {
  const { page } = await browser.open("/console/zones");
  const { group } = await written(page, "node");
  await group("Records").filter({ hasText: "Show all 7" }).click();
  await page.waitForURL(/\/search\?q=node$/);
  await page.getByText("7 records found").first().waitFor();
});

test("Enter before the answer opens what is found first; what is loaded keeps the selection as others come", async () => {
  const { page } = await browser.open("/console/settings/about");
  await page.getByText("Name servers of new zones").waitFor();
  await written(page, "other.ex");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/zones\/other\.example/);
  await page.goto(`${service.url}/console/zones`);
  await page.getByRole("link", { name: zone, exact: true }).waitFor();
  const { group, selected } = await written(page, "exam");
  expect(await selected.innerText()).toBe(zone);
  await page.keyboard.press("ArrowDown");
  expect(await selected.innerText()).toBe("other.example");
  await group("People and keys").first().waitFor();
  expect(await selected.innerText()).toBe("other.example");
  const tab = page.context().waitForEvent("page");
  await page.keyboard.press("Control+Enter");
  await (await tab).getByRole("heading", { name: "other.example" }).waitFor();
  await (await tab).close();
});

test("without a text it has the pages visited last, and then those to go to", async () => {
  const { page } = await browser.open(`/console/zones/${zone}`);
  await page.getByRole("grid").waitFor();
  await page.getByRole("link", { name: "Servers", exact: true }).first().click();
  await page.getByRole("heading", { name: "Servers" }).waitFor();
  const { group, palette } = await written(page, "");
  expect(await group("Last visited").allInnerTexts()).toEqual([zone]);
  expect(await group("Go to").allInnerTexts()).toEqual([
    "Zones",
    "Activity",
    "Check",
    "Servers",
    "Settings",
    "Show all 12",
  ]);
  await group("Go to").last().click();
  await group("Go to").filter({ hasText: "Deleted zones" }).click();
  await page.getByRole("heading", { name: "Deleted zones" }).waitFor();
  expect(await palette.count()).toBe(0);
});

test("what nothing matches is offered as the name of a new zone", async () => {
  const { page } = await browser.open("/console/zones");
  const { palette, selected } = await written(page, "nothing.test");
  await palette.getByText("Nothing matches “nothing.test”").waitFor();
  expect(await selected.innerText()).toBe("New zone nothing.test");
  await page.keyboard.press("Enter");
  const name = page.getByRole("dialog", { name: "New zone" }).getByRole("textbox", { name: "Zone", exact: true });
  expect(await name.inputValue()).toBe("nothing.test");
});

test("> does things: a record with an address, an address in all zones, the last change taken back, the colours", async () => {
  const { page } = await browser.open(`/console/zones/${zone}`);
  await page.getByRole("grid").waitFor();
  const { group, selected } = await written(page, "> theme dark");
  expect(await group("Do").allInnerTexts()).toEqual(["Theme: Dark"]);
  await page.keyboard.press("Enter");
  expect(await page.evaluate("getComputedStyle(document.documentElement).colorScheme")).toBe("dark");
  await written(page, "192.0.2.99");
  await selected.filter({ hasText: `Add 192.0.2.99 to ${zone}` }).click();
  await page.getByText(/IN A 192\.0\.2\.99/).waitFor();
  await written(page, "> undo last");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: /^Undo: / }).waitFor();
  await written(page, "192.0.2.77");
  await group("Do").filter({ hasText: "Change 192.0.2.77 in 2 zones" }).click();
  const dialog = page.getByRole("dialog", { name: "Change 192.0.2.77" });
  await dialog.getByLabel("To").fill("192.0.2.78");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/changes\//);
  await page.getByText("192.0.2.78").first().waitFor();
});
