/**
 * The history of one zone, filtered by the records that its changes removed or added.
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

beforeAll(async () => {
  await service.domain(zone, await service.user("owner@example.com"));
  for (const [owner, type, rdata] of [
    ["host", "A", "192.0.2.1"],
    ["host", "TXT", "text"],
    ["other", "A", "192.0.2.2"],
  ] as const)
    await service.record(zone, owner, type, rdata);
});

test("is filtered by owner and type, which are in the address", async () => {
  const watched = await browser.open(`/console/zones/${zone}/history`);
  const { page } = watched;
  const rows = page.getByRole("table", { name: "Changes" }).locator("tbody tr");
  const shows = (count: number) => eventually(async () => expect(await rows.count()).toBe(count));
  const search = () => new URL(page.url()).search;
  const owner = page.getByLabel("Of one owner");
  await shows(4);
  await owner.fill("host");
  await shows(2);
  await page.getByRole("combobox", { name: "Type", exact: true }).selectOption("A");
  await shows(1);
  await eventually(() => expect(search()).toBe("?owner=host&type=A"));
  await page.reload();
  await shows(1);
  await eventually(async () => expect(await owner.inputValue()).toBe("host"));
  await owner.fill("none");
  await page.getByText("No change matches").waitFor();
  await page.getByRole("button", { name: "Clear the filter" }).click();
  await shows(4);
  await eventually(async () => expect([search(), await owner.inputValue()]).toEqual(["", ""]));
  await owner.fill("two..dots");
  await page.getByRole("alert").filter({ hasText: "INVALID_NAME" }).waitFor();
  await owner.fill("");
  await shows(4);
  watched.forgive(/status of 422/);
});

test("the changes of all zones are filtered by a zone, and then by its records", async () => {
  await service.domain("beside.example", await service.user("beside@example.com"));
  const { page } = await browser.open("/console/history");
  const rows = page.getByRole("table", { name: "Changes" }).locator("tbody tr");
  const shows = (count: number) => eventually(async () => expect(await rows.count()).toBe(count));
  await shows(5);
  const filter = page.getByLabel("Of one zone, such as example.com");
  await filter.fill(zone);
  await shows(4);
  await eventually(() => expect(new URL(page.url()).search).toBe(`?zone=${zone}`));
  await page.getByLabel("Of one owner").fill("other");
  await shows(1);
  await filter.fill("none.example");
  await page.getByRole("button", { name: "Clear the filter" }).click();
  await shows(5);
  expect(await filter.inputValue()).toBe("");
});

test("is compared with the time before the zone was created: all of it has come", async () => {
  const { page } = await browser.open(`/console/zones/${zone}/history`);
  await page.getByRole("combobox", { name: "Time", exact: true }).selectOption("7d");
  await page.getByRole("button", { name: "What differs since then" }).click();
  const comparison = page.getByRole("region", { name: "Comparison" });
  await comparison.getByText("Before the zone was created").waitFor();
  await comparison.getByRole("row").filter({ hasText: "NS" }).first().waitFor();
  const { domain } = await service.data(`{ domain(by: { zone: "${zone}" }) { records { totalCount } } }`);
  await comparison.getByRole("heading", { name: `: +${domain.records.totalCount}` }).waitFor();
});

test("says what each change did, by which user and key", async () => {
  const { users } = await service.data("{ users { nodes { id } } }");
  const key = await service.key({ name: "laptop", userId: users.nodes[0].id });
  const add = mutation("createRecord", "record { id }");
  await service.data(add, { input: { zone, owner: "mine", type: "A", rdata: "192.0.2.7" } }, key);
  const { page } = await browser.open(`/console/zones/${zone}/history`);
  const row = page.getByRole("row").filter({ hasText: "+ mine A 192.0.2.7" });
  await row.getByRole("button", { name: "owner · laptop" }).waitFor();
  await row.getByTitle(/^Only changes of owner@example\.com · laptop \([\da-f]{8}\)$/).click();
  await eventually(() => expect(new URL(page.url()).search).toMatch(/^\?actor=laptop/));
  await page.goto(new URL("/console/zones", page.url()).href);
  await page.getByRole("row").filter({ hasText: zone }).getByText("owner · laptop, graphql").waitFor();
});

test("of all zones has no such filter", async () => {
  const { page } = await browser.open("/console/history?owner=host&type=A");
  const rows = page.getByRole("table", { name: "Changes" }).locator("tbody tr");
  await eventually(async () => expect(await rows.count()).toBeGreaterThan(3));
  expect(await page.getByLabel("Of one owner").count()).toBe(0);
});

test("says how long ago a change was when it is shown, also after another tab", async () => {
  const { page } = await browser.open(`/console/zones/${zone}/history`);
  const times = page.getByRole("table", { name: "Changes" }).locator("time");
  await times.first().waitFor();
  await page.clock.install();
  const tab = (name: string) => page.getByRole("navigation", { name: "Zone" }).getByRole("link", { name }).click();
  await tab("Text");
  await times.first().waitFor({ state: "detached" });
  await page.clock.fastForward("20:00");
  await tab("History");
  await eventually(async () => expect(await times.first().innerText()).toMatch(/^2\d min/));
  await page.clock.fastForward("20:00");
  await eventually(async () => expect(await times.first().innerText()).toMatch(/^4\d min/));
});
