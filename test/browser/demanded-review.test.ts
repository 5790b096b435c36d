/**
 * Zones that demand review, in the console: the sheet proposes in place of applying and says why, the ways back and a deletion become change
 * sets, what has no such way says it where it was pressed, and nothing staged is lost. And who sets the review, and the hint at open sets.
 */
import { beforeAll, beforeEach, describe, expect } from "@jest/globals";
import type { Page } from "playwright-core";
import { eventually } from "../setup/basics/eventually.ts";
import { testWith } from "../setup/basics/programs.ts";
import { testBrowser } from "../setup/browser/console-browser.ts";
import { SheetUser } from "../setup/browser/sheet-user.ts";
import { mutation, testService } from "../setup/service/service.ts";

const test = testWith("chromium");
const service = testService();
// The browser reports what the tests refuse.
const browser = testBrowser(service, /status of 4\d\d/);
let [owner, author, change] = ["", "", ""];
let zone = "";
let count = 0;

const setReview = mutation("updateDomain", "domain { id }");
const demand = (review: string) => service.data(setReview, { input: { zone, review } });
const why = "is changed by change sets alone, approved by one other person";

beforeAll(async () => {
  owner = await service.user("owner@example.com");
  author = await service.key({ name: "anna", userId: owner });
  browser.secrets.push(author);
});
beforeEach(async () => {
  zone = `reviewed${count++}.example`;
  await service.domain(zone, owner);
  await service.record(zone, "host", "A", "192.0.2.1");
  const [row] = await service.sql("select max(id)::text as id from change where zone = $1", [zone]);
  change = (row as { id: string }).id;
  await demand("ONE");
});

const open = (path: string, key = author) => browser.open(`/console${path}`, key);

async function staged(page: Page): Promise<SheetUser> {
  const user = await new SheetUser(page).ready();
  await user.add("api", "A", "192.0.2.7");
  await review(user, page);
  return user;
}

/** Opens the review of what is staged. */
async function review(user: SheetUser, page: Page): Promise<void> {
  await user.press("Control+Enter");
  await page.getByRole("button", { name: "Propose…" }).waitFor();
}

/** Waits for the page of the change set that was made. */
const seesSet = (page: Page) => page.getByRole("region", { name: "What it does" }).getByText("would change").waitFor();

const exported = async () => (await service.rest("GET", `/domain/zonefile/${zone}`)).text;

describe("a zone that demands review", () => {
  test("the sheet's review proposes alone, says why, and Ctrl+Enter does it", async () => {
    const watched = await open(`/zones/${zone}`);
    const { page } = watched;
    await staged(page);
    await page.getByRole("dialog").getByText(why).waitFor();
    expect(await page.getByRole("button", { name: /^Apply/ }).count()).toBe(0);
    await watched.expectAccessible();
    await page.keyboard.press("Control+Enter");
    await page.getByRole("dialog", { name: "Propose the edits" }).getByLabel("Title").fill("the API");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("heading", { name: "the API", level: 1 }).waitFor();
    await page.getByText("0 of 1").waitFor();
    await seesSet(page);
    expect(await exported()).not.toContain("192.0.2.7");
  });

  test("a zone that demands it since: Apply is refused with why, and what was staged is proposed", async () => {
    await demand("NONE");
    const { page } = await open(`/zones/${zone}`);
    const user = await staged(page);
    await demand("ONE");
    await page.getByRole("button", { name: /^Apply/ }).click();
    await page.getByRole("dialog").getByText("createChangeSet").waitFor();
    await page.getByRole("button", { name: /^Back/ }).click();
    await page.getByText("1 staged").first().waitFor();
    await review(user, page);
    await page.getByRole("dialog").getByText(why).waitFor();
    expect(await page.getByRole("button", { name: /^Apply/ }).count()).toBe(0);
  });

  test("undoing a change, and going back to a moment, lead to a change set", async () => {
    const watched = await open(`/history/${change}`);
    const { page } = watched;
    await page.getByRole("button", { name: "Undo…" }).click();
    await page.getByRole("dialog").getByText(why).waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Propose" }).waitFor();
    await watched.expectAccessible();
    await page.keyboard.press("Control+Enter");
    await seesSet(page);
    await page.getByRole("article", { name: zone }).getByText("192.0.2.1").waitFor();

    const [first] = await service.sql("select min(id)::text as id from change where zone = $1", [zone]);
    await page.goto(`${service.url}/console/zones/${zone}/at/${(first as { id: string }).id}`);
    await page.getByRole("button", { name: "Go back to this" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Propose" }).click();
    await seesSet(page);
    expect(await exported()).toContain("192.0.2.1");
  });

  test("a deletion leads to a change set", async () => {
    const { page } = await open(`/zones/${zone}`);
    await page.getByRole("button", { name: `More for ${zone}` }).click();
    await page.getByRole("button", { name: "Delete…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(why).waitFor();
    await dialog.getByLabel("Type the name of the zone").fill(zone);
    await dialog.getByRole("button", { name: "Propose the deletion" }).click();
    await page.getByText("is deleted with all its records").waitFor();
    expect(await exported()).toContain("192.0.2.1");
  });

  async function importFile(page: Page, text: string): Promise<void> {
    await page.getByLabel("Text of the master file").fill(text);
    await page.getByRole("button", { name: "Look at the difference" }).click();
    await page.getByRole("button", { name: "Propose…" }).waitFor();
  }

  test("an import proposes alone, says why, and Ctrl+Enter does it", async () => {
    const watched = await open(`/zones/${zone}/import`);
    const { page } = watched;
    await page.getByLabel("Leave out lines that no zone can hold").check();
    await importFile(page, "api 300 A 192.0.2.7\n@ 300 ALIAS host.example.net.");
    await page.getByText(why).waitFor();
    expect(await page.getByRole("button", { name: /^Import/ }).count()).toBe(0);
    await watched.expectAccessible();
    await page.keyboard.press("Control+Enter");
    await page.getByRole("dialog", { name: "Propose the edits" }).getByLabel("Title").fill("from the file");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("heading", { name: "from the file", level: 1 }).waitFor();
    await page.getByRole("article", { name: zone }).getByText("192.0.2.7").waitFor();
    expect(await exported()).not.toContain("192.0.2.7");
  });

  test("the text of a zone is proposed, also to a change set that is open, and is read again then", async () => {
    const createSet = mutation("createChangeSet", "changeSet { id }");
    const zones = [{ zone, add: [{ owner: "first", type: "A", rdata: "192.0.2.3" }] }];
    await service.data(createSet, { input: { title: "there is one", zones } }, author);
    const { page } = await open(`/zones/${zone}/text`);
    await page.getByText("As it is committed.").waitFor();
    const area = page.getByLabel(`Master file of ${zone}`);
    await area.fill(`${await area.inputValue()}api 300 A 192.0.2.7\n`);
    await page.getByRole("button", { name: "Review and save" }).click();
    await page.getByRole("button", { name: "Propose…" }).click();
    const dialog = page.getByRole("dialog", { name: "Propose the edits" });
    await dialog.getByLabel("Change set").selectOption({ label: "there is one (draft)" });
    await dialog.getByText(`What it has for ${zone} is replaced.`).waitFor();
    await dialog.getByRole("button", { name: "Add" }).click();
    await page.getByRole("heading", { name: "there is one", level: 1 }).waitFor();
    await page.getByRole("article", { name: zone }).getByText("192.0.2.7").waitFor();
    await page.goto(`${service.url}/console/zones/${zone}/text`);
    await page.getByText("As it is committed.").waitFor();
  });

  test("a zone that demands it since: an import is refused with why, and proposed when it is looked at again", async () => {
    await demand("NONE");
    const { page } = await open(`/zones/${zone}/import`);
    await importFile(page, "api 300 A 192.0.2.7");
    await demand("ONE");
    await page.getByRole("button", { name: /^Import \+1/ }).click();
    await page.getByRole("alert").getByText("createChangeSet").waitFor();
    await page.getByRole("button", { name: "Back" }).click();
    await page.getByRole("button", { name: "Look at the difference" }).click();
    await page.getByText(why).waitFor();
    expect(await page.getByRole("button", { name: /^Import/ }).count()).toBe(0);
  });

  test("how many of its change sets are open is said in its heading, and leads to them", async () => {
    const createSet = mutation("createChangeSet", "changeSet { id }");
    for (const title of ["one", "two"]) {
      const zones = [{ zone, add: [{ owner: title, type: "A", rdata: "192.0.2.3" }] }];
      await service.data(createSet, { input: { title, zones } }, author);
    }
    const watched = await open(`/zones/${zone}`);
    const { page } = watched;
    const hint = page.getByRole("link", { name: "2 change sets are open" });
    await hint.waitFor();
    await watched.expectAccessible();
    await hint.click();
    for (const title of ["one", "two"]) await page.getByRole("link", { name: title, exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe(`?zone=${zone}`);
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
    await page.getByRole("button", { name: `More for ${zone}` }).click();
    await page.getByRole("button", { name: "Review…" }).click();
  };

  test("of a zone its owner makes stricter, and an administrator freer", async () => {
    const watched = await open(`/zones/${zone}`);
    const { page } = watched;
    await openReview(page);
    const field = page.getByRole("dialog").getByLabel("Changes are made");
    await field.waitFor();
    expect(await field.locator("option").allInnerTexts()).toEqual([
      "by change sets alone, approved by one other person",
      "by change sets alone, approved by two other persons",
    ]);
    await watched.expectAccessible();
    await chooseReview(page, "by change sets alone, approved by two other persons");
    await eventually(async () => expect(await reviewOf()).toBe("TWO"));
    const { page: admin } = await browser.open(`/console/zones/${zone}`);
    await openReview(admin);
    await chooseReview(admin, "as its user says");
    expect(await reviewOf()).toBe(null);
  });

  test("of a user the owner makes it stricter in the account's menu, and an administrator says who reviews", async () => {
    const own = await service.user("careful@example.com");
    await service.user("colleague@example.com");
    const key = await service.key({ name: "carla", userId: own });
    browser.secrets.push(key);
    const { page } = await open("/zones", key);
    await page.getByRole("button", { name: /^Account: / }).click();
    await page.getByRole("button", { name: "Review of my zones…" }).click();
    await chooseReview(page, "by change sets alone, without approval");

    const watched = await browser.open("/console/users");
    const admin = watched.page;
    await admin.getByRole("button", { name: "More for careful@example.com" }).click();
    await admin.getByRole("button", { name: "Review…" }).click();
    const field = admin.getByLabel("Other users who review");
    await field.fill("nobody@example.com");
    await admin.getByRole("button", { name: "Save" }).click();
    await admin.getByText("There is no user nobody@example.com.").waitFor();
    await watched.expectAccessible();
    await field.fill("colleague@example.com");
    await chooseReview(admin, "directly, or by change sets");
    const query = "query ($email: String!) { user(by: { email: $email }) { review reviewers { email } } }";
    expect(await service.data(query, { email: "careful@example.com" })).toEqual({
      user: { review: "NONE", reviewers: [{ email: "colleague@example.com" }] },
    });
  });
});
