/** History: who changed what through which interface, what two serials differ by, and the way to take a change back. */
import { beforeAll, describe, expect } from "@jest/globals";
import type { Locator, Page } from "playwright-core";
import { eventually } from "../setup/basics/eventually.ts";
import { intercept } from "../setup/basics/intercept.ts";
import { clickButtons, testConsole } from "../setup/browser/console-browser.ts";

// The browser reports what the tests refuse.
const { test, service, browser } = testConsole({}, /status of 422/);
const zone = "example.com";
let [owner, www] = ["", ""];
const hostile = "<img src=x onerror=document.title='hit'>";

beforeAll(async () => {
  owner = await service.user("owner@example.com");
  await service.domain(zone, owner);
  www = await service.record(zone, "www2", "A", "192.0.2.1", 300);
  const add = [{ owner: "new", type: "TXT", rdata: hostile }];
  const edits = { zone, note: `moved ${hostile}`, add, update: [{ recordId: www, rdata: "192.0.2.2" }] };
  await service.mutate("changeRecords", edits, "change { id }");
  await service.rest("POST", "/record/add", {
    form: { zone, owner: "rest", rtype: "A", rdata: "192.0.2.3", ttl: 300 },
  });
});

/** What happened, as rows of Activity, or of the history of a zone. */
const rowsOf = (page: Page) => page.locator("section > ul[data-rows] > li");

test("a change says what it did, with its note, and side by side, which stays; what looks like markup is text", async () => {
  const { page } = await browser.open(`/console/zones/${zone}/history`);
  await rowsOf(page).filter({ hasText: "moved" }).getByRole("link").first().click();
  await page.getByText(`moved ${hostile}`).waitFor();
  await page.getByText("+1 ~1", { exact: true }).waitFor();
  const table = page.getByRole("region", { name: "Difference" });
  const row = table.getByRole("row").filter({ hasText: "www2" });
  await row.getByText("192.0.2.2").waitFor();
  const cells = (of: Locator) => of.getByRole("cell").allInnerTexts();
  expect(await cells(row.first())).toEqual(["−\nremoved", "www2", "300", "A", "192.0.2.1"]);
  expect(await row.locator("mark").allInnerTexts()).toEqual(["1", "2"]);
  expect(await table.getByText("SOA").count()).toBe(0);
  expect(await page.title()).not.toBe("hit");
  await page.getByRole("button", { name: "Side by side" }).click();
  await eventually(async () =>
    expect((await cells(row)).map((text) => text.trim())).toEqual(["www2 300 A 192.0.2.1", "www2 300 A 192.0.2.2"]),
  );
  expect(await row.locator("mark").allInnerTexts()).toEqual(["1", "2"]);
  await page.reload();
  await page.getByRole("columnheader", { name: "Old" }).waitFor();
});

test("a change is undone by one of its own, after its difference was looked at", async () => {
  const { page } = await browser.open(`/console/zones/${zone}/history`);
  await rowsOf(page).filter({ hasText: "moved" }).getByRole("link").first().click();
  await page.getByRole("button", { name: "Undo…" }).click();
  await page.getByRole("heading", { name: `Undo: moved ${hostile}` }).waitFor();
  await page.getByRole("row").filter({ hasText: "www2" }).filter({ hasText: "192.0.2.1" }).first().waitFor();
  await page.getByRole("button", { name: "Apply 2 edits" }).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Control+Enter");
  await page.waitForURL(/\/changes\/\d+$/);
  await page.getByText("Applied", { exact: true }).waitFor();
  expect([await service.stored(zone, "www2"), await service.stored(zone, "new")]).toEqual([
    ["www2 A 300 192.0.2.1"],
    [],
  ]);
  await page
    .getByText(/^undoes/)
    .getByRole("link")
    .click();
  await page.getByRole("heading", { name: `moved ${hostile}`, exact: true }).waitFor();
  await page.getByText("Undone by").waitFor();
  expect(await page.getByRole("button", { name: "Undo…" }).count()).toBe(0);
});

test("a change of which nothing is left says so", async () => {
  const gone = await service.record(zone, "gone", "A", "192.0.2.7");
  const { page } = await browser.open(`/console/zones/${zone}/history`);
  await rowsOf(page).getByRole("link").first().click();
  await page.getByRole("cell", { name: "gone" }).waitFor();
  await service.rest("DELETE", `/record/delete/${gone}`);
  await page.getByRole("button", { name: "Undo…" }).click();
  await page.getByText("Nothing is left to be undone").first().waitFor();
});

test("an address that names a change of another zone, or the creation of one, stages nothing", async () => {
  await service.domain("other.example", owner);
  const { changes } = await service.data(
    "query ($zone: String!) { changes(filter: { zone: $zone }, first: 100) { nodes { id } } }",
    { zone },
  );
  const { nodes } = changes;
  for (const [path, id] of [
    ["other.example", nodes[0]?.id],
    [zone, nodes.at(-1)?.id],
  ]) {
    const { page } = await browser.open(`/console/zones/${path}?undo=${id}`);
    await page.getByText("This cannot be taken back here.").waitFor();
    expect(
      await page
        .getByRole("status")
        .filter({ hasText: /\d edits? \d/ })
        .count(),
    ).toBe(0);
  }
});

test("two moments are compared without what came and went between them, each line with its change", async () => {
  const from = await service.serial(zone);
  const id = await service.record(zone, "passing", "A", "192.0.2.8");
  await service.rest("DELETE", `/record/delete/${id}`);
  await service.record(zone, "staying", "A", "192.0.2.9");
  const to = await service.serial(zone);
  await service.record(zone, "later", "A", "192.0.2.10");
  const { page } = await browser.open(`/console/zones/${zone}/history`);
  await page.getByLabel(`Choose ${from}`).check();
  await page.getByLabel(`Choose ${to}`).check();
  await page.getByText(`${from} … ${to}`).waitFor();
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  const comparison = page.getByRole("region", { name: "Comparison" });
  await comparison
    .getByRole("heading", { name: /: \+1$/ })
    .and(page.locator(":focus"))
    .waitFor();
  const line = comparison.getByRole("row").filter({ hasText: "staying" });
  await line.getByRole("cell", { name: "staying" }).waitFor();
  expect(await comparison.getByText("passing").count()).toBe(0);
  await eventually(() => expect(new URL(page.url()).search).toBe(`?from=${from}&to=${to}`));
  const [diff] = await Promise.all([
    page.waitForEvent("download"),
    comparison.getByRole("link", { name: "Download" }).click(),
  ]);
  expect(diff.suggestedFilename()).toBe(`${zone}-${from}-${to}.diff`);
  await line.getByRole("link", { name: /administrator/ }).click();
  await page.getByRole("heading", { name: zone, exact: true }).waitFor();
  await page.getByRole("link", { name: String(to), exact: true }).waitFor();
});

test("a deleted zone keeps its history, also when it is restored", async () => {
  const name = "deleted.example.com";
  await service.domain(name, owner);
  const before = await service.serial(name);
  await service.rest("DELETE", "/domain/delete", { form: { zone: name } });
  const { page } = await browser.open("/console/activity");
  await rowsOf(page).filter({ hasText: "was deleted with" }).getByRole("link").first().click();
  await page.getByRole("heading", { name: "The zone was deleted." }).waitFor();
  expect(await page.getByRole("button", { name: "Undo…" }).count()).toBe(0);
  await page
    .getByRole("definition")
    .filter({ hasText: String(before) })
    .waitFor();
  await service.mutate("restoreDomain", { by: { zone: name } }, "domain { id }");
  await page.goto(`${service.url}/console/zones/${name}/history`);
  for (const serial of [before, await service.serial(name)])
    await page.getByLabel(`Choose ${serial}`).and(page.locator(":enabled")).check();
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  const comparison = page.getByRole("region", { name: "Comparison" });
  await comparison.getByText("Only the serial differs.").waitFor();
  await rowsOf(page).filter({ hasText: "Deleted with" }).getByRole("link").first().click();
  await page.getByRole("heading", { name: "The zone was deleted." }).waitFor();
  await page.getByText("restored since").waitFor();
  expect(await page.getByRole("button", { name: "Restore…" }).count()).toBe(0);
});

test("only serials of the zone itself are compared, not of an earlier one of its name", async () => {
  const name = "again.example.com";
  await service.domain(name, owner);
  await service.record(name, "www2", "A", "192.0.2.1");
  await service.rest("DELETE", "/domain/delete", { form: { zone: name } });
  await service.domain(name, owner);
  const created = await service.serial(name);
  await service.record(name, "www2", "A", "192.0.2.2");
  const { page } = await browser.open(`/console/zones/${name}/history`);
  const boxes = page.getByLabel(/^Choose/);
  await eventually(async () => expect(await boxes.count()).toBe(5));
  await eventually(async () => expect(await boxes.and(page.locator(":enabled")).count()).toBe(2));
  await page.getByLabel(`Choose ${created}`).and(page.locator(":enabled")).check();
  await page.getByRole("region", { name: "Chosen changes" }).getByText(String(created)).waitFor();
});

test("a deletion that has come to every server says that the zone is no longer served", async () => {
  const name = "unserved.example.com";
  await service.domain(name, owner);
  await service.rest("DELETE", "/domain/delete", { form: { zone: name } });
  const { page } = await browser.open("/console/activity");
  await intercept(page, "**/graphql", async (route) => {
    if (!/query (Change|ServersOfChange)\(/.test(route.request().postData() ?? "")) return route.fallback();
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace('"state":"UNSERVED"', '"state":"LIVE"') });
  });
  await rowsOf(page).filter({ hasText: name }).getByRole("link").first().click();
  await page.getByRole("heading", { name: "The zone was deleted." }).waitFor();
  await page.getByText("no longer served").waitFor();
  expect(await page.getByText("up to date", { exact: true }).count()).toBe(0);
  await page.unrouteAll({ behavior: "wait" });
});

describe("of one zone", () => {
  const zone = "filtered.example";

  beforeAll(async () => {
    await service.domain(zone, owner);
    for (const [name, type, rdata] of [
      ["host", "A", "192.0.2.1"],
      ["host", "TXT", "text"],
      ["other", "A", "192.0.2.2"],
    ] as const)
      await service.record(zone, name, type, rdata);
  });

  test("is filtered by name and type, which are in the address", async () => {
    const { page } = await browser.open(`/console/zones/${zone}/history`);
    const rows = rowsOf(page);
    const shows = (count: number) => eventually(async () => expect(await rows.count()).toBe(count));
    const search = () => new URL(page.url()).search;
    const chooseName = async (name: string) => {
      await page.keyboard.press("/");
      await page.keyboard.press("Enter");
      await page.getByLabel("Name, such as www").and(page.locator(":focus")).waitFor();
      await page.keyboard.type(`${name}\n`);
    };
    await shows(4);
    await chooseName("host");
    await shows(2);
    await clickButtons(page, "Type", /^A$/);
    await shows(1);
    await eventually(() => expect(search()).toBe("?name=host&type=A"));
    await page.reload();
    await shows(1);
    await page.getByRole("button", { name: "Name: host" }).waitFor();
    await chooseName("none");
    await page.getByText("Nothing at none of type A.").waitFor();
    await clickButtons(page, "Clear filters");
    await shows(4);
    await eventually(() => expect(search()).toBe(""));
    await chooseName("two..dots");
    await page.getByRole("alert").filter({ hasText: "INVALID_NAME" }).waitFor();
    await clickButtons(page, "Name: two..dots", "Any name");
    await shows(4);
  });

  test("is compared with the time before the zone was created: all of it has come", async () => {
    const { page } = await browser.open(`/console/zones/${zone}/history`);
    await clickButtons(page, "Any time", "in the last 7 days");
    await page.getByRole("button", { name: "What differs since then" }).click();
    const comparison = page.getByRole("region", { name: "Comparison" });
    await comparison.getByText("Before the zone was created").waitFor();
    await comparison.getByRole("row").filter({ hasText: "NS" }).first().waitFor();
    const { domain } = await service.data(`{ domain(by: { zone: "${zone}" }) { records { totalCount } } }`);
    await comparison.getByRole("heading", { name: `: +${domain.records.totalCount}` }).waitFor();
  });

  test("is undone by what is chosen: one here, several as a change of several", async () => {
    const name = "chosen.example";
    await service.domain(name, owner);
    for (const last of [1, 2, 3]) await service.record(name, `host${last}`, "A", `192.0.2.${last}`);
    const { page } = await browser.open(`/console/zones/${name}/history`);
    const bar = page.getByRole("region", { name: "Chosen changes" });
    const boxes = page.getByLabel(/^Choose/);
    await rowsOf(page).first().getByRole("link").first().focus();
    await page.keyboard.press("Space");
    await bar.getByText("1 chosen").waitFor();
    await bar.getByRole("link", { name: "View zone" }).waitFor();
    await page.keyboard.press("Escape");
    await bar.waitFor({ state: "detached" });
    expect(new URL(page.url()).pathname).toBe(`/console/zones/${name}/history`);
    await boxes.nth(0).check();
    await clickButtons(page, "Undo…");
    await page.getByRole("button", { name: /^Apply/ }).waitFor();
    await page.getByRole("row").filter({ hasText: "host3" }).first().waitFor();
    await page.goto(`${service.url}/console/zones/${name}/history`);
    await boxes.nth(0).check();
    await boxes.nth(1).check();
    await bar.getByRole("button", { name: "Undo both…" }).waitFor();
    await boxes.nth(2).check();
    expect(await bar.getByRole("button", { name: "Compare" }).count()).toBe(0);
    await clickButtons(page, "Undo 3 changes…");
    await page.waitForURL(/\/console\/changes\/\d+$/);
    await page.getByText("host2").first().waitFor();
    expect(await service.stored(name, "host2")).toHaveLength(1);
  });

  test("leads by its line of time to the moment of a change", async () => {
    const { page } = await browser.open(`/console/zones/${zone}/history`);
    await page.getByText(", created").waitFor();
    await page.getByRole("slider").press("Home");
    await page.getByText("were added since").waitFor();
    expect(new URL(page.url()).pathname).toMatch(/history\/\d+$/);
  });

  test("says what each change did, by which user and key", async () => {
    const key = await service.key({ name: "laptop", userId: owner });
    await service.mutate("createRecord", { zone, owner: "mine", type: "A", rdata: "192.0.2.7" }, "record { id }", key);
    const { page } = await browser.open(`/console/zones/${zone}/history`);
    const row = rowsOf(page).filter({ hasText: "+ mine A 192.0.2.7" });
    await row.getByTitle(/^owner@example\.com · laptop \([\da-f]{8}\), graphql$/).waitFor();
    await clickButtons(page, "Who", "laptop");
    await eventually(async () => expect(await rowsOf(page).count()).toBe(1));
    await page.goto(new URL(`?actor=laptop&source=REST&since=1h`, page.url()).href);
    await page.getByText("Nothing of laptop through REST in the last hour.").waitFor();
    await page.goto(new URL("/console/zones", page.url()).href);
    await page
      .getByRole("row")
      .filter({ hasText: zone })
      .getByTitle(/^owner@example\.com · laptop/)
      .waitFor();
  });

  test("says how long ago a change was when it is shown, also after another page", async () => {
    const { page } = await browser.open("/console/zones");
    const times = page.getByRole("row").filter({ hasText: zone }).locator("time");
    await times.first().waitFor();
    await page.clock.install();
    const go = (name: string) => page.getByRole("navigation", { name: "Places" }).getByRole("link", { name }).click();
    await go("Settings");
    await times.first().waitFor({ state: "detached" });
    await page.clock.fastForward("20:00");
    await go("Zones");
    await eventually(async () => expect(await times.first().innerText()).toMatch(/^2\d min/));
    await page.clock.fastForward("20:00");
    await eventually(async () => expect(await times.first().innerText()).toMatch(/^4\d min/));
  });
});
