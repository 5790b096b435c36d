/**
 * What the console does with answers that are no success, line by line as its design has it; what others and lost answers do to staged edits
 * is in sheet-others and sheet-lost.
 */
import { afterEach, expect } from "@jest/globals";
import type { Page } from "playwright-core";
import { eventually } from "../setup/basics/eventually.ts";
import { testWith } from "../setup/basics/programs.ts";
import { copied, testBrowser, type WatchedPage } from "../setup/browser/console-browser.ts";
import { SheetUser } from "../setup/browser/sheet-user.ts";
import { testService } from "../setup/service/service.ts";
import { zonePerTest } from "../setup/service/zone-per-test.ts";

const test = testWith("chromium");
const service = testService();
let zone = "";
let watched: WatchedPage;

// The browser reports what is refused; the browser's own hook, which is defined later, runs later.
afterEach(() => watched.forgive(/status of \d+|ERR_/));
const browser = testBrowser(service);

zonePerTest(service, "failures", (name) => {
  zone = name;
});

/** Refuses an operation of the page from now on. */
async function refuse(page: Page, operation: string, status: number, error: { message: string; extensions: object }) {
  await page.route("**/graphql", (route) =>
    (route.request().postData() ?? "").includes(operation)
      ? route.fulfill({ status, json: { errors: [error], data: null } })
      : route.fallback(),
  );
}

test("a fault of the service shows its sentence with an id to copy, and is tried again by a button", async () => {
  watched = await browser.open("/console/about");
  const { page } = watched;
  const id = "0f8fad5b-d9cb-469f-a165-70867728950e";
  await refuse(page, "query ZoneList", 500, {
    message: `Internal error; see the service log for error ${id}.`,
    extensions: { code: "INTERNAL_ERROR" },
  });
  await page.getByRole("link", { name: "Zones", exact: true }).click();
  await page.getByText("see the service log for error").waitFor();
  await page.getByRole("button", { name: "Copy the id of the error" }).click();
  await copied(page, "the id of the error");
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe(id);
  await page.unrouteAll({ behavior: "wait" });
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("link", { name: zone, exact: true }).waitFor();
});

test("a refusal that passes is waited for, and its wait is counted down", async () => {
  watched = await browser.open("/console/zones");
  const { page } = watched;
  await page.getByRole("link", { name: zone, exact: true }).waitFor();
  await refuse(page, "mutation CreateZone", 503, {
    message: "The database does not answer; try again in 30 s.",
    extensions: { code: "UNAVAILABLE", retryAfter: 30 },
  });
  await page.getByRole("button", { name: "New zone" }).click();
  const dialog = page.getByRole("dialog", { name: "New zone" });
  await dialog.getByLabel("Zone").fill("later.example");
  await dialog.getByLabel("User").fill("owner@example.com");
  await page.keyboard.press("Enter");
  await dialog.getByText("The database does not answer").waitFor();
  await dialog.getByText("UNAVAILABLE").waitFor();
  // What was written stays, to be sent again.
  expect(await dialog.getByLabel("Zone").inputValue()).toBe("later.example");
  await refuse(page, "query ZoneList", 429, {
    message: "Too many requests; try again in 30 s.",
    extensions: { code: "TOO_MANY_REQUESTS", retryAfter: 30 },
  });
  await page.keyboard.press("Escape");
  await page.clock.install();
  await page.getByLabel("Find a zone…").fill("failures");
  // It is tried three times before it is shown; the steps are far shorter than its wait.
  const counted = page.getByRole("button", { name: /^Try again in \d+ s$/ });
  await eventually(async () => {
    await page.clock.runFor(5000);
    expect(await counted.count()).toBe(1);
  });
  await page.unrouteAll({ behavior: "wait" });
  await page.clock.runFor(30_000);
  await page.getByRole("button", { name: "Try again", exact: true }).click();
  await page.getByRole("link", { name: zone, exact: true }).waitFor();
});

test("a change that the key may not make any more is refused in the service's words, and stays staged", async () => {
  watched = await browser.open(`/console/zones/${zone}`);
  const user = await new SheetUser(watched.page).ready();
  await user.add("kept", "A", "192.0.2.1");
  await user.review();
  await refuse(watched.page, "mutation SheetChange", 200, {
    message: "This key may only read.",
    extensions: { code: "FORBIDDEN" },
  });
  await user.press("Control+Enter");
  await watched.page.getByText("This key may only read.").first().waitFor();
  await user.press("Escape");
  await watched.page.getByText("1 staged:").waitFor();
});

test("a record that somebody else removed: the edit is dropped", async () => {
  const id = await service.record(zone, "box", "A", "192.0.2.1");
  watched = await browser.open(`/console/zones/${zone}`);
  const user = await new SheetUser(watched.page).ready();
  await user.cell("box").click();
  await user.type("192.0.2.77");
  await user.press("Enter");
  await service.data("mutation ($id: ID!) { deleteRecord(input: { id: $id }) { deletedId } }", { id });
  await user.button("Drop my edit").click();
  await user.row("box").waitFor({ state: "detached" });
  await watched.page.getByText(/staged:/).waitFor({ state: "detached" });
});

test("one who has no zones is offered to create one", async () => {
  const key = await service.key({ name: "new", userId: await service.user(`new@${zone}`) });
  browser.secrets.push(key);
  watched = await browser.open("/console/", key);
  const { page } = watched;
  await page.getByText("There are no zones").waitFor();
  expect(await page.getByRole("link", { name: /^deleted zones$/i }).count()).toBe(2);
  await page.getByRole("button", { name: "New zone" }).last().click();
  await page.getByRole("dialog", { name: "New zone" }).getByLabel("Zone").fill(`own-${zone}`);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: `own-${zone}` }).waitFor();
});

test("reads that find no answer leave what was read where it is, and are answered when there is one", async () => {
  watched = await browser.open("/console/zones");
  const { page } = watched;
  const link = page.getByRole("link", { name: zone, exact: true });
  await link.waitFor();
  let attempts = 0;
  await page.route("**/graphql", (route) => {
    if ((route.request().postData() ?? "").includes("query ZoneList")) attempts += 1;
    return route.abort("connectionrefused");
  });
  await page.route("**/readyz", (route) => route.abort("connectionrefused"));
  await page.getByLabel("Find a zone…").fill(zone);
  await eventually(() => expect(attempts).toBeGreaterThan(1));
  expect([await link.count(), await page.getByRole("alert").filter({ hasText: "did not answer" }).count()]).toEqual([
    1, 0,
  ]);
  await page.unrouteAll({ behavior: "wait" });
  await eventually(async () => expect(await page.locator("tbody tr").count()).toBe(1));
  await link.waitFor();
});
