/**
 * Edits that are kept: counted on every page, through the end of a key and a sign-in by another, and on signing out as the person decides. And
 * the zone as text.
 */
import { beforeEach, describe, expect } from "@jest/globals";
import type { Page } from "playwright-core";
import { eventually } from "../../setup/basics/eventually.ts";
import { intercept } from "../../setup/basics/intercept.ts";
import { testConsole } from "../../setup/browser/console-browser.ts";
import type { SheetUser } from "../../setup/browser/sheet-user.ts";
import { adminKey } from "../../setup/service/service.ts";
import { zonePerTest } from "../../setup/service/zone-per-test.ts";

// The end of the stream may be followed by a read; a text is refused at its line.
const { test, service, browser } = testConsole({}, /status of 4(01|22)/);
let [zone, key, second] = ["", "", ""];

zonePerTest(service, "kept", async (name, userId) => {
  zone = name;
  [key, second] = [await browser.key({ name, userId }), await browser.key({ name: "2", userId })];
});

const stored = () => service.stored(zone, "new");

async function signIn(page: Page, by = key): Promise<void> {
  await page.getByLabel("API key").fill(by);
  await page.keyboard.press("Enter");
  await page.getByLabel("API key").waitFor({ state: "detached" });
}

describe("staged edits", () => {
  let user: SheetUser;
  let page: Page;

  beforeEach(async () => {
    user = await browser.sheet(zone, key);
    ({ page } = user);
    await user.add("new", "A", "192.0.2.1");
    await page.getByRole("status").filter({ hasText: "1 edit" }).waitFor();
  });

  async function signOut(decision: string): Promise<void> {
    await user.button(/^Account: /).click();
    await user.button("Sign out").click();
    await user.button(decision).click();
    await page.getByLabel("API key").waitFor();
  }

  test("are counted in the header of other pages, which leads back to them", async () => {
    await page.getByRole("link", { name: "Activity" }).click();
    await page.getByRole("heading", { name: "Activity" }).waitFor();
    await page.getByRole("link", { name: "1 edit" }).click();
    await user.button(/^Apply/).waitFor();
    await user.apply();
    await page.getByRole("link", { name: "1 edit" }).waitFor({ state: "detached" });
  });

  test("are gone through by keys again once a refused review is closed", async () => {
    await user.addWrong("www", "A", "192.0.2.9");
    await user.press("ArrowDown", "Control+Enter");
    await page.getByText("This cannot be applied as it is; nothing was sent.").first().waitFor();
    await page.getByRole("heading", { name: "The other edits" }).waitFor();
    expect(await page.getByRole("region", { name: "Difference" }).innerText()).toMatch(/\b192\.0\.2\.1\b/);
    expect(await page.getByRole("region", { name: "Difference" }).getByText("192.0.2.9").count()).toBe(0);
    await user.back();
    await user.press("ArrowUp");
    await user.ready();
  });

  test("are kept or discarded on signing out, as the person wants it", async () => {
    await signOut("Keep and sign out");
    await signIn(page);
    await page.getByRole("link", { name: "1 edit" }).waitFor();
    await signOut("Discard and sign out");
    expect(await page.evaluate("JSON.stringify({ ...localStorage })")).not.toContain("192.0.2.1");
    await signIn(page);
    await page.getByRole("link", { name: zone }).waitFor();
    expect(await page.getByRole("link", { name: "1 edit" }).count()).toBe(0);
  });

  test("stay when the sign-in ends while they are applied, and are applied after the next", async () => {
    await user.review();
    await page.context().clearCookies();
    await user.press("Control+Enter");
    await signIn(page);
    await page.getByRole("link", { name: "1 edit" }).waitFor();
    await user.back();
    await user.commit();
    expect(await stored()).toEqual(["new A 3600 192.0.2.1"]);
  });

  test.each([
    ["revoked", "revoked_at", "was revoked"],
    ["expired", "expires_at", "has expired"],
  ])("of a key that is %s are reviewed and applied by another key of the user", async (_how, end, sentence) => {
    await service.sql(`update api_key set ${end} = now() where name = $1`, [zone]);
    await user.press("Control+Enter");
    await page.getByRole("dialog").getByText(sentence).waitFor();
    await signIn(page, second);
    await page.getByRole("link", { name: "1 edit" }).waitFor();
    await page.reload();
    await user.button(/^Apply/).waitFor();
    expect(await stored()).toEqual([]);
    await user.apply();
    expect(await stored()).toHaveLength(1);
    await page.getByRole("link", { name: "1 edit" }).waitFor({ state: "detached" });
  });

  test("are not taken along by another person who signs in over the page", async () => {
    await service.sql("update api_key set revoked_at = now() where name = $1", [zone]);
    await user.press("Control+Enter");
    await page.getByRole("dialog").getByText("was revoked").waitFor();
    await signIn(page, adminKey);
    await page.getByRole("status").filter({ hasText: "1 edit" }).waitFor({ state: "detached" });
    await page.getByText("ns1.zonesmith.example.").first().waitFor();
    expect(await page.evaluate("JSON.stringify({ ...localStorage })")).toContain("192.0.2.1");
  });

  test("and a refusal that still comes for the sign-in of before, which does not ask for another", async () => {
    const held: (() => Promise<void>)[] = [];
    await intercept(page, "**/graphql", async (route) => {
      if (!/query SheetCheck/.test(route.request().postData() ?? "")) return route.fallback();
      const response = await route.fetch();
      // The page cancels a check that another replaces.
      held.push(() => route.fulfill({ response }).catch(() => undefined));
    });
    await page.context().clearCookies();
    await user.add("second", "A", "192.0.2.2");
    await eventually(() => expect(held).not.toEqual([]));
    await user.press("Control+k");
    await user.type("x");
    await signIn(page);
    // The field below has the focus again.
    await page.getByRole("combobox", { name: "Search or go to" }).and(page.locator(":focus")).waitFor();
    await user.press("Escape");
    await page.getByRole("dialog", { name: "Search or go to" }).waitFor({ state: "detached" });
    const late = page.waitForResponse(
      (response) => response.status() === 401 && /query SheetCheck/.test(response.request().postData() ?? ""),
    );
    for (const answer of held) await answer();
    await late;
    await user.cell("192.0.2.2").click();
    await user.commit();
    expect(await stored()).toHaveLength(1);
  });
});

describe("the zone as text", () => {
  test("is edited, kept through a reload, refused at a line, corrected, and saved as it was shown", async () => {
    const { page } = await browser.open(`/console/zones/${zone}/text`, key);
    const area = page.getByLabel(`Master file of ${zone}`);
    const button = (name: string | RegExp) => page.getByRole("button", { name });
    await page.getByText("As it is committed.").waitFor();
    const text = await area.inputValue();
    await area.fill(`${text}one A 192.0.2.1\ntwo A 192.0.2.300\n`);
    await page.reload();
    await page.getByText("Edited; kept in this browser").waitFor();
    await button("Review and save").click();
    await button(`line ${text.trimEnd().split("\n").length + 2}`).click();
    await eventually(async () => expect(await page.evaluate("getSelection().toString()")).toBe("two A 192.0.2.300"));
    await area.fill(`${text}one A 192.0.2.1\ntwo A 192.0.2.3\n`);
    await button("Review and save").click();
    await button(/^Apply/).click();
    await page.getByText(/^Committed as/).waitFor();
    await button("To the records").click();
    await page.getByRole("gridcell", { name: "192.0.2.3", exact: true }).waitFor();
  });

  test("says that edits of the records are not in it", async () => {
    const user = await browser.sheet(zone, key);
    await user.add("staged", "A", "192.0.2.7");
    await user.page.getByRole("link", { name: "Text", exact: true }).click();
    await user.page.getByText("Your 1 edit of the records is not applied, and not in this text.").waitFor();
  });

  test("says that somebody else changed the zone since it was read; what was edited is discarded and brought back", async () => {
    const { page } = await browser.open(`/console/zones/${zone}/text`, key);
    const area = page.getByLabel(`Master file of ${zone}`);
    await page.getByText("As it is committed.").waitFor();
    await area.fill(`${await area.inputValue()}mine A 192.0.2.1\n`);
    await service.record(zone, "theirs", "A", "192.0.2.9");
    await page.reload();
    await page.getByText("The zone was changed since this text was read").waitFor();
    expect(await page.getByText("not in this text").count()).toBe(0);
    const readAgain = page.getByRole("button", { name: "Discard the edits, and read it again" });
    await readAgain.click();
    await eventually(async () => expect(await area.inputValue()).toContain("theirs"));
    expect(await area.inputValue()).not.toContain("mine");
    await page.getByRole("button", { name: "Undo" }).click();
    await readAgain.waitFor();
    expect(await area.inputValue()).toContain("mine");
  });
});
