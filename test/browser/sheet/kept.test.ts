/**
 * Edits that are kept: counted on every page, through the end of a key, and on signing out as the person decides. And the zone as text.
 */
import { beforeAll, beforeEach, describe, expect } from "@jest/globals";
import { eventually } from "../../setup/basics/eventually.ts";
import { testWith } from "../../setup/basics/programs.ts";
import { testBrowser, type WatchedPage } from "../../setup/browser/console-browser.ts";
import { SheetUser } from "../../setup/browser/sheet-user.ts";
import { testService } from "../../setup/service/service.ts";

const test = testWith("chromium");
const service = testService();
const browser = testBrowser(service);
let [owner, zone, key] = ["", "", ""];
let count = 0;

beforeAll(async () => {
  owner = await service.user("owner@example.com");
});
beforeEach(async () => {
  zone = `kept${count++}.example`;
  key = await service.key({ name: zone, userId: owner });
  browser.secrets.push(key);
  await service.domain(zone, owner);
});

/** A sheet with one staged record. */
async function staged(): Promise<{ watched: WatchedPage; user: SheetUser }> {
  const watched = await browser.open(`/console/zones/${zone}`, key);
  const user = await new SheetUser(watched.page).ready();
  await user.add("new", "A", "192.0.2.1");
  await user.page.getByText("1 staged:").waitFor();
  return { watched, user };
}

async function signIn(user: SheetUser): Promise<void> {
  await user.page.getByLabel("API key").fill(key);
  await user.page.keyboard.press("Enter");
}

async function signOut(user: SheetUser, decision: string): Promise<void> {
  await user.button(/^Account: /).click();
  await user.button("Sign out").click();
  await user.button(decision).click();
  await user.page.getByLabel("API key").waitFor();
}

describe("staged edits", () => {
  test("are counted in the header of other pages, which leads back to them", async () => {
    const { user } = await staged();
    await user.page.getByRole("link", { name: "History" }).first().click();
    await user.page.getByRole("button", { name: "1 staged" }).click();
    await user.page.getByRole("link", { name: `${zone} · 1` }).click();
    await user.cell("192.0.2.1").click();
    await user.review();
    await user.apply();
    await user.page.getByRole("button", { name: "1 staged" }).waitFor({ state: "detached" });
  });

  test("are gone through by keys again once a refused review is closed", async () => {
    const { user } = await staged();
    await user.add("www", "A", "192.0.2.9");
    await user.press("Control+Enter");
    await user.page.getByRole("dialog").getByText("Refused. Nothing was changed.").waitFor();
    await user.press("Escape");
    await user.page.getByRole("dialog").waitFor({ state: "detached" });
    await user.ready();
    await user.press("ArrowUp");
    await user.ready();
  });

  test("are kept on signing out, if the person wants it", async () => {
    const { watched, user } = await staged();
    await signOut(user, "Keep and sign out");
    await signIn(user);
    await user.page.getByRole("button", { name: "1 staged" }).waitFor();
    watched.forgive(/status of 401/); // the end of the stream may be followed by a read
  });

  test("are discarded on signing out, if the person wants it", async () => {
    const { watched, user } = await staged();
    await signOut(user, "Discard and sign out");
    expect(await user.page.evaluate("JSON.stringify({ ...localStorage })")).not.toContain("192.0.2.1");
    await signIn(user);
    await user.page.getByRole("link", { name: zone }).waitFor();
    expect(await user.page.getByRole("button", { name: "1 staged" }).count()).toBe(0);
    watched.forgive(/status of 401/); // the end of the stream may be followed by a read
  });

  test("stay when the sign-in ends while they are applied, and are applied after the next", async () => {
    const { watched, user } = await staged();
    await user.review();
    await user.page.context().clearCookies();
    await user.press("Control+Enter");
    await signIn(user);
    await user.page.getByLabel("API key").waitFor({ state: "detached" });
    await user.page.getByText("1 staged:").waitFor();
    await user.press("Escape");
    await user.review();
    await user.apply();
    expect(
      await service.sql("select 1 from zone_record where owner = 'new' and zone_record.rdata = '192.0.2.1'"),
    ).not.toEqual([]);
    watched.forgive(/status of 401/);
  });
});

describe("the zone as text", () => {
  test("is edited, kept through a reload, refused at a line, corrected, and saved as it was shown", async () => {
    const watched = await browser.open(`/console/zones/${zone}/text`, key);
    const { page } = watched;
    const user = new SheetUser(page);
    const area = page.getByLabel(`Master file of ${zone}`);
    await page.getByText("As it is committed.").waitFor();
    const text = await area.inputValue();
    await area.fill(`${text}one A 192.0.2.1\ntwo A 192.0.2.300\n`);
    await page.reload();
    await page.getByText("Edited; kept in this browser").waitFor();
    await user.button("Review and save").click();
    const line = text.trimEnd().split("\n").length + 2;
    await user.button(`line ${line}`).click();
    await eventually(async () => expect(await page.evaluate("getSelection().toString()")).toBe("two A 192.0.2.300"));
    await area.fill(`${text}one A 192.0.2.1\ntwo A 192.0.2.3\n`);
    await user.button("Review and save").click();
    await user.button(/^Apply/).click();
    await page.getByText(/^Committed as/).waitFor();
    await user.button("To the records").click();
    await user.row("192.0.2.3").waitFor();
    watched.forgive(/status of 422/);
  });

  test("says that somebody else changed the zone since it was read; what was edited is discarded and brought back", async () => {
    const { page } = await browser.open(`/console/zones/${zone}/text`, key);
    const area = page.getByLabel(`Master file of ${zone}`);
    await page.getByText("As it is committed.").waitFor();
    await area.fill(`${await area.inputValue()}mine A 192.0.2.1\n`);
    await service.record(zone, "theirs", "A", "192.0.2.9");
    await page.reload();
    await page.getByText("The zone was changed since this text was read").waitFor();
    const readAgain = page.getByRole("button", { name: "Discard the edits, and read it again" });
    await readAgain.click();
    await eventually(async () => expect(await area.inputValue()).toContain("theirs"));
    expect(await area.inputValue()).not.toContain("mine");
    await page.getByRole("button", { name: "Undo" }).click();
    await readAgain.waitFor();
    expect(await area.inputValue()).toContain("mine");
  });
});
