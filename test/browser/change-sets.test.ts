/** Change sets in the console: one person proposes edits in the sheet, another approves what they would do, and they are applied as one. */
import { beforeEach, expect } from "@jest/globals";
import type { Page } from "playwright-core";
import { eventually } from "../setup/basics/eventually.ts";
import { intercept } from "../setup/basics/intercept.ts";
import { clickButtons, testConsole } from "../setup/browser/console-browser.ts";
import type { SheetUser } from "../setup/browser/sheet-user.ts";
import { zonePerTest } from "../setup/service/zone-per-test.ts";

// The browser reports what the tests refuse.
const { test, service, browser } = testConsole({}, /status of 4\d\d|ERR_/);
let [zone, owner, author, reviewer, reader] = ["", "", "", "", ""];

zonePerTest(service, "set", async (...begun) => {
  [zone, owner] = begun;
});
beforeEach(async () => {
  if (author !== "") return;
  author = await browser.key({ name: "anna", userId: owner });
  reviewer = await browser.key({ name: "berta", userId: owner });
  reader = await browser.key({ name: "clara", userId: owner, readOnly: true });
});

/** The author stages a record in the sheet and opens the review. */
async function staged(): Promise<{ user: SheetUser; page: Page }> {
  const user = await browser.sheet(zone, author);
  await user.add("api", "A", "192.0.2.7");
  await user.review();
  return { user, page: user.page };
}

/** Proposes what is staged, and returns the path of the change set. */
async function propose(page: Page, title: string): Promise<string> {
  await page.getByRole("button", { name: "Ask for review…" }).click();
  await page.getByLabel("Title").fill(title);
  await page.getByRole("button", { name: /^Ask for review Ctrl/ }).click();
  await page.getByRole("heading", { name: title, level: 1 }).waitFor();
  return new URL(page.url()).pathname;
}

const inDialog = (page: Page, name: string | RegExp) => page.getByRole("dialog").getByRole("button", { name });

async function approve(path: string): Promise<Page> {
  const { page } = await browser.open(path, reviewer);
  await page.getByRole("button", { name: "Approve…" }).click();
  await inDialog(page, "Approve").click();
  await page.getByText(/^1 of 1 by .*berta/).waitFor();
  return page;
}

test("two persons: one asks for a review of edits of the sheet, the other finds it and approves, the first applies it, and the zone has it", async () => {
  const { page } = await staged();
  const path = await propose(page, "the API gets its address");
  await page.getByText("0 of 1").waitFor();
  expect(await page.getByRole("button", { name: /^(Approve|Apply)/ }).count()).toBe(0);

  const { page: other } = await browser.open("/console/zones", reviewer);
  await other.getByRole("link", { name: /^Activity/ }).click();
  await other.getByRole("button", { name: "Reviews" }).click();
  await other.getByRole("link", { name: "the API gets its address" }).click();
  await other.getByRole("article", { name: zone }).getByText("192.0.2.7").waitFor();
  await other.getByRole("button", { name: "Approve…" }).click();
  await other.keyboard.type("as we said");
  await other.keyboard.press("Control+Enter");
  await other.getByText(/^1 of 1 by .*berta/).waitFor();

  await page.getByText("as we said").waitFor();
  await page.getByRole("button", { name: "Apply", exact: true }).click();
  await page.getByText("1 zone changed").waitFor();
  await page.getByRole("article", { name: zone }).getByText("no server").waitFor();
  await page.getByRole("article", { name: zone }).getByText("192.0.2.7").waitFor();
  expect(await service.stored(zone, "api")).toEqual(["api A 3600 192.0.2.7"]);
  await page.goto(`${service.url}${path}`);
  await page.getByText(/^applied it|anna applied it/).waitFor();
  expect(await service.sql("select note from change where zone = $1 order by id desc limit 1", [zone])).toEqual([
    { note: "the API gets its address" },
  ]);
});

test("what is proposed is staged no more, and Ctrl+Z brings it back; what is refused stays staged", async () => {
  const { page, user } = await staged();
  await intercept(page, "**/graphql", async (route) => {
    if (!(route.request().postData() ?? "").includes("mutation CreateChangeSet")) return route.fallback();
    return route.abort("connectionrefused");
  });
  await page.getByRole("button", { name: "Ask for review…" }).click();
  await page.getByLabel("Title").fill("lost");
  await page.getByRole("button", { name: /^Ask for review Ctrl/ }).click();
  await page.getByText("The service did not answer.").waitFor();
  await page.unrouteAll({ behavior: "wait" });
  await page.getByRole("button", { name: "Back Esc" }).click();
  await page.getByRole("status").filter({ hasText: "1 edit" }).first().waitFor();
  await user.press("ArrowDown");
  await user.paste("alias 300 IN CNAME host.sub\n");
  await page.getByText("host.sub is relative and became").waitFor();
  await user.review();
  await propose(page, "found");
  await page.getByText("The edits wait for review.").waitFor();
  expect(await page.getByText("is relative and became").count()).toBe(0);
  await page.goBack();
  await user.ready();
  expect(
    await page
      .getByRole("status")
      .filter({ hasText: /\d edits? \d/ })
      .count(),
  ).toBe(0);
});

test("edits of another zone join a set that is open", async () => {
  const { page } = await staged();
  const path = await propose(page, "two zones");
  const first = zone;
  zone = `second.${zone}`;
  await service.domain(zone, owner);
  const { page: next } = await staged();
  await next.getByRole("button", { name: "Ask for review…" }).click();
  await next.getByLabel("Change", { exact: true }).selectOption("two zones (in review)");
  await next.getByRole("button", { name: /^Add Ctrl/ }).click();
  await next.getByText("2 zones would change: +2").waitFor();
  expect(new URL(next.url()).pathname).toBe(path);
  await next.getByRole("button", { name: `Remove ${first}` }).click();
  await next.getByRole("dialog").getByText("What is staged for it goes with it.").waitFor();
  await inDialog(next, "Cancel").click();
  await next.getByText("2 zones would change: +2").waitFor();
  await next.getByRole("button", { name: `Remove ${first}` }).click();
  await inDialog(next, "Remove").click();
  await next.getByText("1 zone would change: +1").waitFor();
});

test("an approval is of what is on the screen: what became another is to be looked at again", async () => {
  const { page } = await staged();
  const path = await propose(page, "stale");
  const { page: other } = await browser.open(path, reviewer);
  await other.getByRole("button", { name: "Approve…" }).click();
  await service.record(zone, "api", "A", "192.0.2.8");
  await inDialog(other, "Approve").click();
  await other.getByRole("alert").getByText("look at it again").waitFor();
  await other.getByRole("dialog").waitFor({ state: "detached" });
  await approve(path);
  // The same for who applies it.
  await page.reload();
  await page.getByText(/^1 of 1 by .*berta/).waitFor();
  await page.getByRole("heading", { name: /^1 zone would change/ }).waitFor();
  await service.record(zone, "api", "A", "192.0.2.9");
  await page.getByText("Others changed its zones").waitFor();
  await page.getByRole("button", { name: "Apply", exact: true }).click();
  await page.getByRole("alert").getByText("look at it again").waitFor();
  await page.getByText("what was approved before was another effect").waitFor();
  await page.getByRole("button", { name: "Apply", exact: true }).waitFor({ state: "detached" });
});

test("changes are requested with a comment; a read-only key looks on", async () => {
  const { page } = await staged();
  const path = await propose(page, "not yet");
  const { page: other } = await browser.open(path, reviewer);
  await clickButtons(other, "More for the change", "Request changes…");
  await other.keyboard.type("it needs an AAAA");
  await inDialog(other, "Request changes").click();
  await other.getByText("berta asked for changes").waitFor();
  await page.getByRole("button", { name: "Ask for review…" }).waitFor();
  await page.getByLabel("Comment").fill("it has none");
  await page.getByRole("button", { name: "Comment" }).click();
  await page.getByText("it has none").waitFor();

  const { page: third } = await browser.open(path, reader);
  await third.getByText("it needs an AAAA").waitFor();
  await third.getByRole("heading", { name: "1 zone would change: +1" }).waitFor();
  const buttons = await third.locator("main button").allInnerTexts();
  expect(buttons.filter((text) => !["", "Unified", "Side by side"].includes(text))).toEqual([]);
});

test("a set that deletes a zone asks before it is applied or scheduled, on whatever page of the preview the zone is", async () => {
  const others = Array.from({ length: 10 }, (_, at) => `n${at}.${zone}`);
  for (const other of others) await service.domain(other, owner);
  // So many that the zone is not on the page that is read at first.
  const add = Array.from({ length: 12 }, (_, at) => ({ owner: `h${at}`, type: "A", rdata: "192.0.2.7" }));
  const zones = [...others.map((other) => ({ edit: { zone: other, add } })), { delete: { zone } }];
  const input = { title: "a zone less", zones };
  const { changeSet } = await service.mutate("createChangeSet", input, "changeSet { id }", author);
  const { page } = await browser.open(`/console/changes/${changeSet.id}`, author);
  const dialog = page.getByRole("dialog");
  await page.getByRole("button", { name: "More zones" }).waitFor();
  await clickButtons(page, "More for the change", "Schedule…");
  await page.keyboard.press("Control+Enter");
  await dialog.getByText("Nothing is applied before you agree to this.").waitFor();
  await dialog.getByLabel(`Yes, delete ${zone} with its 4 records.`).and(page.locator(":focus")).check();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Apply", exact: true }).click();
  await dialog.getByText(`This would delete ${zone} with its 4 records.`).waitFor();
  await inDialog(page, "Apply").click();
  await page.getByText("11 zones changed").waitFor();
  await eventually(async () => expect(await service.sql("select 1 from domain where zone = $1", [zone])).toEqual([]));
});
