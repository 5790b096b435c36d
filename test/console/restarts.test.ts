/**
 * A service that is stopped and started again while the console follows events: what is shown is up to date again without a reload. While
 * a sheet is edited: sheet-lost.test.ts.
 */
import { beforeAll, beforeEach, describe, expect } from "@jest/globals";
import { testBrowser } from "../setup/console-browser.ts";
import { freePort } from "../setup/process.ts";
import { testWith } from "../setup/programs.ts";
import { testService } from "../setup/service.ts";

const test = testWith("chromium");
// A service that is started again listens where it did before.
const service = testService({ HTTP_PORT: String(await freePort()) });
// The browser reports requests that have no answer.
const browser = testBrowser(service, /Failed to load resource|ERR_/);
let owner = "";
let zone = "";
let count = 0;

beforeAll(async () => {
  owner = await service.user("owner@example.com");
}, 60_000);
beforeEach(async () => {
  zone = `restart${count++}.example`;
  await service.domain(zone, owner);
});

describe("while events are followed", () => {
  test("the list of zones says that it follows none, and then shows what it missed", async () => {
    const { page } = await browser.open(`/console/zones?q=${zone}`);
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
    const { page } = await browser.open(`/console/zones/${zone}`);
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
