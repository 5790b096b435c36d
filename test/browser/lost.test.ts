/**
 * A service that is stopped and started again, and answers that are lost: nothing that was written is lost, nothing is applied twice, and what
 * is shown is up to date again without a reload.
 */
import { describe, expect } from "@jest/globals";
import type { Page, Route } from "playwright-core";
import { eventually } from "../setup/basics/eventually.ts";
import { freePort } from "../setup/basics/free-port.ts";
import { intercept } from "../setup/basics/intercept.ts";
import { clickButtons, testConsole } from "../setup/browser/console-browser.ts";
import { zonePerTest } from "../setup/service/zone-per-test.ts";

// A service that is started again listens where it did before. The browser reports requests that have no answer or come while it starts, and a
// refused serial.
const settings = { HTTP_PORT: String(await freePort()) };
const { test, service, browser } = testConsole(settings, /status of (4\d\d|503)|ERR_/);
let zone = "";

zonePerTest(service, "lost", (name) => {
  zone = name;
});

const stored = (owner: string) => service.stored(zone, owner);

describe("while a zone is edited", () => {
  test("the edits are kept and said to be, and are applied when the service is back", async () => {
    const user = await browser.sheet(zone);
    await user.add("edited", "A", "192.0.2.1");
    await user.page.getByRole("status").filter({ hasText: "1 edit" }).waitFor();
    await service.pause();
    await user.add("meanwhile", "A", "192.0.2.2");
    await user.press("Control+Enter");
    await user.page.getByText("No answer. Your edits are kept here").waitFor();
    await user.press("Escape");
    await user.page.getByText("What is shown is from before").waitFor();
    await user.page.getByText("Your 2 changes are kept here.").waitFor();
    await service.run();
    await user.page.getByText("What is shown is from before").waitFor({ state: "detached" });
    expect(await stored("edited")).toEqual([]);
    await user.commit();
    expect([await stored("edited"), await stored("meanwhile")]).toEqual([
      ["edited A 3600 192.0.2.1"],
      ["meanwhile A 3600 192.0.2.2"],
    ]);
  });

  test("an answer that is lost after the change was committed is found out", async () => {
    const user = await browser.sheet(zone);
    await user.add("committed", "A", "192.0.2.1");
    await user.review();
    await intercept(user.page, "**/graphql", async (route) => {
      const body = route.request().postDataJSON();
      if (!/changeRecords/.test(body?.query ?? "") || body.variables.input.dryRun !== false) return route.fallback();
      await route.fetch();
      await route.abort("connectionreset");
    });
    await user.apply();
    expect(await stored("committed")).toHaveLength(1);
    await user.back();
    await user.page.getByRole("status").filter({ hasText: "1 edit" }).waitFor({ state: "detached" });
  });

  describe("where the review is closed before it is known what became of the change", () => {
    /** Adds `first`, has the answer to it lost, and closes the review; returns what lets the service answer the journal again. */
    async function closeLost(isCommitted: boolean) {
      const user = await browser.sheet(zone);
      await user.add("first", "A", "192.0.2.1");
      await user.review();
      let answers = false;
      await intercept(user.page, "**/graphql", async (route) => {
        const { query = "", variables } = route.request().postDataJSON() ?? {};
        const isChange = /mutation SheetChange/.test(query) && variables.input.dryRun === false;
        if (answers || !(isChange || /query SheetChanges/.test(query))) return route.fallback();
        if (isChange && isCommitted) await route.fetch();
        await route.abort("connectionreset");
      });
      await user.press("Control+Enter");
      await user.page.getByText("The answer was lost. Whether").waitFor();
      await user.back();
      await user.page.getByText("The answer to the last change was lost").waitFor();
      const answer = () => {
        answers = true;
      };
      return { user, answer };
    }

    test("its own change is no conflict and no news, and what was written meanwhile stays staged", async () => {
      const { user, answer } = await closeLost(true);
      await user.add("second", "A", "192.0.2.2");
      await user.page.getByRole("status").filter({ hasText: "2 edits 2 added" }).waitFor();
      await user.press("Control+Enter");
      await user.page.getByText("The answer was lost. Whether").waitFor();
      await user.press("Escape");
      answer();
      await user.page.getByText(/^Committed as \d+\.$/).waitFor();
      await user.page.getByRole("status").filter({ hasText: "1 edit 1 added" }).waitFor();
      expect(await user.page.getByText(/Somebody else|administrator changed|answer to the last change/).count()).toBe(
        0,
      );
      await user.commit();
      expect([await stored("first"), await stored("second")]).toEqual([
        ["first A 3600 192.0.2.1"],
        ["second A 3600 192.0.2.2"],
      ]);
    });

    test("one that was not committed is said to be not, and is reviewed again", async () => {
      const { user, answer } = await closeLost(false);
      answer();
      await user.page.getByText("The change was not committed; review it again.").waitFor();
      await user.page.getByRole("status").filter({ hasText: "1 edit 1 added" }).waitFor();
      await user.commit();
      expect(await stored("first")).toHaveLength(1);
    });

    test("one that others were before is not committed, and their change is taken in", async () => {
      const { user, answer } = await closeLost(false);
      await service.record(zone, "theirs", "A", "192.0.2.3");
      answer();
      await user.page
        .getByText("The change was not committed, since the zone was changed before; review it again.")
        .waitFor();
      await user.row("theirs").waitFor();
      await user.commit();
      expect([await stored("first"), await stored("theirs")].flat()).toHaveLength(2);
    });
  });

  test("a service that is stopped while it applies is asked when it is back; the person alone applies again", async () => {
    const user = await browser.sheet(zone);
    await user.add("stopped", "A", "192.0.2.1");
    await user.review();
    await service.pause();
    await user.press("Control+Enter");
    await user.page.getByText("The answer was lost. Whether").waitFor();
    await service.run();
    await user.page.getByText("The answer was lost. It was not committed; apply it again.").waitFor();
    expect(await stored("stopped")).toEqual([]);
    await user.apply();
    expect(await stored("stopped")).toHaveLength(1);
  });
});

/** Handles the first request of a page that imports for good; what follows goes its way. */
async function onImport(page: Page, handle: (route: Route) => Promise<void>): Promise<void> {
  let isFirst = true;
  await intercept(page, "**/api/domain/zonefile/**", (route) => {
    const isImport = route.request().method() === "POST" && !route.request().url().includes("dry_run");
    if (!isImport || !isFirst) return route.fallback();
    isFirst = false;
    return handle(route);
  });
}

describe("while a file is imported", () => {
  /** Looks at the difference of a file of two records and imports it; `handle` is what happens to that import on its way. */
  async function importFile(handle: (route: Route) => Promise<void>): Promise<Page> {
    const { page } = await browser.open(`/console/zones/${zone}/import`);
    await onImport(page, handle);
    await page.getByLabel("Text of the master file").fill("a 300 A 192.0.2.1\nb 300 A 192.0.2.2\n");
    await clickButtons(page, "Look at the difference", "Import +2 −0");
    return page;
  }

  test("before it arrived: it is said not to be imported, and the person alone imports it again", async () => {
    const page = await importFile(async (route) => {
      await service.pause();
      await route.abort("connectionrefused");
    });
    await page.getByText("The answer was lost.").waitFor();
    await service.run();
    await page.getByText("It was not imported; import it again.").waitFor();
    expect(await stored("a")).toEqual([]);
    await page.getByRole("button", { name: "Import +2 −0" }).click();
    await page.getByText(/^Imported as \d+: \+2 −0\.$/).waitFor();
    expect(await stored("a")).toHaveLength(1);
  });

  test("after it was committed: it is found in the journal", async () => {
    const page = await importFile(async (route) => {
      await route.fetch();
      await service.pause();
      await route.abort("connectionreset");
    });
    await page.getByText("The answer was lost.").waitFor();
    await service.run();
    await page.getByText(/^Imported as \d+: \+2 −0\.$/).waitFor();
    expect(await stored("a")).toHaveLength(1);
  });

  test("a change by somebody else, however late, shows the difference again", async () => {
    const page = await importFile(async (route) => {
      await service.record(zone, "b", "A", "192.0.2.2", 300);
      await route.fallback();
    });
    await page.getByText("The zone was changed meanwhile; this is the difference now.").waitFor();
    expect(await stored("a")).toEqual([]);
    await page.getByRole("button", { name: "Import +1 −0" }).click();
    await page.getByText(/^Imported as \d+: \+1 −0\.$/).waitFor();
    expect(await stored("a")).toHaveLength(1);
  });

  test("somebody else's change in place of a lost import is not taken for it", async () => {
    const page = await importFile(async (route) => {
      const body = "a 300 A 192.0.2.77\n";
      await service.rest("POST", `/domain/zonefile/${zone}`, { body, headers: { "Content-Type": "text/dns" } });
      await route.abort("connectionreset");
    });
    await page.getByText("Nothing was imported.").waitFor();
    expect([await stored("a"), await stored("b")]).toEqual([["a A 300 192.0.2.77"], []]);
  });

  test("a zone that is saved as text without an answer is found in the journal too, and its draft is done with", async () => {
    const { page } = await browser.open(`/console/zones/${zone}/text`);
    await page.getByText("As it is committed.").waitFor();
    const area = page.getByLabel(`Master file of ${zone}`);
    await area.fill(`${await area.inputValue()}saved 300 A 192.0.2.1\n`);
    await page.getByRole("button", { name: "Review and save" }).click();
    await onImport(page, async (route) => {
      await route.fetch();
      await route.abort("connectionreset");
    });
    await page.getByRole("button", { name: /^Apply/ }).click();
    await page.getByText(/^Committed as/).waitFor();
    await eventually(async () =>
      expect(await page.evaluate("JSON.stringify({ ...localStorage })")).not.toContain("saved"),
    );
    expect(await stored("saved")).toHaveLength(1);
  });
});

describe("while a page is looked at", () => {
  test("a bar says since when there is no answer, and the list then shows what it missed, without a reload", async () => {
    const watched = await browser.open(`/console/zones?q=${zone}`);
    const { page } = watched;
    await watched.followed;
    const row = page.getByRole("row").filter({ hasText: zone });
    const serial = () => service.serial(zone).then(String);
    await row.getByText(await serial()).waitFor();
    await page.evaluate("window.wasLoadedOnce = true");
    await service.pause();
    await page.getByText("not following changes").waitFor();
    await page.getByLabel("Filter by name").fill(zone.slice(0, -1));
    await page
      .getByText(/No answer since \d{1,2}:\d\d:\d\d/)
      .first()
      .waitFor();
    expect(await row.count()).toBe(1);
    const filter = () => page.evaluate("getComputedStyle(document.querySelector('#page')).filter");
    await eventually(async () => expect(await filter()).toBe("grayscale(1)"));
    await service.run();
    await service.record(zone, "missed", "A", "192.0.2.1");
    await watched.tryNow();
    await eventually(async () => expect(await filter()).toBe("none"));
    await row.getByText(await serial()).waitFor();
    await page.getByText("not following changes").waitFor({ state: "detached" });
    await service.record(zone, "followed", "A", "192.0.2.1");
    await row.getByText(await serial()).waitFor();
    expect(await page.evaluate("window.wasLoadedOnce")).toBe(true);
  });

  test("the sheet says so in place of a state, and then shows the records that it missed", async () => {
    const { page, followed } = await browser.open(`/console/zones/${zone}`);
    await followed;
    await page.getByText("no server").waitFor();
    await service.pause();
    await page.getByText("not following").waitFor();
    await page.getByText("no server").waitFor({ state: "detached" });
    await service.run();
    await service.record(zone, "missed", "A", "192.0.2.1");
    await page.getByRole("gridcell", { name: "missed" }).first().waitFor();
    await page.getByText("no server").waitFor();
  });

  test("events are followed at once when the service is reached again, however long the next attempt is away", async () => {
    const watched = await browser.open(`/console/zones/${zone}`);
    const { page } = watched;
    await watched.followed;
    await page.getByText("no server").waitFor();
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

  test("a service that is away is asked again after ten seconds at the latest", async () => {
    const { page } = await browser.open("/console/settings/about");
    await page.getByText("Version", { exact: true }).waitFor();
    await page.clock.install();
    await intercept(page, "**/readyz", (route) => route.abort("connectionrefused"));
    await intercept(page, "**/graphql", (route) => route.abort("connectionrefused"));
    await page.getByRole("link", { name: "Zones", exact: true }).first().click();
    await page
      .getByText(/No answer since/)
      .first()
      .waitFor();
    for (const ms of [1000, 2000, 4000, 8000, 10_000, 10_000]) {
      const asked = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/readyz"));
      await page.clock.runFor(ms);
      await asked;
      // What comes after another answer knows of the one before.
      await page.evaluate("fetch('/console/about').then((response) => response.text()).then(() => undefined)");
    }
  });
});
