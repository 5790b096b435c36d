/**
 * What is looked at by eye in the screenshots, as far as it can be measured: nothing is cut, broken within a word that has room, or shown only by a
 * colour that a theme of the system removes.
 */
import { beforeAll, expect } from "@jest/globals";
import type { Locator } from "playwright-core";
import { eventually } from "../setup/basics/eventually.ts";
import { clickButtons, testConsole } from "../setup/browser/console-browser.ts";
import { adminKey } from "../setup/service/service.ts";

const { test, service, browser } = testConsole();
const zone = "example.com";

beforeAll(async () => {
  await service.domain(zone, await service.user("owner@example.com"));
});

const narrow = { width: 320, height: 640 };
const boxOf = async (element: Locator) => (await element.boundingBox()) ?? { x: -1, y: -1, width: 0, height: 0 };
const longLines = (count: number) => Array.from({ length: count }, (_, at) => `long${at} A 192.0.2.1`).join("\n");

test.each([1280, 320])(
  "a row's menu has its items below each other, and its dialog wraps its text, %d px",
  async (width) => {
    const { page } = await browser.open(`/console/zones/${zone}`, adminKey, { width });
    await page.getByRole("button", { name: `More for ${zone}` }).click();
    const places = () =>
      Promise.all(["Labels…", "Delete…"].map(async (name) => (await boxOf(page.getByRole("button", { name }))).x));
    await eventually(async () => expect(new Set(await places()).size).toBe(1));
    await page.getByRole("button", { name: "Delete…" }).click();
    await page.getByRole("dialog").getByText("go with it").waitFor();
    expect(
      await page.evaluate("[...document.querySelectorAll('dialog')].map((it) => it.scrollWidth - it.clientWidth)"),
    ).toEqual([0]);
  },
);

test("a double click on a row opens its form with the focus in its first field, 320 px", async () => {
  const user = await browser.sheet(zone, adminKey, narrow);
  await user.cell("NS", "owner").dblclick();
  await user.page.getByRole("dialog").locator("input[data-first]:focus").waitFor();
});

test("a sheet that is scrolled to fills the window, and its long review has its note and what copies it above its bar, 320 px", async () => {
  const user = await browser.sheet(zone, adminKey, narrow);
  const { page } = user;
  await user.paste(longLines(12));
  await page.getByRole("status").filter({ hasText: "12 edits" }).first().waitFor();
  await page.evaluate("scrollTo(0, document.body.scrollHeight)");
  // Six rows and more.
  expect((await boxOf(page.getByRole("grid"))).height).toBeGreaterThan(6 * 50);
  await page.getByRole("button", { name: /^Review( Ctrl|$)/ }).click();
  await user.button(/^Apply/).waitFor();
  for (const label of ["What is this change?", "Copy as"]) {
    await page.getByLabel(label).scrollIntoViewIfNeeded();
    const { y, height } = await boxOf(page.getByLabel(label));
    expect(y + height).toBeLessThan((await boxOf(user.button(/^Apply/))).y);
  }
});

test("the header has room for all pages and the account while edits are staged, however wide the window is", async () => {
  const user = await browser.sheet(zone);
  const { page } = user;
  await user.paste(longLines(120));
  await page.getByRole("link", { name: "120 edits" }).waitFor();
  for (const width of [1440, 1280, 1180, 1024, 900, 320]) {
    await page.setViewportSize({ width, height: 800 });
    const account = await boxOf(page.getByRole("button", { name: /^Account: / }));
    expect(account.x + account.width).toBeLessThanOrEqual(width - 12);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    const lines = (await page.evaluate(`[...document.querySelectorAll("nav[aria-label=Places] a")].map((link) => {
      const text = document.createRange();
      text.selectNodeContents(link);
      return text.getClientRects().length;
    })`)) as number[];
    expect(lines).toHaveLength(5);
    expect(Math.max(...lines)).toBeLessThanOrEqual(1);
  }
});

test("what an action says is in sight without scrolling, 320 px", async () => {
  const user = await browser.sheet(zone, adminKey, narrow);
  const { page } = user;
  const isInSight = (text: string | RegExp) =>
    eventually(async () => {
      const { y = -1, height = 0 } = (await page.getByText(text).boundingBox()) ?? {};
      expect([y >= 0, height > 0, y + height <= 640]).toEqual([true, true, true]);
    });
  await user.paste("alias 300 IN CNAME host.sub\n");
  await isInSight("host.sub is relative");
  await page.goto(`${service.url}/console/zones/example.com/import`);
  await page.getByLabel("Text of the master file").fill("imported 300 A 192.0.2.1");
  await clickButtons(page, "Look at the difference", "Import +1 −0");
  await isInSight(/^Imported as/);
  await page.getByRole("status").and(page.locator(":focus")).waitFor();
});

test("facts have room for what they say, 320 px", async () => {
  const { page } = await browser.open("/console/settings/about", adminKey, narrow);
  await page.getByText("Name servers of new zones").waitFor();
  for (const fact of await page.locator("dd").all()) expect((await boxOf(fact)).width).toBeGreaterThan(150);
});

test("an owner of a usual length is one line of the review, and the data has the rest", async () => {
  const user = await browser.sheet(zone);
  await user.add("_25._tcp.mail-host2", "TXT", "x".repeat(250));
  await user.review();
  const lines = await user.page.evaluate(`(() => {
    const cell = [...document.querySelectorAll("main td")].find(({ textContent }) => textContent === "_25._tcp.mail-host2");
    const text = document.createRange();
    text.selectNodeContents(cell);
    return text.getClientRects().length;
  })()`);
  expect(lines).toBe(1);
});

test("the button of a row that is opened is beside its name, and over nothing, 320 px", async () => {
  const { page } = await browser.open("/console/settings/keys", adminKey, narrow);
  await page.getByRole("button", { name: /^More about administrator/ }).click();
  const row = page.getByRole("row").filter({ has: page.getByRole("button", { name: /^Revoke/ }) });
  const [name, button] = await Promise.all([
    boxOf(row.getByRole("cell").first()),
    boxOf(row.getByRole("button").first()),
  ]);
  expect(name.x + name.width).toBeLessThanOrEqual(button.x);
});

test("with forced colours the page that is shown is marked among the others", async () => {
  const { page } = await browser.open("/console/zones", adminKey, { forcedColors: "active" });
  const places = page.getByRole("navigation", { name: "Places" }).getByRole("link");
  await places.first().waitFor();
  const lines =
    "[...document.querySelectorAll('nav a')].map((link) => getComputedStyle(link, '::after').borderTopStyle)";
  expect(await page.evaluate(lines)).toEqual(["solid", "none", "none", "none", "none"]);
});

test("the rows of a sheet reach its edge, with a scroll bar and without", async () => {
  const { page } = await browser.sheet(zone);
  const rest = () =>
    page.evaluate(`(() => {
      const row = document.querySelector("[role=gridcell]").closest("[role=row]");
      return row.closest("[role=presentation]").getBoundingClientRect().right - row.getBoundingClientRect().right;
    })()`);
  expect(await rest()).toBe(0);
  await page.setViewportSize({ width: 1280, height: 440 });
  // Here the browser draws scroll bars over what they scroll.
  expect(await rest()).toBe(0);
  const heading = await boxOf(page.getByRole("columnheader", { name: "Data" }));
  const cell = await boxOf(page.locator("[role=gridcell][data-column=rdata]").first());
  expect([heading.x, heading.width]).toEqual([cell.x, cell.width]);
});
