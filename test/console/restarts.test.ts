/**
 * A service that is stopped and started again while the console follows events: what is shown is up to date again without a reload. While
 * a sheet is edited: sheet-lost.test.ts.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from "@jest/globals";
import { ConsoleBrowser, type WatchedPage } from "../setup/console-browser.ts";
import { freePort } from "../setup/process.ts";
import { has, testWith } from "../setup/programs.ts";
import { testService } from "../setup/service.ts";

const test = testWith("chromium");
// A service that is started again listens where it did before.
const service = testService({ HTTP_PORT: String(await freePort()) });
const browser = new ConsoleBrowser(service);
let owner = "";
let zone = "";
let count = 0;
let watched: WatchedPage;

beforeAll(async () => {
  owner = await service.user("owner@example.com");
  if (has("chromium") || process.env.CI) await browser.start();
}, 60_000);
afterAll(() => browser.stop());
beforeEach(async () => {
  zone = `restart${count++}.example`;
  await service.domain(zone, owner);
});
afterEach(async () => {
  // The browser reports requests that have no answer.
  watched.forgive(/Failed to load resource|ERR_/);
  expect(await browser.close()).toEqual([]);
});

describe("while events are followed", () => {
  test("the list of zones says that it follows none, and then shows what it missed", async () => {
    watched = await browser.open(`/console/zones?q=${zone}`);
    const { page } = watched;
    const row = page.getByRole("row").filter({ hasText: zone });
    await row.getByText(String(await service.serial(zone))).waitFor();
    await service.pause();
    await page.getByText("not following changes").waitFor();
    await service.run();
    await service.record(zone, "missed", "A", "192.0.2.1");
    await row.getByText(String(await service.serial(zone))).waitFor();
    await page.getByText("not following changes").waitFor({ state: "detached" });
    await service.record(zone, "followed", "A", "192.0.2.1");
    await row.getByText(String(await service.serial(zone))).waitFor();
  });

  test("the sheet says so in place of a state, and then shows the records that it missed", async () => {
    watched = await browser.open(`/console/zones/${zone}`);
    const { page } = watched;
    await page.getByText("unserved").waitFor();
    await service.pause();
    await page.getByText("not following").waitFor();
    expect(await page.getByText("unserved").count()).toBe(0);
    await service.run();
    await service.record(zone, "missed", "A", "192.0.2.1");
    await page.getByRole("gridcell", { name: "missed" }).first().waitFor();
    await page.getByText("unserved").waitFor();
  });
});
