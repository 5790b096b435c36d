/**
 * The audit in the console: what a row says, what the list is filtered by, and that an address leads to the same list again.
 */
import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { eventually } from "../setup/basics/eventually.ts";
import { ConsoleBrowser } from "../setup/browser/console-browser.ts";
import { mutation, testService } from "../setup/service/service.ts";

const service = testService();
const browser = new ConsoleBrowser(service);
const zone = "audited.example.com";
let [owner, ownersKey] = ["", ""];

beforeAll(async () => {
  await browser.start();
  owner = await service.user("owner@example.com");
  ownersKey = await service.key({ name: "laptop", userId: owner });
  browser.secrets.push(ownersKey);
  await service.domain(zone, owner);
  const refused = mutation("createRecord", "record { id }");
  await service.graphql(refused, { input: { zone, owner: "www", type: "A", rdata: "<b>none</b>" } }, ownersKey);
  await eventually(async () => {
    const rows = await service.sql("select from audit_entry where code = 'INVALID_RDATA'");
    expect(rows).toHaveLength(1);
  });
});
afterAll(() => browser.stop());
afterEach(() => browser.close());

const rows = (page: Page) => page.locator("summary");
const searchOf = (page: Page) => new URL(page.url()).searchParams;

test("a row says what, of whom, by whom and how it ended, and opens to all that is known", async () => {
  const { page } = await browser.open(`/console/audit?zone=${zone}`);
  await eventually(async () => expect(await rows(page).count()).toBe(2));
  const refused = rows(page).filter({ hasText: "INVALID_RDATA" });
  expect(await refused.innerText()).toMatch(/create record\s+audited\.example\.com\s+laptop graphql\s+INVALID_RDATA/);
  await refused.click();
  const opened = page.locator("details[open]");
  await opened.getByText("127.0.0.1").waitFor();
  await opened.getByText("rdata", { exact: true }).waitFor();
  expect(await page.getByText("none").count()).toBe(0);
  const columnsOf = (line: string) =>
    page.evaluate(
      `[...document.querySelectorAll(${JSON.stringify(line)})].map((cell) => cell.getBoundingClientRect().x)`,
    );
  expect(await columnsOf("main p[aria-hidden] > *")).toEqual(await columnsOf("li:first-child summary > *"));
});

test("a change leads to itself", async () => {
  const { page } = await browser.open(`/console/audit?zone=${zone}&outcome=done`);
  await rows(page).filter({ hasText: "create domain" }).click();
  const serial = await service.serial(zone);
  await page.getByRole("link", { name: String(serial), exact: true }).click();
  await page.waitForURL(/\/console\/history\/\d+$/);
});

test("it is filtered by how it ended, by its door, and by what is chosen in a row, and the address says so", async () => {
  const { page } = await browser.open("/console/audit");
  await rows(page).first().waitFor();
  await page.getByLabel("How it ended").selectOption("refused");
  await eventually(async () => expect(await rows(page).count()).toBe(1));
  expect(searchOf(page).get("outcome")).toBe("refused");
  await rows(page).click();
  await page.getByTitle("Only create record").click();
  await page.getByLabel("How it ended").selectOption("");
  await eventually(() => expect(Object.fromEntries(searchOf(page))).toEqual({ operation: "createRecord" }));
  await page.getByRole("button", { name: "Every operation" }).click();
  await eventually(async () => expect(await rows(page).count()).toBeGreaterThan(3));
  await page.getByTitle(/^Only what laptop/).click();
  await eventually(async () => expect(new Set(await rows(page).allInnerTexts()).size).toBe(1));
  await page.reload();
  await eventually(async () => expect(await rows(page).count()).toBe(1));
  await page.getByLabel("Interface").selectOption("IMPORT");
  await page.getByText("Nothing in the audit matches").waitFor();
  await page.getByRole("button", { name: "Clear the filter" }).click();
  await eventually(async () => expect(await rows(page).count()).toBeGreaterThan(3));
  expect([...searchOf(page)]).toEqual([]);
});

test("a user sees what is of the user, and a sign-in is there", async () => {
  const { page } = await browser.open("/console/audit", ownersKey);
  await rows(page).filter({ hasText: "sign in" }).first().waitFor();
  const shown = await rows(page).allInnerTexts();
  expect(shown.some((text) => text.includes("create API key"))).toBe(true);
  expect(shown.filter((text) => text.includes("@") && !text.includes("owner@example.com"))).toEqual([]);
});
