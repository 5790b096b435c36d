/**
 * History: who changed what through which interface, what two serials differ by, and the way to take a change back.
 */
import { beforeAll, expect } from "@jest/globals";
import { eventually } from "../setup/basics/eventually.ts";
import { testWith } from "../setup/basics/programs.ts";
import { testBrowser } from "../setup/browser/console-browser.ts";
import { mutation, testService } from "../setup/service/service.ts";

const test = testWith("chromium");
const service = testService();
const browser = testBrowser(service);
const zone = "example.com";
let [owner, www] = ["", ""];
const hostile = "<img src=x onerror=document.title='hit'>";

const change = mutation("changeRecords", "change { id serial }");

beforeAll(async () => {
  owner = await service.user("owner@example.com");
  await service.domain(zone, owner);
  www = await service.record(zone, "www2", "A", "192.0.2.1", 300);
  const add = [{ owner: "new", type: "TXT", rdata: hostile }];
  await service.data(change, {
    input: { zone, note: `moved ${hostile}`, add, update: [{ id: www, rdata: "192.0.2.2" }] },
  });
  await service.rest("POST", "/record/add", {
    form: { zone, owner: "rest", rtype: "A", rdata: "192.0.2.3", ttl: 300 },
  });
});

test("the changes of all zones, by interface and actor, which are in the address", async () => {
  const { page } = await browser.open("/console/history");
  const rows = page.getByRole("table", { name: "Changes" }).locator("tbody tr");
  await eventually(async () => expect(await rows.count()).toBe(4));
  await rows.filter({ hasText: "created with" }).getByText("administrator").waitFor();
  await page.getByLabel("Interface").selectOption("REST");
  await eventually(async () =>
    expect(await rows.allInnerTexts()).toEqual([expect.stringMatching(/rest\s+\+ rest A 192\.0\.2\.3/)]),
  );
  await eventually(() => expect(new URL(page.url()).search).toBe("?door=REST"));
  await page.reload();
  await eventually(async () => expect(await rows.count()).toBe(1));
  await page.getByLabel("Interface").selectOption("SYSTEM");
  await page.getByText("No change matches").waitFor();
  await page.getByRole("button", { name: "Clear the filter" }).click();
  await rows.first().getByRole("button", { name: "administrator" }).click();
  await page.getByText(/by administrator \(\w{8}\)/).waitFor();
  await eventually(async () => expect(await rows.count()).toBe(4));
});

test("a change says what it did, with its note; what looks like markup is text", async () => {
  const { page } = await browser.open("/console/history");
  await page.getByRole("row").filter({ hasText: "moved" }).getByRole("link").first().click();
  await page.getByText(`moved ${hostile}`).waitFor();
  await page.getByRole("heading", { name: "+1 ~1" }).waitFor();
  const table = page.getByRole("region", { name: "Difference" });
  await table.getByRole("row").filter({ hasText: "www2" }).getByText("192.0.2.2").waitFor();
  expect(await table.getByRole("row").filter({ hasText: "www2" }).locator("del").allInnerTexts()).toEqual([
    "192.0.2.1",
  ]);
  expect(await table.getByText("SOA").count()).toBe(0);
  expect(await page.title()).not.toBe("hit");
});

test("a difference is shown side by side, and stays so", async () => {
  const { page } = await browser.open("/console/history");
  await page.getByRole("row").filter({ hasText: "moved" }).getByRole("link").first().click();
  await page.getByRole("button", { name: "side by side" }).click();
  const row = page.getByRole("region", { name: "Difference" }).getByRole("row").filter({ hasText: "www2" });
  await eventually(async () =>
    expect((await row.getByRole("cell").allInnerTexts()).map((text) => text.trim())).toEqual([
      "www2 300 A 192.0.2.1",
      "www2 300 A 192.0.2.2",
    ]),
  );
  expect(await row.locator("del, ins").allInnerTexts()).toEqual(["192.0.2.1", "192.0.2.2"]);
  await page.reload();
  await page.getByRole("columnheader", { name: "Old" }).waitFor();
});

test("a change is undone by one of its own, after its difference was looked at", async () => {
  const { page } = await browser.open(`/console/zones/${zone}/history`);
  await page.getByRole("row").filter({ hasText: "moved" }).getByRole("link").first().click();
  await page.getByRole("button", { name: "Undo…" }).click();
  const dialog = page.getByRole("dialog", { name: /^Undo \d+$/ });
  await dialog.getByRole("row").filter({ hasText: "www2" }).locator("ins").getByText("192.0.2.1").waitFor();
  await eventually(async () => expect(await dialog.getByLabel("Note").inputValue()).toMatch(/^undo of \d+$/));
  await dialog.getByRole("button", { name: "Apply" }).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Control+Enter");
  await page.getByText(/^Committed as/).waitFor();
  // The button that led here has gone with its page.
  await page.locator("#page:focus").waitFor();
  expect(new URL(page.url()).pathname).toBe(`/console/zones/${zone}/history`);
  const { body } = await service.rest("GET", `/record/list?zone=${zone}`);
  const records = body.map((record: { owner: string; rdata: string }) => `${record.owner} ${record.rdata}`);
  expect(records).toContain("www2 192.0.2.1");
  expect(records.filter((text: string) => text.startsWith("new"))).toEqual([]);
  const row = page.getByRole("row").filter({ hasText: /undoes \d+/ });
  await row
    .getByText(/^undoes/)
    .getByRole("link")
    .click();
  await page.getByText(`moved ${hostile}`).waitFor();
});

test("a change of which nothing is left says so", async () => {
  const gone = await service.record(zone, "gone", "A", "192.0.2.7");
  const { page } = await browser.open(`/console/zones/${zone}/history`);
  await page.getByRole("table", { name: "Changes" }).getByRole("link").first().click();
  await page.getByRole("cell", { name: "gone" }).waitFor();
  await service.rest("DELETE", `/record/delete/${gone}`);
  await page.getByRole("button", { name: "Undo…" }).click();
  await page.getByRole("dialog").getByText("nothing is left to be undone").waitFor();
  expect(await page.getByRole("dialog").getByRole("button", { name: "Apply" }).count()).toBe(0);
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
    await page.getByText("This change cannot be taken back here.").waitFor();
    expect(await page.getByText(/staged:/).count()).toBe(0);
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
  await page.getByLabel(`Compare from ${from}`).check();
  await page.getByLabel(`Compare with ${to}`).check();
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
  await page.getByRole("heading", { name: `${zone} ${to}` }).waitFor();
});

test("a deleted zone keeps its history, and is restored from it", async () => {
  const name = "deleted.example.com";
  await service.domain(name, owner);
  const before = await service.serial(name);
  await service.rest("DELETE", "/domain/delete", { form: { zone: name } });
  const { page } = await browser.open("/console/history");
  await page.getByRole("row").filter({ hasText: "deleted with" }).getByRole("link").first().click();
  await page.getByRole("heading", { name: "The zone was deleted." }).waitFor();
  expect(await page.getByRole("button", { name: "Undo…" }).count()).toBe(0);
  await page.getByText(new RegExp(`^serial\\s*${before}$`)).waitFor();
  await page.getByRole("button", { name: "Restore…" }).click();
  const dialog = page.getByRole("dialog", { name: `Restore ${name}?` });
  await dialog.getByText("Its 4 records come back").waitFor();
  await dialog.getByText("for owner@example.com").waitFor();
  expect(await service.sql(`select 1 from domain where zone = '${name}'`)).toEqual([]);
  await dialog.getByRole("button", { name: "Restore the zone" }).click();
  await page.getByRole("heading", { name, exact: true }).waitFor();
  await eventually(() => expect(new URL(page.url()).pathname).toBe(`/console/zones/${name}`));
  await page.getByRole("link", { name: "History", exact: true }).last().click();
  await page.getByLabel(`Compare from ${before}`).check();
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  const comparison = page.getByRole("region", { name: "Comparison" });
  await comparison.getByText("Only the serial differs.").waitFor();
  await page.getByRole("row").filter({ hasText: "deleted with" }).getByRole("link").first().click();
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
  const choices = page.getByLabel(/^Compare from/);
  await eventually(async () => expect(await choices.count()).toBe(2));
  await page.getByLabel(`Compare from ${created}`).check();
  await page.getByText(`${created} and ${await service.serial(name)}`).waitFor();
});

test("a deletion that has come to every server says that the zone is no longer served", async () => {
  const name = "unserved.example.com";
  await service.domain(name, owner);
  await service.rest("DELETE", "/domain/delete", { form: { zone: name } });
  const { page } = await browser.open("/console/history");
  await page.route("**/graphql", async (route) => {
    if (!route.request().postData()?.includes("query Change(")) return route.fallback();
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace('"state":"UNSERVED"', '"state":"LIVE"') });
  });
  await page.getByRole("row").filter({ hasText: name }).getByRole("link").first().click();
  await page.getByRole("heading", { name: "The zone was deleted." }).waitFor();
  await page.getByText("no longer served").waitFor();
  expect(await page.getByText("live", { exact: true }).count()).toBe(0);
  await page.unrouteAll({ behavior: "wait" });
});
