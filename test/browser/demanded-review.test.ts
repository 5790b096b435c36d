/**
 * Zones that demand review, in the console: the sheet proposes in place of applying and says why, the ways back and a deletion become change
 * sets, what has no such way says it where it was pressed, and nothing staged is lost. And who sets the review, and the hint at open sets.
 */
import { describe, expect } from "@jest/globals";
import type { Page } from "playwright-core";
import { eventually } from "../setup/basics/eventually.ts";
import { clickButtons, expectAccessible, testConsole } from "../setup/browser/console-browser.ts";
import { SheetUser } from "../setup/browser/sheet-user.ts";
import { adminKey } from "../setup/service/service.ts";
import { zonePerTest } from "../setup/service/zone-per-test.ts";

// The browser reports what the tests refuse.
const { test, service, browser } = testConsole({}, /status of 4\d\d/);
let [zone, author] = ["", ""];

zonePerTest(service, "reviewed", async (name, userId) => {
  zone = name;
  if (author === "") {
    author = await browser.key({ name: "anna", userId });
  }
  await service.record(zone, "host", "A", "192.0.2.1");
  await demand("ONE");
});

const demand = (review: string) => service.mutate("updateDomain", { by: { zone }, review }, "domain { id }");
const why = "is changed by change sets alone, approved by one other person";

const open = async (path: string, key = author) => (await browser.open(`/console${path}`, key)).page;

/** The first or the last change of the zone. */
async function changeOf(which: "min" | "max"): Promise<string> {
  const [row] = await service.sql<{ id: string }>(`select ${which}(id)::text as id from change where zone = $1`, [
    zone,
  ]);
  return row?.id ?? "";
}

async function staged(page: Page): Promise<SheetUser> {
  const user = await new SheetUser(page).ready();
  await user.add("api", "A", "192.0.2.7");
  await review(user, page);
  return user;
}

/** Opens the review of what is staged. */
async function review(user: SheetUser, page: Page): Promise<void> {
  await user.press("Control+Enter");
  await page.getByRole("button", { name: "Ask for review…" }).waitFor();
}

/** Waits for the page of the change set that was made. */
const seesSet = (page: Page) => page.getByRole("region", { name: "What it does" }).getByText("would change").waitFor();

const addresses = () => service.stored(zone, "api");

function createSet(title: string) {
  const zones = [{ edit: { zone, add: [{ owner: "first", type: "A", rdata: "192.0.2.3" }] } }];
  return service.mutate("createChangeSet", { title, zones }, "changeSet { id }", author);
}

describe("a zone that demands review", () => {
  test("the page of a draft asks for review alone, says why, and Ctrl+Enter does it", async () => {
    const page = await open(`/zones/${zone}`);
    await staged(page);
    await page.getByText(why).waitFor();
    expect(await page.getByRole("button", { name: /^Apply/ }).count()).toBe(0);
    await expectAccessible(page);
    await page.keyboard.press("Control+Enter");
    await page.getByLabel("Title").fill("the API");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("heading", { name: "the API", level: 1 }).waitFor();
    await page.getByText("0 of 1").waitFor();
    await seesSet(page);
    expect(await addresses()).toEqual([]);
  });

  test("a zone that demands it since: Apply is refused with why, and a review of what was staged is asked for", async () => {
    await demand("NONE");
    const page = await open(`/zones/${zone}`);
    const user = await staged(page);
    await demand("ONE");
    await page.getByRole("button", { name: /^Apply/ }).click();
    await page.getByRole("alert").getByText("createChangeSet").waitFor();
    await user.back();
    await review(user, page);
    await page.getByText(why).waitFor();
    expect(await page.getByRole("button", { name: /^Apply/ }).count()).toBe(0);
  });

  test("undoing a change, and going back to a moment, lead to a change set", async () => {
    const page = await open(`/history/${await changeOf("max")}`);
    await page.getByRole("button", { name: "Undo…" }).click();
    await page.getByText(why).waitFor();
    await page.getByRole("button", { name: "Ask for review…" }).waitFor();
    await page.keyboard.press("Control+Enter");
    await page.getByLabel("Title").and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Control+Enter");
    await seesSet(page);
    await page.getByRole("article", { name: zone }).getByText("192.0.2.1").waitFor();

    await page.goto(`${service.url}/console/zones/${zone}/history/${await changeOf("min")}`);
    await clickButtons(page, "Restore…", "Ask for review…");
    await page.getByRole("button", { name: /^Ask for review Ctrl/ }).click();
    await seesSet(page);
    expect(await service.stored(zone, "host")).toHaveLength(1);
  });

  test("a deletion leads to a change set", async () => {
    const page = await open(`/zones/${zone}`);
    await clickButtons(page, `More for ${zone}`, "Delete…");
    const dialog = page.getByRole("dialog");
    await dialog.getByText(why).waitFor();
    await dialog.getByLabel("Type the name of the zone").fill(zone);
    await dialog.getByRole("button", { name: "Propose the deletion" }).click();
    await page.getByText("is deleted with all its records").waitFor();
    expect(await service.stored(zone, "host")).toHaveLength(1);
  });

  async function importFile(page: Page, text: string): Promise<void> {
    await page.getByLabel("Text of the master file").fill(text);
    await page.getByRole("button", { name: "Look at the difference" }).click();
    await page.getByRole("button", { name: "Ask for review…" }).waitFor();
  }

  test("an import proposes alone, says why, and Ctrl+Enter does it", async () => {
    const page = await open(`/zones/${zone}/import`);
    await page.getByLabel("Leave out lines that no zone can hold").check();
    await importFile(page, "api 300 A 192.0.2.7\n@ 300 ALIAS host.example.net.");
    await page.getByText(why).waitFor();
    expect(await page.getByRole("button", { name: /^Import/ }).count()).toBe(0);
    await expectAccessible(page);
    await page.keyboard.press("Control+Enter");
    await page.getByRole("dialog", { name: "Ask for review" }).getByLabel("Title").fill("from the file");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("heading", { name: "from the file", level: 1 }).waitFor();
    await page.getByRole("article", { name: zone }).getByText("192.0.2.7").waitFor();
    expect(await addresses()).toEqual([]);
  });

  test("the text of a zone is proposed, also to a change set that is open, and is read again then", async () => {
    await createSet("there is one");
    const page = await open(`/zones/${zone}/text`);
    await page.getByText("As it is committed.").waitFor();
    const area = page.getByLabel(`Master file of ${zone}`);
    await area.fill(`${await area.inputValue()}api 300 A 192.0.2.7\n`);
    await clickButtons(page, "Review and save", "Ask for review…");
    const dialog = page.getByRole("dialog", { name: "Ask for review" });
    await dialog.getByLabel("Change", { exact: true }).selectOption({ label: "there is one (draft)" });
    await dialog.getByText(`What it has for ${zone} is replaced.`).waitFor();
    await dialog.getByRole("button", { name: "Add" }).click();
    await page.getByRole("heading", { name: "there is one", level: 1 }).waitFor();
    await page.getByRole("article", { name: zone }).getByText("192.0.2.7").waitFor();
    await page.goto(`${service.url}/console/zones/${zone}/text`);
    await page.getByText("As it is committed.").waitFor();
  });

  test("how many of its change sets are open is said in its heading, and leads to them", async () => {
    for (const title of ["one", "two"]) await createSet(title);
    const page = await open(`/zones/${zone}`);
    const hint = page.getByRole("link", { name: "2 change sets are open" });
    await hint.waitFor();
    await expectAccessible(page);
    await hint.click();
    for (const title of ["one", "two"]) await page.getByRole("link", { name: title, exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe(`?kind=reviews&zone=${zone}`);
  });
});

const reviewOf = async () => {
  const { domain } = await service.data("query ($zone: String!) { domain(by: { zone: $zone }) { review } }", { zone });
  return domain.review;
};

async function chooseReview(page: Page, words: string): Promise<void> {
  await page.getByRole("dialog").getByLabel("Changes are made").selectOption(words);
  await page.keyboard.press("Control+Enter");
  await page.getByText("is saved").first().waitFor();
}

describe("the review is set", () => {
  const openReview = async (page: Page) => {
    await clickButtons(page, `More for ${zone}`, "Review…");
  };

  test("of a zone its owner makes stricter, and an administrator freer", async () => {
    const page = await open(`/zones/${zone}`);
    await openReview(page);
    const field = page.getByRole("dialog").getByLabel("Changes are made");
    await field.waitFor();
    expect(await field.locator("option").allInnerTexts()).toEqual([
      "by change sets alone, approved by one other person",
      "by change sets alone, approved by two other persons",
    ]);
    await expectAccessible(page);
    await chooseReview(page, "by change sets alone, approved by two other persons");
    await eventually(async () => expect(await reviewOf()).toBe("TWO"));
    const admin = await open(`/zones/${zone}`, adminKey);
    await openReview(admin);
    await chooseReview(admin, "as its user says");
    expect(await reviewOf()).toBe(null);
  });

  test("of a user the owner makes it stricter in the account's menu, and an administrator says who reviews", async () => {
    const own = await service.user("careful@example.com");
    await service.user("colleague@example.com");
    const key = await browser.key({ name: "carla", userId: own });
    const page = await open("/zones", key);
    await clickButtons(page, /^Account: /, "Review of my zones…");
    await chooseReview(page, "by change sets alone, without approval");

    const admin = await open("/users", adminKey);
    await admin.getByRole("button", { name: "More for careful@example.com" }).click();
    await admin.getByRole("button", { name: "Review…" }).click();
    const field = admin.getByLabel("Other users who review");
    await field.fill("nobody@example.com");
    await admin.getByRole("button", { name: "Save" }).click();
    await admin.getByText("There is no user nobody@example.com.").waitFor();
    await field.fill("colleague@example.com");
    await chooseReview(admin, "directly, or by change sets");
    const query = "query ($email: String!) { user(by: { email: $email }) { review reviewers { email } } }";
    expect(await service.data(query, { email: "careful@example.com" })).toEqual({
      user: { review: "NONE", reviewers: [{ email: "colleague@example.com" }] },
    });
  });
});
