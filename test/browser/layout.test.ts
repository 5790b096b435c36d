/**
 * What is looked at by eye in the screenshots, as far as it can be measured: nothing is cut, broken within a word that has room, or shown only by a
 * colour that a theme of the system removes.
 */
import { afterAll, afterEach, beforeAll, expect } from "@jest/globals";
import type { Locator } from "playwright-core";
import { eventually } from "../setup/basics/eventually.ts";
import { has, testWith } from "../setup/basics/programs.ts";
import { ConsoleBrowser } from "../setup/browser/console-browser.ts";
import { SheetUser } from "../setup/browser/sheet-user.ts";
import { adminKey, testService } from "../setup/service/service.ts";

const test = testWith("chromium");
const service = testService();
const browser = new ConsoleBrowser(service);

beforeAll(async () => {
  await service.domain("example.com", await service.user("owner@example.com"));
  if (has("chromium")) await browser.start();
});
afterAll(() => browser.stop());
afterEach(async () => expect(await browser.close()).toEqual([]));

const widths = [1280, 320];

/** The size of an element, pixels. */
async function sizeOf(element: Locator): Promise<{ width: number; height: number }> {
  return (await element.boundingBox()) ?? { width: 0, height: 0 };
}

test.each(widths)("a dialog of a row of a table wraps its text, %d px", async (width) => {
  const { page } = await browser.open("/console/zones", adminKey, { width });
  for (const name of ["More for example.com", "Delete…"]) await page.getByRole("button", { name }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("go with it").waitFor();
  expect(
    await page.evaluate("[...document.querySelectorAll('dialog')].map((it) => it.scrollWidth - it.clientWidth)"),
  ).toEqual([0]);
});

test.each(widths)("the menu of a row shows all of its items below each other, %d px", async (width) => {
  const { page } = await browser.open("/console/zones", adminKey, { width });
  await page.getByRole("button", { name: "More for example.com" }).click();
  const places = () =>
    Promise.all(["Open", "Export"].map(async (name) => (await page.getByRole("link", { name }).boundingBox())?.x));
  await eventually(async () => expect(new Set(await places()).size).toBe(1));
});

test("a double click on a row opens its form with the focus in its first field, 320 px", async () => {
  const { page } = await browser.open("/console/zones/example.com", adminKey, { width: 320 });
  const user = await new SheetUser(page).ready();
  await user.cell("NS", "owner").dblclick();
  await page.getByRole("dialog").locator("input[data-first]:focus").waitFor();
});

test("a long review leaves its note and what copies it in sight, 320 px", async () => {
  const { page } = await browser.open("/console/zones/example.com", adminKey, { width: 320, height: 640 });
  const user = await new SheetUser(page).ready();
  await user.paste(Array.from({ length: 12 }, (_, at) => `long${at} A 192.0.2.1`).join("\n"));
  await page.getByText("12 staged").first().waitFor();
  await user.review();
  const bar = (await page.getByRole("button", { name: /^Apply/ }).boundingBox())?.y ?? 0;
  for (const label of ["Note", "Copy as"]) {
    const { y = 0, height = 0 } = (await page.getByLabel(label).boundingBox()) ?? {};
    expect(y + height).toBeLessThan(bar);
  }
});

test("a sheet that is scrolled to fills the window, 320 px", async () => {
  const { page } = await browser.open("/console/zones/example.com", adminKey, { width: 320, height: 640 });
  const user = await new SheetUser(page).ready();
  await user.paste(Array.from({ length: 12 }, (_, at) => `long${at} A 192.0.2.1`).join("\n"));
  await page.getByText("12 staged").first().waitFor();
  await page.evaluate("scrollTo(0, document.body.scrollHeight)");
  const { height } = await sizeOf(page.getByRole("grid"));
  // Seven rows, below the headings.
  expect(height).toBeGreaterThan(30 + 7 * 50 - 1);
  await page.getByRole("button", { name: "Review and apply" }).click();
});

test.each([320, 900, 1024, 1180, 1280, 1440])(
  "the header has room for all pages and the account while edits are staged, %d px",
  async (width) => {
    const { page } = await browser.open("/console/zones/example.com", adminKey, { width });
    const user = await new SheetUser(page).ready();
    await user.paste(Array.from({ length: 120 }, (_, at) => `long${at} A 192.0.2.1`).join("\n"));
    await page.getByRole("button", { name: "120 staged" }).waitFor();
    const { x = 0, width: size = 0 } = (await page.getByRole("button", { name: /^Account: / }).boundingBox()) ?? {};
    expect(x + size).toBeLessThanOrEqual(width - 12);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    const lines = (await page.evaluate(`[...document.querySelectorAll("nav[aria-label=Pages] a")].map((link) => {
      const text = document.createRange();
      text.selectNodeContents(link);
      return text.getClientRects().length;
    })`)) as number[];
    expect(lines).toHaveLength(11);
    expect(Math.max(...lines)).toBeLessThanOrEqual(1);
  },
);

test("what an action says is in sight without scrolling, 320 px", async () => {
  const { page } = await browser.open("/console/zones/example.com", adminKey, { width: 320, height: 640 });
  const isInSight = (text: string | RegExp) =>
    eventually(async () => {
      const { y = -1, height = 0 } = (await page.getByText(text).boundingBox()) ?? {};
      expect([y >= 0, height > 0, y + height <= 640]).toEqual([true, true, true]);
    });
  const user = await new SheetUser(page).ready();
  await user.paste("alias 300 IN CNAME host.sub\n");
  await isInSight("host.sub is relative");
  await page.goto(`${service.url}/console/zones/example.com/import`);
  await page.getByLabel("Text of the master file").fill("imported 300 A 192.0.2.1");
  await page.getByRole("button", { name: "Look at the difference" }).click();
  await page.getByRole("button", { name: "Import +1 −0" }).click();
  await isInSight(/^Imported as/);
  await page.getByRole("status").and(page.locator(":focus")).waitFor();
});

test("facts have room for what they say, 320 px", async () => {
  const { page } = await browser.open("/console/about", adminKey, { width: 320 });
  await page.getByText("Name servers of new zones").waitFor();
  for (const fact of await page.locator("dd").all()) expect((await sizeOf(fact)).width).toBeGreaterThan(150);
});

test("an owner of a usual length is one line of the review, and the data has the rest", async () => {
  const { page } = await browser.open("/console/zones/example.com");
  const user = await new SheetUser(page).ready();
  await user.add("_25._tcp.mail-host2", "TXT", "x".repeat(250));
  await user.review();
  const lines = await page.evaluate(`(() => {
    const cell = [...document.querySelectorAll("dialog td")].find(({ textContent }) => textContent === "_25._tcp.mail-host2");
    const text = document.createRange();
    text.selectNodeContents(cell);
    return text.getClientRects().length;
  })()`);
  expect(lines).toBe(1);
});

test("the button of a row is beside its name, and over nothing, 320 px", async () => {
  const { page } = await browser.open("/console/keys", adminKey, { width: 320 });
  const row = page.getByRole("row").filter({ has: page.getByRole("button", { name: /^Revoke/ }) });
  const [name, button] = await Promise.all([
    row.getByRole("cell").first().boundingBox(),
    row.getByRole("button").first().boundingBox(),
  ]);
  expect((name?.x ?? 0) + (name?.width ?? 0)).toBeLessThanOrEqual(button?.x ?? 0);
});

test("with forced colours the page that is shown is marked among the others", async () => {
  const { page } = await browser.open("/console/zones", adminKey, { forcedColors: "active" });
  const places = page.getByRole("navigation", { name: "Pages" }).getByRole("link");
  await places.first().waitFor();
  const colours = (await page.evaluate(
    "[...document.querySelectorAll('nav a')].map((link) => getComputedStyle(link).borderBottomColor)",
  )) as string[];
  expect(colours.filter((colour) => colour === colours[0])).toHaveLength(1);
});
