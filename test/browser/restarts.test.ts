/**
 * A service that is stopped and started again while the console imports a file, and while it follows events: what became of the import is
 * found out, and what is shown is up to date again without a reload. While a sheet is edited: sheet-lost.test.ts.
 */
import { describe, expect } from "@jest/globals";
import type { Page, Route } from "playwright-core";
import { eventually } from "../setup/basics/eventually.ts";
import { freePort } from "../setup/basics/free-port.ts";
import { testWith } from "../setup/basics/programs.ts";
import { testBrowser } from "../setup/browser/console-browser.ts";
import { testService } from "../setup/service/service.ts";
import { zonePerTest } from "../setup/service/zone-per-test.ts";

const test = testWith("chromium");
// A service that is started again listens where it did before.
const service = testService({ HTTP_PORT: String(await freePort()) });
// The browser reports requests that have no answer.
const browser = testBrowser(service, /Failed to load resource|ERR_/);
let zone = "";

zonePerTest(service, "restart", (name) => {
  zone = name;
});

describe("while a file is imported", () => {
  /** Looks at the difference of a file and imports it, once; `handle` is what happens to that import on its way. */
  async function importFile(handle: (route: Route) => Promise<void>): Promise<Page> {
    const { page } = await browser.open(`/console/zones/${zone}/import`);
    let isFirst = true;
    await page.route("**/api/domain/zonefile/**", (route) => {
      if (route.request().url().includes("dry_run") || !isFirst) return route.fallback();
      isFirst = false;
      return handle(route);
    });
    await page.getByLabel("Text of the master file").fill("$TTL 300\nimported A 192.0.2.1\n");
    await page.getByRole("button", { name: "Look at the difference" }).click();
    await page.getByRole("button", { name: "Import +1 −0" }).click();
    await page.getByText("The answer was lost.").waitFor();
    await service.run();
    return page;
  }

  const imported = async () => (await service.rest("GET", `/record/list?zone=${zone}&owner=imported`)).body.length;

  test("before it arrived: the person imports it again", async () => {
    const page = await importFile(async (route) => {
      await service.pause();
      await route.abort("connectionrefused");
    });
    await page.getByText("It was not imported; import it again.").waitFor();
    expect(await imported()).toBe(0);
    await page.getByRole("button", { name: "Import +1 −0" }).click();
    await page.getByText(/^Imported as \d+: \+1 −0\.$/).waitFor();
    expect(await imported()).toBe(1);
  });

  test("after it was committed: it is found in the journal", async () => {
    const page = await importFile(async (route) => {
      await route.fetch();
      await service.pause();
      await route.abort("connectionreset");
    });
    await page.getByText(/^Imported as \d+: \+1 −0\.$/).waitFor();
    expect(await imported()).toBe(1);
  });
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
    await page.getByText("unserved").waitFor({ state: "detached" });
    await service.run();
    await service.record(zone, "missed", "A", "192.0.2.1");
    await page.getByRole("gridcell", { name: "missed" }).first().waitFor();
    await page.getByText("unserved").waitFor();
  });

  test("they are followed at once when the service is reached again, however long the next attempt is away", async () => {
    const watched = await browser.open(`/console/zones/${zone}`);
    const { page } = watched;
    await page.getByText("unserved").waitFor();
    await page.clock.install({ time: "2030-01-01" });
    let attempts = 0;
    page.on("request", (request) => {
      if (request.headers().accept?.includes("event-stream")) attempts += 1;
    });
    await service.pause();
    await page.getByText("not following").waitFor();
    await eventually(async () => {
      await page.clock.fastForward(30_000);
      return attempts > 5;
    });
    await page.clock.pauseAt("2030-01-02");
    await service.run();
    await watched.tryNow();
    await eventually(async () => {
      await page.clock.runFor(1);
      expect(await page.getByText("not following").count()).toBe(0);
    });
  });
});
